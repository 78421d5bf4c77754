import { repeat } from '@cofre/platform/service/lifecycle'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { saveLastUses } from './token-store'

/** A last use may be ten seconds late: half is this interval, half is for a slow database. */
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
      // Keep them for the next try. A use that came meanwhile is newer.
      uses = new Map([...saving, ...uses])
      throw error
    }
    // 0: the loop rests before its next turn.
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
