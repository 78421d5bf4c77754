import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import { addressSettings } from '@cofre/platform/service/addresses'
import { fileSetting, integerSetting, readSettings, serviceSettings } from '@cofre/platform/service/settings'
import { z } from 'zod'
import { boletoSettings } from './bank/boleto-settings'
import { daysSetting } from './dunning/days-setting'
import { cardFeesSetting } from './payments/card-fees-setting'
import { mailAddressSetting, mailServerSetting } from './mailer/mail-settings'

const invoiceSettings = {
  ...serviceSettings,
  ...eventLogSettings,
  /** Cards are charged through the orders service, and kept by the vault, which also calls the bank. */
  ...addressSettings('invoices'),
  /** What a payer pays beside the price where an invoice passes the card's fee on. */
  CARD_FEES: cardFeesSetting,
  /** How long the orders service may take to have a card charged. */
  ORDERS_TIMEOUT_MS: integerSetting(30_000, 100, 60_000),
  /** How often the sweeper looks for payments to ask about. */
  SETTLE_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after it began a payment without an outcome is first asked about; then twice as long each time. */
  SETTLE_FIRST_MS: integerSetting(2_000, 10, 60_000),
  SETTLE_MAX_MS: integerSetting(60_000, 10, 3_600_000),
  /**
   * How long after a call could last have left the orders service may still come to know of it: until then its silence
   * proves nothing. The clocks of the replicas must agree to less than this.
   */
  ABSENCE_GRACE_MS: integerSetting(30_000, 0, 3_600_000),
  /** How often the sweepers look for cycles to bill. */
  BILLING_EVERY_MS: integerSetting(1_000, 10, 60_000),
  /** movable: whoever may write invoices moves what the service calls now. For a sandbox alone. */
  BILLING_CLOCK: z.enum(['real', 'movable']).default('real'),
  /** How many days after the due date a card that was declined is tried again: `1,3,5,7`. Empty: never. */
  DUNNING_DAYS: daysSetting('1,3,5,7', { from: 1, to: 30 }),
  /** How many days from the due date a customer is reminded, before it with a minus: `-3,0,1,7`. Empty: never. */
  REMINDER_DAYS: daysSetting('-3,0,1,7', { from: -60, to: 365 }),
  /** How often the sweeper looks for invoices that became past due. */
  PAST_DUE_EVERY_MS: integerSetting(1_000, 10, 60_000),
  /** What integrators write before /api/v2: the pages on which invoices are paid are below it. */
  BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  /** The mail server, smtp://user:password@host:port or smtps://…; absent: no e-mail is sent. */
  SMTP_URL: mailServerSetting.optional(),
  /** PEM of an authority to trust beside the usual ones: a mail server with a certificate of the deployment's own. */
  SMTP_CA_FILE: fileSetting.optional(),
  /** Who writes, an address or a name and <address>; required with SMTP_URL. */
  MAIL_FROM: mailAddressSetting.optional(),
  /** How often the sweeper looks for e-mails to send. */
  EMAIL_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after a sending that failed it is tried again; then twice as long each time, up to an hour. */
  EMAIL_RETRY_FIRST_MS: integerSetting(30_000, 10, 3_600_000),
  ...boletoSettings,
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = readSettings(invoiceSettings, env)
  if (config.smtpUrl && !config.mailFrom) throw new Error('settings:\n  MAIL_FROM is missing')
  return config
}
