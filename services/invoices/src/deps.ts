import type { EventLog } from '@cofre/platform/events/event-log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Config } from './config'

export type Deps = { pool: Pool; log: Logger }

/** What sweepers are given beside. */
export type SweeperDeps = Deps & { eventLog: EventLog; pastDueEveryMs: number }

export async function openDeps(config: Config, { pool, log, eventLog }: Boot): Promise<SweeperDeps> {
  return { pool, log, eventLog: await eventLog(config), pastDueEveryMs: config.pastDueEveryMs }
}
