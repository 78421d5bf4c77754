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
  /** Where the token service sends its events: the gateway's /partners/token-service/events. Absent: we only ask. */
  CALLBACK_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** `whsec_` and base64: the secret that signs the token service's pushes. Without it, every push is refused. */
  TOKEN_SERVICE_SECRET_FILE: fileSetting
    .transform((text) => text.trim())
    .pipe(z.string().regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'the file must hold whsec_ and base64'))
    .optional(),
  /** How long a call to the token service may take. */
  TOKEN_SERVICE_TIMEOUT_MS: integerSetting(8_000, 100, 60_000),
  /** How many tokens a process works on at once. */
  RESOLVE_CONCURRENCY: integerSetting(32, 1, 1_000),
  /** How often the sweeper looks for tokens to ask about. */
  RESOLVE_EVERY_MS: integerSetting(250, 10, 60_000),
  /** How long after a request the token service is first asked. Each further wait doubles, up to RESOLVE_MAX_MS. */
  RESOLVE_FIRST_MS: integerSetting(1_000, 10, 60_000),
  RESOLVE_MAX_MS: integerSetting(30_000, 10, 3_600_000),
  /** How long past a request's deadline "not found" proves nothing. By the database's clock. */
  ABSENCE_GRACE_MS: integerSetting(10_000, 0, 3_600_000),
  /** How long a token may stay PENDING before it becomes FAILED with TIMEOUT. */
  PENDING_MAX_MS: integerSetting(900_000, 100, 86_400_000),
  /** Declines by the issuer within a minute, for one seller and BIN, that stop further requests: card testing. */
  DECLINES_PER_MINUTE: integerSetting(10, 1, 10_000),
  /** How often the service asks about an active token, in case a push was lost. */
  WATCH_EVERY_MS: integerSetting(21_600_000, 100, 604_800_000),
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(networkTokenSettings, env)
}
