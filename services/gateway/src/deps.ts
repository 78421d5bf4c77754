import type { History } from '@cofre/platform/history/history'
import { recordHistory, type HistoryRecorder } from '@cofre/platform/history/history-recorder'
import { openHistory } from '@cofre/platform/history/history-settings'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Services } from './clients'
import type { Config } from './config'
import { fingerprintKey } from './http/fingerprint'
import { createInFlight, type InFlight } from './http/in-flight'
import { keepLastUses, type LastUses } from './api-tokens/last-uses'
import { createRateLimit, type RateLimit } from './http/rate-limit'
import { openSigningKeys, type SigningKeys } from './api-tokens/signing-keys'
import { createTokenVerifier, type TokenVerifier } from './api-tokens/token-verifier'

/** What routes, pages and RPCs work with. */
export type Deps = {
  config: Config
  log: Logger
  pool: Pool
  services: Services
  keys: SigningKeys
  verifier: TokenVerifier
  lastUses: LastUses
  /** What was asked of the API. */
  history: History
  recorder: HistoryRecorder
  /** By token. */
  rateLimit: RateLimit
  /** By address, for requests without a good token. */
  anonymousLimit: RateLimit
  inFlight: InFlight
  fingerprintKey: Buffer
  /** BASE_URL, without a slash at the end. */
  baseUrl: string
}

export async function openDeps(parts: Pick<Deps, 'config' | 'log' | 'pool' | 'services'>): Promise<Deps> {
  const { config, log, pool } = parts
  const keys = await openSigningKeys(pool, config.TOKEN_KEY_FILE)
  const baseUrl = config.BASE_URL
  const history = await openHistory(config, 'gateway', { pool, log })
  return {
    ...parts,
    keys,
    baseUrl,
    verifier: createTokenVerifier({ pool, keys, baseUrl }),
    lastUses: keepLastUses(pool, log),
    history,
    recorder: recordHistory(history, log),
    rateLimit: createRateLimit({ perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST }),
    anonymousLimit: createRateLimit({
      perSecond: config.ANONYMOUS_PER_SECOND,
      burst: config.ANONYMOUS_BURST,
    }),
    inFlight: createInFlight(config.HTTP_MAX_IN_FLIGHT),
    fingerprintKey: fingerprintKey(config.TOKEN_KEY_FILE),
  }
}
