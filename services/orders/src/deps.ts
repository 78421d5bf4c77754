import type { EventLog } from '@cofre/platform/events/event-log'
import { newTerms, type Terms } from '@cofre/platform/operation/terms'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Acquirers, Holder } from './acquirer/acquirer'
import type { Charge } from './charge/charge'
import type { PixBank } from './pix/bank/pix-bank'
import { findPixAccount } from './pix/bank/pix-account'
import { openRestPixBank } from './pix/bank/rest-pix-bank'
import { createCardTestingGuard, type CardTestingGuard } from '@cofre/platform/card/card-testing'
import { openCieloAcquirer } from './cielo/cielo-acquirer'
import type { CieloSettings } from './cielo/cielo-capabilities'
import type { Config } from './config'
import { openKeptCards, type KeptCards } from './kept-cards/kept-cards'
import { noNetworkTokens, openNetworkTokens, type NetworkTokens } from './network-tokens/network-tokens'

export type Rules = Pick<
  Config,
  | 'resolveEveryMs'
  | 'resolveFirstMs'
  | 'resolveMaxMs'
  | 'pendingTooLongMinutes'
  | 'comparedPerMinute'
  | 'disputesEveryMs'
  | 'guessesPerMinute'
  | 'guessedSharePercent'
>

/** `findAccount`: a seller's Pix key; undefined when the vault has no Pix account of the seller. */
export type PixDeps = { bank: PixBank; findAccount(sellerId: number): Promise<string | undefined> }

export type Deps = {
  pool: Pool
  log: Logger
  acquirers: Acquirers
  pix: PixDeps
  keptCards: KeptCards
  networkTokens: NetworkTokens
  cardTesting: CardTestingGuard
  rules: Rules
}

/** The dependencies of sweepers: also the event log. */
export type SweeperDeps = Deps & { eventLog: EventLog }

export async function openDeps(config: Config, { log, pool, connect, eventLog }: Boot): Promise<SweeperDeps> {
  const { networkTokenAddress } = config
  const vault = connect(VaultClient, config.vaultAddress)
  return {
    pool,
    log,
    eventLog: await eventLog(config),
    acquirers: openAcquirers(vault, config),
    pix: openPix(vault, config),
    keptCards: openKeptCards(vault),
    networkTokens: networkTokenAddress
      ? openNetworkTokens(connect(NetworkTokensClient, networkTokenAddress))
      : noNetworkTokens,
    cardTesting: createCardTestingGuard(config.guessesPerMinute),
    rules: config,
  }
}

/** Opens each acquirer's adapter, with its settings. */
export function openAcquirers(vault: VaultClient, settings: CieloSettings): Acquirers {
  return { cielo: openCieloAcquirer(vault, settings) }
}

export function openPix(vault: VaultClient, settings: CieloSettings): PixDeps {
  return {
    bank: openRestPixBank(vault, settings),
    findAccount: (sellerId) => findPixAccount(vault, sellerId),
  }
}

/** Who holds the money of a charge. */
export function holderOf({ acquirers, pix }: Deps, acquirer: Charge['acquirer']): Holder {
  return acquirer === 'pix' ? pix.bank : acquirers[acquirer]
}

/** The terms of an operation at an acquirer, which begins now or began before. */
export function termsFrom(deps: Deps, acquirer: Charge['acquirer'], operationId: string, at?: number): Terms {
  const { timeoutMs } = holderOf(deps, acquirer).capabilities
  return newTerms(operationId, { timeoutMs, firstAskMs: deps.rules.resolveFirstMs }, at)
}
