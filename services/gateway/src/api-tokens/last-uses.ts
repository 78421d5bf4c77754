import { repeat } from '@cofre/platform/service/lifecycle'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { saveLastUses } from './token-store'

const SAVE_EVERY_MS = 10_000

export type LastUses = { note(tokenId: string): void; stop(): Promise<void> }

/** Remembers when tokens were used and saves it every ten seconds, all in one statement. */
export function keepLastUses(pool: Pool, log: Logger): LastUses {
  let uses = new Map<string, number>()
  const save = async () => {
    const saving = uses
    uses = new Map()
    if (saving.size > 0) await saveLastUses(pool, saving)
    // Nothing left to do at once: rest.
    return 0
  }
  const loop = repeat(save, SAVE_EVERY_MS, (error) => log.warn({ err: error }, 'last uses not saved'))
  return {
    note: (tokenId) => uses.set(tokenId, Date.now()),
    stop: async () => {
      await loop.stop()
      await save()
    },
  }
}
