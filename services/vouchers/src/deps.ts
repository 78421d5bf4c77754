import { currentCall } from '@cofre/platform/grpc/call-context'
import type { EventLog } from '@cofre/platform/events/event-log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { createCardTestingGuard, type CardTestingGuard } from '@cofre/platform/card/card-testing'
import type { Boot } from '@cofre/platform/service/run-service'
import type { Logger } from '@cofre/platform/telemetry/log'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Brands } from './brands/brand'
import type { Config } from './config'
import { openAccounts, type Accounts } from './issuer/accounts'
import { openIssuers, type Issuers } from './issuer/issuers'
import { openHolders } from './issuer/holders'
import type { Holders } from './issuer/ticket-issuer'
import type { Terms } from './payment/payment'
import { openGrants } from './redirect/grants'
import type { IdentityProvider } from './redirect/identity-provider'
import { openOpenidProvider } from './redirect/openid-provider'
import { openNumbers, type Numbers } from './tokens/numbers'

export type Rules = Pick<
  Config,
  | 'issuerTimeoutMs'
  | 'settleEveryMs'
  | 'settleFirstMs'
  | 'settleMaxMs'
  | 'absenceGraceMs'
  | 'pendingTooLongMinutes'
  | 'declinesPerMinute'
>

export type Deps = {
  pool: Pool
  log: Logger
  brands: Brands
  issuers: Issuers
  accounts: Accounts
  numbers: Numbers
  identityProvider: IdentityProvider
  holders: Holders
  stateKeys: Config['stateKeys']
  cardTesting: CardTestingGuard
  rules: Rules
}

/** The dependencies of sweepers. */
export type SweeperDeps = Deps & { eventLog: EventLog }

export async function openDeps(config: Config, { pool, log, connect, eventLog }: Boot): Promise<SweeperDeps> {
  const vault = connect(VaultClient, config.vaultAddress)
  const { voucherBrands: brands, stateKeys } = config
  const identityProvider = openOpenidProvider(vault, config.baseUrl)
  const grants = openGrants(pool, brands, identityProvider)
  return {
    pool,
    log,
    eventLog: await eventLog(config),
    brands,
    issuers: openIssuers(vault, brands, grants),
    accounts: openAccounts(vault),
    numbers: openNumbers(vault),
    identityProvider,
    holders: openHolders(vault, brands, pool, grants),
    stateKeys,
    cardTesting: createCardTestingGuard(config.declinesPerMinute),
    rules: config,
  }
}

/** An operation that has been pending since before this time (epoch milliseconds) is pending too long. */
export function pendingTooLongBefore({ pendingTooLongMinutes }: Rules): number {
  return Date.now() - pendingTooLongMinutes * 60_000
}

/** The time before the caller's deadline to save an outcome and answer: a caller without an answer may ask again. */
const ANSWER_MS = 1_000

/** Returns the terms of an operation that begins now. No call leaves too late for its caller to get the answer. */
export function termsFrom({ rules }: Deps, operationId: string): Terms {
  const at = Date.now()
  const callerWaitsUntil = currentCall()?.deadline ?? Infinity
  return {
    operationId,
    at,
    deadline: Math.min(at + rules.issuerTimeoutMs, callerWaitsUntil - ANSWER_MS),
    firstAskAt: at + rules.settleFirstMs,
  }
}
