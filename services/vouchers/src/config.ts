import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import {
  addressSetting,
  integerSetting,
  namedKeysFileSetting,
  readSettings,
  serviceSettings,
} from '@cofre/platform/service/settings'
import { z } from 'zod'
import { brandsSetting } from './brands/brands-setting'

const voucherSettings = {
  ...serviceSettings,
  ...eventLogSettings,
  /** Every call to an issuer goes through the vault. */
  VAULT_ADDRESS: addressSetting,
  /** The brands, a JSON object: brand → flow, dialect, partner, card types, prefixes and lengths of its numbers. */
  VOUCHER_BRANDS: brandsSetting,
  /** Lines id:key of 32 bytes in base64: seal the state that travels through a holder's browser. The first seals. */
  STATE_KEYS_FILE: namedKeysFileSetting('state key'),
  /** Our own address, as the identity provider knows it: its redirect URI is below it. */
  BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  /** How long a call to an issuer may take. */
  ISSUER_TIMEOUT_MS: integerSetting(8_000, 100, 60_000),
  /** How often the sweeper looks for payments to ask about. */
  SETTLE_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after a call without an answer the issuer is first asked; then twice as long each time. */
  SETTLE_FIRST_MS: integerSetting(2_000, 10, 60_000),
  SETTLE_MAX_MS: integerSetting(60_000, 10, 3_600_000),
  /**
   * How long after a call could last have left the issuer may still come to know of it: until then its silence
   * proves nothing. The clocks of the replicas must agree to less than this.
   */
  ABSENCE_GRACE_MS: integerSetting(120_000, 0, 3_600_000),
  /** How long an operation may be pending before people hear of it. */
  PENDING_TOO_LONG_MINUTES: integerSetting(60, 1, 10_080),
  /** Declined payments within a minute, of one seller and BIN, that stop further ones: card testing. */
  DECLINES_PER_MINUTE: integerSetting(10, 1, 10_000),
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(voucherSettings, env)
}
