import type { Logger } from '@cofre/platform/log'
import type { Pool } from '@cofre/platform/postgres'
import type { Config } from './config'
import type { SigningKeys } from './signing-keys'

/** What routes, pages and RPCs work with. */
export type Deps = {
  config: Config
  log: Logger
  pool: Pool
  keys: SigningKeys
  /** BASE_URL, without a slash at the end. */
  baseUrl: string
}
