import type { EventLog } from '@cofre/platform/events/event-log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import type { Logger } from '@cofre/platform/telemetry/log'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { OrdersClient } from '@cofre/proto/orders/v1/orders'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { openBoletoDeps, type BoletoDeps } from './bank/boleto-deps'
import { followClock } from './clock/clock-store'
import type { Config } from './config'
import type { Mailer } from './mailer/mailer'
import { smtpMailer } from './mailer/smtp-mailer'
import { openCards, type Cards } from './payments/cards'
import { openNetworkTokens, type NetworkTokens } from './payments/network-tokens'
import { openOrders, type Orders } from './payments/orders'
import { openAuthenticationServer, type AuthenticationServer } from './three-d-secure/authentication-server'

/** The fees of card payments, and when payments without an outcome are asked about. */
export type PaymentRules = Pick<
  Config,
  | 'cardFees'
  | 'ordersTimeoutMs'
  | 'settleEveryMs'
  | 'settleFirstMs'
  | 'settleMaxMs'
  | 'absenceGraceMs'
  | 'dunningDays'
>

/** `mailer` undefined: no mail server is set up. */
export type Deps = {
  pool: Pool
  log: Logger
  mailer: Mailer | undefined
  orders: Orders
  cards: Cards
  networkTokens: NetworkTokens
  rules: PaymentRules
  boletos: BoletoDeps
  authenticationServer: AuthenticationServer
  baseUrl: string
  /** Whether the billing clock may be moved. */
  billingClock: Config['billingClock']
  emailRetryFirstMs: number
  /** The days on which customers are reminded, counted from the due date; days before it are negative. */
  reminderDays: readonly number[]
}

/** The dependencies of sending e-mails. */
export type EmailDeps = Pick<Deps, 'pool' | 'log'> & {
  mailer: Mailer
  baseUrl: string
  emailEveryMs: number
  emailRetryFirstMs: number
}

/** The dependencies of sweepers. */
export type SweeperDeps = Deps &
  Omit<EmailDeps, 'mailer'> & { eventLog: EventLog; billingEveryMs: number; pastDueEveryMs: number }

export async function openDeps(config: Config, { pool, log, connect, eventLog }: Boot): Promise<SweeperDeps> {
  const { billingEveryMs, pastDueEveryMs, baseUrl, emailEveryMs, emailRetryFirstMs, ordersAddress } = config
  const vault = connect(VaultClient, config.vaultAddress)
  // Before the first request, so that none is served with an older time.
  if (config.billingClock === 'movable') await followClock(pool)
  return {
    pool,
    log,
    mailer: mailerOf(config, log),
    orders: openOrders(connect(OrdersClient, ordersAddress), connect(IdempotencyClient, ordersAddress)),
    cards: openCards(vault),
    networkTokens: openNetworkTokens(connect(NetworkTokensClient, config.networkTokenAddress)),
    authenticationServer: openAuthenticationServer(vault),
    rules: config,
    reminderDays: config.reminderDays,
    boletos: openBoletoDeps(vault, config),
    eventLog: await eventLog(config),
    billingClock: config.billingClock,
    billingEveryMs,
    pastDueEveryMs,
    baseUrl,
    emailEveryMs,
    emailRetryFirstMs,
  }
}

function mailerOf({ smtpUrl: server, smtpCa: authority, mailFrom: from }: Config, log: Logger) {
  if (server && from) return smtpMailer({ server, from, authority })
  log.warn('SMTP_URL is not set: no e-mail is sent')
  return undefined
}
