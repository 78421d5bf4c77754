import { existsSync } from 'node:fs'
import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import {
  addressSetting,
  integerSetting,
  keyFileSetting,
  readSettings,
  serviceSettings,
} from '@cofre/platform/service/settings'
import { z } from 'zod'

const ordersSettings = {
  ...serviceSettings,
  ...eventLogSettings,
  /** Every call to the acquirer goes through the vault. */
  VAULT_ADDRESS: addressSetting,
  /** The service that keeps network tokens; without it, no network token can be charged. */
  NETWORK_TOKEN_ADDRESS: addressSetting.optional(),
  /** How long a call to the acquirer may take. Cielo answers within a few seconds; issuers may take 8. */
  ACQUIRER_TIMEOUT_MS: integerSetting(8_000, 100, 60_000),
  /** Decrypts merchant keys that an older version left in this database. A missing file is no key. */
  ESTABLISHMENT_KEY_FILE: z
    .string()
    .transform((path) => (existsSync(path) ? path : undefined))
    .pipe(keyFileSetting.optional())
    .optional(),
  /** How often the sweeper looks for charges to ask about. */
  SETTLE_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after a call without an answer the acquirer is first asked; the wait then doubles each time. */
  SETTLE_FIRST_MS: integerSetting(2_000, 10, 60_000),
  SETTLE_MAX_MS: integerSetting(60_000, 10, 3_600_000),
  /**
   * How long after a call's last moment to leave the acquirer may still learn of it. Until then its silence proves
   * nothing. The clocks of the replicas must differ by less than this.
   */
  ABSENCE_GRACE_MS: integerSetting(120_000, 0, 3_600_000),
  /**
   * How long a decline may still become an approval when its code (98, BP900, BP901) means that the acquirer itself
   * does not know the outcome. Cielo: wait 30 minutes and ask.
   */
  UNSURE_DECLINE_MS: integerSetting(1_800_000, 0, 86_400_000),
  /** How long an operation may be pending before people see it in the metric and in `cofrectl`. */
  PENDING_TOO_LONG_MINUTES: integerSetting(60, 1, 10_080),
  /** How many charges a minute all replicas together compare with the acquirer's book: one query for each payment. */
  COMPARED_PER_MINUTE: integerSetting(300, 1, 60_000),
  /** How long the acquirer lets an authorization wait for its capture. Cielo: 7 days since 2024-10. */
  CAPTURE_WINDOW_DAYS: integerSetting(7, 1, 30),
  /** How many declines of one seller and BIN within a minute stop further payments, as card testing. */
  DECLINES_PER_MINUTE: integerSetting(10, 1, 10_000),
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(ordersSettings, env)
}
