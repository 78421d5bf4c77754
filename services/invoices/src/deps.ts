import type { EventLog } from '@cofre/platform/events/event-log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import type { Logger } from '@cofre/platform/telemetry/log'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { OrdersClient } from '@cofre/proto/orders/v1/orders'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { openBoletoDeps, type BoletoDeps } from './boletos/bank/boleto-deps'
import { openPixDeps, type PixDeps } from './pix/bank/pix-deps'
import { openPixIn } from './pix/store/open-pix'
import { slipsIn } from './boletos/pdf/mailed-slip'
import { bookletsIn } from './booklets/mailed-booklet'
import { followClock } from './clock/clock-store'
import type { CustomerLeaves } from './catalog/customers/customer'
import type { Config } from './config'
import { stopAutomaticCharge } from './dunning/automatic-charge-store'
import { afterAttempt } from './dunning/follow-attempt'
import { tryKeptCard } from './dunning/given-up-store'
import { chargedCardsIn } from './dunning/next-charge'
import { forgetCardNames } from './invoice/store/card-name-store'
import type { IsAsked } from './invoice/store/draft-store'
import type { AfterSave } from './invoice/store/invoice-store'
import { endPermissionsOfCustomer } from './pix/automatic/permission-store'
import { isAsked, withdrawOpenAsks } from './money/asks'
import { splitMoney } from './money/split-money'
import type { BookletOf } from './letters/booklet-paper'
import type { CardsOf } from './letters/charged-cards'
import type { SlipOf } from './letters/letter'
import type { PixOf } from './letters/open-pix'
import type { Mailer } from './letters/mailer/mailer'
import { smtpMailer } from './letters/mailer/smtp-mailer'
import { redirectEmails } from './letters/queue/email-store'
import { mailRefund, mailVoided } from './letters/queue/mail-changes'
import { cancelOfCustomer } from './recurring/store/recurring-store'
import { holdCharged, stopChargesOfCustomer } from './recurring/store/stop-charges-store'
import { openCards, type Cards } from './cards/cards'
import { openNetworkTokens, type NetworkTokens } from './cards/network-tokens'
import { openOrders, type Orders } from './cards/orders'
import type { Recording } from './cards/record-outcome'
import { discardKeptCard, forgetConsents } from './cards/store/kept-card-store'
import {
  openAuthenticationServer,
  type AuthenticationServer,
} from './cards/three-d-secure/authentication-server'

/** The fees of card payments, and when payments without an outcome are asked about. */
export type PaymentRules = Pick<
  Config,
  | 'cardFees'
  | 'minInstallmentCents'
  | 'ordersTimeoutMs'
  | 'resolveEveryMs'
  | 'resolveFirstMs'
  | 'resolveMaxMs'
  | 'absenceGraceMs'
  | 'dunningDays'
  | 'expiredCardBrands'
>

/** The steps that rooms take within the transactions of rooms that do not know them. */
export type Wiring = Recording & { isAsked: IsAsked; customerLeaves: CustomerLeaves }

/** `mailer` undefined: no mail server is set up. */
export type Deps = Wiring & {
  pool: Pool
  log: Logger
  mailer: Mailer | undefined
  orders: Orders
  cards: Cards
  networkTokens: NetworkTokens
  rules: PaymentRules
  boletos: BoletoDeps
  pix: PixDeps
  slipOf: SlipOf
  pixOf: PixOf
  bookletOf: BookletOf
  cardsOf: CardsOf
  authenticationServer: AuthenticationServer
  baseUrl: string
  /** Whether the billing clock may be moved. */
  billingClock: Config['billingClock']
  emailRetryFirstMs: number
  /** The days on which customers are reminded, counted from the due date; days before it are negative. */
  reminderDays: readonly number[]
}

/** The dependencies of sending e-mails. */
export type EmailDeps = Pick<Deps, 'pool' | 'log' | 'slipOf' | 'pixOf' | 'bookletOf' | 'cardsOf'> & {
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
  const boletos = openBoletoDeps(vault, config)
  const pixOf = openPixIn(pool)
  // Before the first request, so that none is served with an older time.
  if (config.billingClock === 'movable') await followClock(pool)
  return {
    pool,
    log,
    mailer: mailerOf(config, log),
    orders: openOrders(connect(OrdersClient, ordersAddress), connect(IdempotencyClient, ordersAddress)),
    cards: openCards(vault, pool),
    networkTokens: openNetworkTokens(connect(NetworkTokensClient, config.networkTokenAddress)),
    authenticationServer: openAuthenticationServer(vault),
    rules: config,
    ...wired(config),
    reminderDays: config.reminderDays,
    boletos,
    pix: openPixDeps(vault, config),
    slipOf: slipsIn(pool, boletos, pixOf),
    pixOf,
    bookletOf: bookletsIn(pool, boletos),
    cardsOf: chargedCardsIn(pool),
    eventLog: await eventLog(config),
    billingClock: config.billingClock,
    billingEveryMs,
    pastDueEveryMs,
    baseUrl,
    emailEveryMs,
    emailRetryFirstMs,
  }
}

export function wired({ dunningDays }: Pick<PaymentRules, 'dunningDays'>): Wiring {
  const afterSave: AfterSave[] = [stopAutomaticCharge, withdrawOpenAsks, splitMoney, mailRefund, mailVoided]
  return {
    afterSave,
    isAsked,
    afterKept: tryKeptCard,
    afterAttempt: (...attempt) => afterAttempt({ afterSave, dunningDays }, ...attempt),
    customerLeaves: {
      // In the order of payments, which lock the invoice, then the customer that keeps the card.
      before: [holdCharged, forgetCardNames, discardKeptCard, forgetConsents],
      // A recurring invoice that was being made for the customer exists by now.
      after: [cancelOfCustomer, endPermissionsOfCustomer, stopChargesOfCustomer, redirectEmails],
    },
  }
}

function mailerOf({ smtpUrl: server, smtpCa: authority, mailFrom: from }: Config, log: Logger) {
  if (server && from) return smtpMailer({ server, from, authority })
  log.warn('SMTP_URL is not set: no e-mail is sent')
  return undefined
}
