import { repeat } from '@cofre/platform/service/lifecycle'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { saveLastUses } from './token-store'

/** Half of the ten seconds by which a last use may be late: the other half is for a database that is slow. */
const SAVE_EVERY_MS = 5_000

export type LastUses = { note(tokenId: string): void; stop(): Promise<void> }

/** Remembers when tokens were used and saves it every five seconds, all in one statement. */
export function keepLastUses(pool: Pool, log: Logger, everyMs = SAVE_EVERY_MS): LastUses {
  let uses = new Map<string, number>()
  const save = async () => {
    const saving = uses
    uses = new Map()
    try {
      if (saving.size > 0) await saveLastUses(pool, saving)
    } catch (error) {
      // Kept for the next try; a use that came meanwhile is newer.
      uses = new Map([...saving, ...uses])
      throw error
    }
    // Nothing left to do at once: rest.
    return 0
  }
  const loop = repeat(save, everyMs, (error) => log.warn({ err: error }, 'last uses of tokens not saved'))
  return {
    note: (tokenId) => uses.set(tokenId, Date.now()),
    stop: async () => {
      await loop.stop()
      await save()
    },
  }
}
