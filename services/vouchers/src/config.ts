import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import {
  addressSetting,
  integerSetting,
  optionalNamedKeysFileSetting,
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
  /** Lines id:key of 32 bytes in base64, for the state that travels through a holder's browser. The first seals. */
  STATE_KEYS_FILE: optionalNamedKeysFileSetting('state key'),
  /** Our own address, as the identity provider knows it; the redirect URI is below it. */
  BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  /** How long a call to an issuer may take. */
  ISSUER_TIMEOUT_MS: integerSetting(8_000, 100, 60_000),
  /** How often the sweeper looks for payments to ask about. */
  RESOLVE_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after a call without an answer the issuer is first asked; the wait then doubles each time. */
  RESOLVE_FIRST_MS: integerSetting(2_000, 10, 60_000),
  RESOLVE_MAX_MS: integerSetting(60_000, 10, 3_600_000),
  /**
   * How long after the last moment for a call to leave the issuer may still learn of it. Until then its silence proves
   * nothing. Measured by the database's clock.
   */
  ABSENCE_GRACE_MS: integerSetting(120_000, 0, 3_600_000),
  /** How long an operation may be pending before it is reported to people. */
  PENDING_TOO_LONG_MINUTES: integerSetting(60, 1, 10_080),
  /** How many declined payments of one seller and BIN within a minute stop further ones: card testing. */
  DECLINES_PER_MINUTE: integerSetting(10, 1, 10_000),
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(voucherSettings, env)
}
