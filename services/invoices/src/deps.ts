import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Config } from './config'

export type Deps = { pool: Pool; log: Logger }

export function openDeps(_config: Config, { pool, log }: Boot): Deps {
  return { pool, log }
}
