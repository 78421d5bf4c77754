import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import { historySettings } from '@cofre/platform/history/history-settings'
import { outboundSetting } from '@cofre/platform/outbound/outbound-guard'
import {
  fileSetting,
  integerSetting,
  keyFileSetting,
  readSettings,
  serviceSettings,
} from '@cofre/platform/service/settings'
import { z } from 'zod'

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(
    {
      ...serviceSettings,
      ...eventLogSettings,
      ...historySettings,
      /** The URL before /api/v2, without a slash at the end: resource URLs in notifications begin with it. */
      BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
      /** 32 bytes in base64: seals the signing secrets at rest. */
      SECRET_KEY_FILE: keyFileSetting,
      /** CIDRs, addresses and names that may be called beside the public internet; none by default. */
      OUTBOUND_ALLOWED: outboundSetting,
      /** PEM of an authority to trust beside the usual ones: receivers with a certificate of the deployment's own. */
      NOTIFICATION_CA_FILE: fileSetting.optional(),
      /** Seconds between attempts, each ± 20 %; after the last one the delivery is FAILED. */
      RETRY_SCHEDULE_SECONDS: z
        .string()
        .regex(/^\d{1,7}(,\d{1,7}){0,19}$/, 'must list whole seconds')
        .default('5,300,1800,7200,18000,36000,50400,72000,86400')
        .transform((text) => text.split(',').map(Number)),
      /** Attempts that run at once in a process; each may hold a connection for 15 s. */
      DELIVERY_CONCURRENCY: integerSetting(256, 1, 4_000),
    },
    env,
  )
}
