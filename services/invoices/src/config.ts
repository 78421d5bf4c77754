import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import { addressSettings } from '@cofre/platform/service/addresses'
import { fileSetting, integerSetting, readSettings, serviceSettings } from '@cofre/platform/service/settings'
import { z } from 'zod'
import { boletoSettings } from './boletos/bank/boleto-settings'
import { brandsSetting } from './dunning/brands-setting'
import { daysSetting } from './dunning/days-setting'
import { cardFeesSetting } from './cards/card-fees-setting'
import { mailAddressSetting, mailServerSetting } from './letters/mailer/mail-settings'

const invoiceSettings = {
  ...serviceSettings,
  ...eventLogSettings,
  /** Cards are charged through the orders service, and kept by the vault, which also calls the bank. */
  ...addressSettings('invoices'),
  /** The card fees, which a payer pays on top of the price when the invoice passes them on. */
  CARD_FEES: cardFeesSetting,
  /** The least that each installment of a card may be, cents: the acquirer declines less. */
  MIN_INSTALLMENT_CENTS: integerSetting(500, 1, 100_000),
  /** How long the orders service may take to charge a card. */
  ORDERS_TIMEOUT_MS: integerSetting(30_000, 100, 60_000),
  /** How often the sweeper looks for payments to ask about. */
  RESOLVE_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after its start a payment without an outcome is first asked about; the wait then doubles each time. */
  RESOLVE_FIRST_MS: integerSetting(2_000, 10, 60_000),
  RESOLVE_MAX_MS: integerSetting(60_000, 10, 3_600_000),
  /**
   * How long after its dispatch deadline a call may still reach the orders service. Until then, an operation that
   * orders does not know may still happen. Measured by the database's clock.
   */
  ABSENCE_GRACE_MS: integerSetting(30_000, 0, 3_600_000),
  /** How often the sweepers look for cycles to bill. */
  BILLING_EVERY_MS: integerSetting(1_000, 10, 60_000),
  /** With `movable`, anyone who may write invoices can move the service's clock. Only for a sandbox. */
  BILLING_CLOCK: z.enum(['real', 'movable']).default('real'),
  /** How many days after the due date a card that was declined is tried again: `1,3,5,7`. Empty: never. */
  DUNNING_DAYS: daysSetting('1,3,5,7', { from: 1, to: 30 }),
  /** The brands whose stored cards are charged automatically after they expired, without a network token too. */
  EXPIRED_CARD_BRANDS: brandsSetting,
  /** The days on which customers are reminded, from the due date, negative before it: `-3,0,1,7`. Empty: never. */
  REMINDER_DAYS: daysSetting('-3,0,1,7', { from: -60, to: 365 }),
  /** How often the sweeper looks for invoices that became past due. */
  PAST_DUE_EVERY_MS: integerSetting(1_000, 10, 60_000),
  /** The URL before /api/v2; the payment pages are below it. */
  BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  /** The mail server, smtp://user:password@host:port or smtps://…; absent: no e-mail is sent. */
  SMTP_URL: mailServerSetting.optional(),
  /** PEM of an authority to trust besides the usual ones: for a mail server with the deployment's own certificate. */
  SMTP_CA_FILE: fileSetting.optional(),
  /** The sender: an address, or a name and <address>. Required with SMTP_URL. */
  MAIL_FROM: mailAddressSetting.optional(),
  /** How often the sweeper looks for e-mails to send. */
  EMAIL_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after its first failure an e-mail is tried again; the wait then doubles each time, up to an hour. */
  EMAIL_RETRY_FIRST_MS: integerSetting(30_000, 10, 3_600_000),
  ...boletoSettings,
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = readSettings(invoiceSettings, env)
  if (config.smtpUrl && !config.mailFrom) throw new Error('settings:\n  MAIL_FROM is missing')
  return config
}
