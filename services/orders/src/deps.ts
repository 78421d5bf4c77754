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

/** The dependencies of sweepers: also the event log. */
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

/** The time (epoch milliseconds) before which a pending operation counts as pending too long. */
export function pendingTooLongBefore({ pendingTooLongMinutes }: Rules): number {
  return Date.now() - pendingTooLongMinutes * 60_000
}

/** The part of the caller's time that is left to save an outcome and answer: a caller without an answer asks again. */
const ANSWER_MS = 1_000

/** The terms of an operation that begins now. No call leaves too late for its caller to learn the outcome. */
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
