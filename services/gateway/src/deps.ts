import type { History } from '@cofre/platform/history/history'
import { recordHistory, type HistoryRecorder } from '@cofre/platform/history/history-recorder'
import { openHistory } from '@cofre/platform/history/history-settings'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { checkKey } from '@cofre/platform/service/key-check'
import type { Boot } from '@cofre/platform/service/run-service'
import { createReadiness, type Readiness } from './http/readiness'
import { openServices, type Services } from './clients'
import type { Config } from './config'
import { fingerprintKeys, type FingerprintKeys } from './http/fingerprint'
import { createInFlight, type InFlight } from './http/in-flight'
import { keepLastUses, type LastUses } from './sellers/api-tokens/last-uses'
import { createRateLimit, type RateLimit } from './http/rate-limit'
import { createSellerName, type SellerName } from './sellers/seller-name'
import { openSigningKeys, type SigningKeys } from './sellers/api-tokens/signing-keys'
import { createTokenVerifier, type TokenVerifier } from './sellers/api-tokens/token-verifier'

/** The dependencies of routes, pages and RPCs. */
export type Deps = {
  config: Config
  log: Logger
  pool: Pool
  services: Services
  sellerName: SellerName
  keys: SigningKeys
  verifier: TokenVerifier
  lastUses: LastUses
  /** The history of requests to the API. */
  history: History
  recorder: HistoryRecorder
  /** Limits requests by token. */
  rateLimit: RateLimit
  /** Limits requests without a good token by address. */
  anonymousLimit: RateLimit
  inFlight: InFlight
  readiness: Readiness
  fingerprintKeys: FingerprintKeys
  /** BASE_URL, without a slash at the end. */
  baseUrl: string
}

export async function openDeps(config: Config, boot: Boot): Promise<Deps> {
  const { name, log, pool, onClose } = boot
  const { baseUrl } = config
  await checkKey(pool, 'TOKEN_KEY', config.tokenKey)
  for (const [id, key] of config.fingerprintKeys.byId) await checkKey(pool, `fingerprint key ${id}`, key)
  const keys = await openSigningKeys(pool, config.tokenKey)
  const history = await openHistory(config, name, { pool, log })
  onClose(() => history.close())
  const recorder = recordHistory(history, log)
  onClose(() => recorder.stop())
  const lastUses = keepLastUses(pool, log)
  onClose(() => lastUses.stop())
  const services = openServices(config, boot)
  return {
    config,
    log,
    pool,
    services,
    sellerName: createSellerName(pool),
    readiness: createReadiness({ pool, services }),
    keys,
    baseUrl,
    verifier: createTokenVerifier({ pool, keys, baseUrl }),
    lastUses,
    history,
    recorder,
    rateLimit: createRateLimit({ perSecond: config.rateLimitPerSecond, burst: config.rateLimitBurst }),
    anonymousLimit: createRateLimit({
      perSecond: config.anonymousPerSecond,
      burst: config.anonymousBurst,
    }),
    inFlight: createInFlight({
      places: config.httpMaxInFlight,
      ofToken: config.httpMaxInFlightPerToken,
      ofAddress: config.httpMaxInFlightPerAddress,
    }),
    fingerprintKeys: fingerprintKeys(config.fingerprintKeys),
  }
}
