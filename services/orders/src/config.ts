import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import {
  addressSetting,
  integerSetting,
  readSettings,
  serviceSettings,
} from '@cofre/platform/service/settings'

const ordersSettings = {
  ...serviceSettings,
  ...eventLogSettings,
  /** Every call to the acquirer goes through the vault. */
  VAULT_ADDRESS: addressSetting,
  /** The service that keeps network tokens; without it, no network token can be charged. */
  NETWORK_TOKEN_ADDRESS: addressSetting.optional(),
  /** How long a call to Cielo, or to a bank for Pix, may take. Cielo answers within a few seconds; issuers may take 8. */
  ACQUIRER_TIMEOUT_MS: integerSetting(8_000, 100, 60_000),
  /** How often the sweeper looks for charges to ask about. */
  RESOLVE_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after a call without an answer the acquirer is first asked; the wait then doubles each time. */
  RESOLVE_FIRST_MS: integerSetting(2_000, 10, 60_000),
  RESOLVE_MAX_MS: integerSetting(60_000, 10, 3_600_000),
  /**
   * How long after a call's last moment to leave Cielo may still learn of it. Until then its silence proves
   * nothing. Measured by the database's clock.
   */
  ABSENCE_GRACE_MS: integerSetting(120_000, 0, 3_600_000),
  /**
   * How long a decline may still become an approval when its code (98, BP900, BP901) means that Cielo itself does
   * not know the outcome: wait 30 minutes and ask.
   */
  UNSURE_DECLINE_MS: integerSetting(1_800_000, 0, 86_400_000),
  /** How long an operation may be pending before people see it in the metric and in `cofrectl`. */
  PENDING_TOO_LONG_MINUTES: integerSetting(60, 1, 10_080),
  /**
   * The most charges a minute that all replicas together compare with the acquirer's book: one query for each payment.
   * The pace follows what is due; this is what the acquirer bears.
   */
  COMPARED_PER_MINUTE: integerSetting(3_000, 1, 60_000),
  /** How often the acquirer is asked for the disputes of an account: brands refresh them once a day. */
  DISPUTES_EVERY_MS: integerSetting(21_600_000, 1_000, 86_400_000),
  /** How long Cielo lets an authorization wait for its capture: 7 days since 2024-10. */
  CAPTURE_WINDOW_DAYS: integerSetting(7, 1, 30),
  /** How many declines of guessed card data, of one seller and BIN within a minute, stop further payments. */
  GUESSES_PER_MINUTE: integerSetting(10, 1, 10_000),
  /** Of the latest declines of that seller and BIN, which share must be guesses. */
  GUESSED_SHARE_PERCENT: integerSetting(50, 1, 100),
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(ordersSettings, env)
}
