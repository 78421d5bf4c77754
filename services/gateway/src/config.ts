import { historySettings } from '@cofre/platform/history/history-settings'
import { addressSettings } from '@cofre/platform/service/addresses'
import { outboundSetting } from '@cofre/platform/outbound/outbound-guard'
import {
  fileSetting,
  integerSetting,
  keyFileSetting,
  namedKeysFileSetting,
  readSettings,
  serviceSettings,
} from '@cofre/platform/service/settings'
import { z } from 'zod'

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(
    {
      ...serviceSettings,
      ...historySettings,
      HTTP_HOST: z.string().default('0.0.0.0'),
      HTTP_PORT: integerSetting(8080, 0, 65_535),
      /** What this process serves: the API, the pages that people open, or both. */
      SERVE: z.enum(['all', 'api', 'pages']).default('all'),
      /** The URL that integrators write before /api/v2, without a slash at the end; also the issuer of the tokens. */
      BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
      /** Where people open the sandbox, without a slash at the end: pages then link to where its payers pay. */
      SANDBOX_URL: z
        .url({ protocol: /^https?$/ })
        .transform((url) => url.replace(/\/+$/, ''))
        .optional(),
      ...addressSettings('gateway'),
      /** 32 bytes in base64: seals the private signing key at rest. */
      TOKEN_KEY_FILE: keyFileSetting,
      /**
       * Keys of the fingerprints of bodies, lines `id:base64-of-32-bytes`. The first makes fingerprints; all are used
       * to compare.
       */
      FINGERPRINT_KEYS_FILE: namedKeysFileSetting('fingerprint key'),
      /** The secret in the path by which the acquirer calls about disputes. Without it, Cofre only asks. */
      ACQUIRER_WEBHOOK_SECRET_FILE: fileSetting
        .transform((text) => text.trim())
        .pipe(
          z
            .string()
            .regex(/^[A-Za-z0-9_-]{32,128}$/, 'the file must hold 32 to 128 letters, digits, - and _'),
        )
        .optional(),
      /** Requests a second that a token may keep up. */
      RATE_LIMIT_PER_SECOND: integerSetting(100, 1, 1_000_000),
      /** Requests that a token may make at once after a rest. */
      RATE_LIMIT_BURST: integerSetting(200, 1, 1_000_000),
      /** Requests without a good token from one address: how many a second, and how many at once after a rest. */
      ANONYMOUS_PER_SECOND: integerSetting(20, 1, 1_000_000),
      ANONYMOUS_BURST: integerSetting(200, 1, 1_000_000),
      /** Cards that may be declined at the checkout in an hour, for one invoice and from one address. */
      CHECKOUT_TRIES_OF_INVOICE: integerSetting(5, 1, 1_000_000),
      CHECKOUT_TRIES_OF_ADDRESS: integerSetting(20, 1, 1_000_000),
      /** The language of e-mails to portal users. */
      USER_LANGUAGE: z.enum(['pt-BR', 'en']).default('pt-BR'),
      /** The number of proxies before the service. They write the client's address into X-Forwarded-For. */
      TRUSTED_PROXIES: integerSetting(0, 0, 10),
      /** Targets of notifications beyond the public internet: CIDRs, addresses and host names. */
      OUTBOUND_ALLOWED: outboundSetting,
      /** How long a request may take, milliseconds. */
      HTTP_TIMEOUT_MS: integerSetting(30_000, 1_000, 120_000),
      /**
       * How long a stopping server still takes requests on open connections, in milliseconds. It closes each connection
       * with its next answer. An order taken at the end has the rest of the server's 25 s to be answered.
       */
      HTTP_DRAIN_MS: integerSetting(5_000, 0, 10_000),
      /**
       * Requests of the API that run at once; more get 503 with Retry-After. Requests that wait for an acquirer may
       * take half. One seller, with all its tokens, leaves a tenth to the others; beyond that it gets 429.
       */
      HTTP_MAX_IN_FLIGHT: integerSetting(500, 2, 100_000),
      /** Requests that one token may have at once, including those whose bodies still arrive; more get 429. */
      HTTP_MAX_IN_FLIGHT_PER_TOKEN: integerSetting(200, 1, 100_000),
      /** Requests without a token that one address may have at once; more get 429. */
      HTTP_MAX_IN_FLIGHT_PER_ADDRESS: integerSetting(50, 1, 100_000),
      /** Connections at once; more are cut. Without a proxy before the service, one address may have half of them. */
      HTTP_MAX_CONNECTIONS: integerSetting(10_000, 2, 1_000_000),
      /** How long a request may wait to be read, in milliseconds. A later request gets 503 at once. */
      HTTP_MAX_LAG_MS: integerSetting(1_000, 50, 60_000),
    },
    env,
  )
}
