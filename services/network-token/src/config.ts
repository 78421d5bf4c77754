import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import {
  addressSetting,
  fileSetting,
  integerSetting,
  readSettings,
  serviceSettings,
} from '@cofre/platform/service/settings'
import { z } from 'zod'

const networkTokenSettings = {
  ...serviceSettings,
  ...eventLogSettings,
  /** Every call to the token service goes through the vault. */
  VAULT_ADDRESS: addressSetting,
  /** Where the token service may tell of changes: the gateway's /partners/token-service/events. Absent: it is asked. */
  CALLBACK_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** `whsec_` and base64: what the token service signs its pushes with. Absent: none is taken. */
  TOKEN_SERVICE_SECRET_FILE: fileSetting
    .transform((text) => text.trim())
    .pipe(z.string().regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'the file must hold whsec_ and base64'))
    .optional(),
  /** How long a call to the token service may take. */
  TOKEN_SERVICE_TIMEOUT_MS: integerSetting(8_000, 100, 60_000),
  /** Tokens that are looked at at once in a process. */
  SETTLE_CONCURRENCY: integerSetting(32, 1, 1_000),
  /** How often the sweeper looks for tokens to ask about. */
  SETTLE_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after a request the token service is first asked; then twice as long each time. */
  SETTLE_FIRST_MS: integerSetting(1_000, 10, 60_000),
  SETTLE_MAX_MS: integerSetting(30_000, 10, 3_600_000),
  /** How long after a request could last have left its absence proves nothing. Replicas' clocks must agree to less. */
  ABSENCE_GRACE_MS: integerSetting(10_000, 0, 3_600_000),
  /** After so long PENDING becomes FAILED with TIMEOUT. */
  PENDING_MAX_MS: integerSetting(900_000, 100, 86_400_000),
  /** Requests that the issuer declined within a minute, of one seller and BIN, that stop further ones: card testing. */
  DECLINES_PER_MINUTE: integerSetting(10, 1, 10_000),
  /** How often a token that is there is asked about, should a push have been lost. */
  WATCH_EVERY_MS: integerSetting(21_600_000, 100, 604_800_000),
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(networkTokenSettings, env)
}
