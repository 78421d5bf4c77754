import { currentCall } from '@cofre/platform/grpc/call-context'
import type { EventLog } from '@cofre/platform/events/event-log'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Acquirer } from './acquirer/acquirer'
import { createCardTestingGuard, type CardTestingGuard } from '@cofre/platform/card/card-testing'
import type { Terms } from './charge/charge'
import { openCieloAcquirer } from './cielo/cielo-acquirer'
import type { Config } from './config'
import { openKeptCards, type KeptCards } from './kept-cards/kept-cards'
import { moveMerchantKeys } from './establishment/move-merchant-keys'
import { noNetworkTokens, openNetworkTokens, type NetworkTokens } from './network-tokens/network-tokens'

export type Rules = Pick<
  Config,
  | 'acquirerTimeoutMs'
  | 'settleEveryMs'
  | 'settleFirstMs'
  | 'settleMaxMs'
  | 'absenceGraceMs'
  | 'unsureDeclineMs'
  | 'pendingTooLongMinutes'
  | 'comparedPerMinute'
  | 'captureWindowDays'
  | 'declinesPerMinute'
>

export type Deps = {
  pool: Pool
  log: Logger
  acquirer: Acquirer
  keptCards: KeptCards
  networkTokens: NetworkTokens
  cardTesting: CardTestingGuard
  rules: Rules
}

/** What sweepers are given beside. */
export type SweeperDeps = Deps & { eventLog: EventLog }

export async function openDeps(config: Config, { log, pool, connect, eventLog }: Boot): Promise<SweeperDeps> {
  const { networkTokenAddress, establishmentKey } = config
  const vault = connect(VaultClient, config.vaultAddress)
  await moveMerchantKeys({ pool, log, vault, establishmentKey })
  return {
    pool,
    log,
    eventLog: await eventLog(config),
    acquirer: openCieloAcquirer(vault),
    keptCards: openKeptCards(vault),
    networkTokens: networkTokenAddress
      ? openNetworkTokens(connect(NetworkTokensClient, networkTokenAddress))
      : noNetworkTokens,
    cardTesting: createCardTestingGuard(config.declinesPerMinute),
    rules: config,
  }
}

/** What is pending since before then (epoch milliseconds) is pending too long. */
export function pendingTooLongBefore({ pendingTooLongMinutes }: Rules): number {
  return Date.now() - pendingTooLongMinutes * 60_000
}

/** Left of the caller's time to save what came of a call and answer: whoever got no answer may ask again. */
const ANSWER_MS = 1_000

/** The terms of an operation that begins now. Nothing leaves so late that its caller would not hear of it. */
export function termsFrom({ rules }: Deps, operationId: string): Terms {
  const at = Date.now()
  const callerWaitsUntil = currentCall()?.deadline ?? Infinity
  return {
    operationId,
    at,
    deadline: Math.min(at + rules.acquirerTimeoutMs, callerWaitsUntil - ANSWER_MS),
    firstAskAt: at + rules.settleFirstMs,
  }
}
