import type { EventLog } from '@cofre/platform/events/event-log'
import { newTerms, type Terms } from '@cofre/platform/operation/terms'
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
import { openGrants } from './redirect/grants'
import type { IdentityProvider } from './redirect/identity-provider'
import { openOpenidProvider } from './redirect/openid-provider'
import { openNumbers, type Numbers } from './tokens/numbers'

export type Rules = Pick<
  Config,
  | 'issuerTimeoutMs'
  | 'resolveEveryMs'
  | 'resolveFirstMs'
  | 'resolveMaxMs'
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
  const identityProvider = openOpenidProvider(vault, config.baseUrl, log)
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

/** The terms of an operation that begins now. */
export function termsFrom({ rules }: Deps, operationId: string): Terms {
  return newTerms(operationId, { timeoutMs: rules.issuerTimeoutMs, firstAskMs: rules.resolveFirstMs })
}
