import { readFileSync } from 'node:fs'
import { z } from 'zod'

const DAYS_MAX = 365
const SPACING_MAX_MS = 600_000
const DELAY_MAX_MS = 600_000
const SECRET_MIN_BYTES = 24
const SECRET_MAX_BYTES = 64

const port = z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65_535)).default(0)

const pemFile = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    context.addIssue('cannot be read')
    return z.NEVER
  }
})

/** A secret in the format of Standard Webhooks. */
const webhookSecret = z.string().refine((text) => {
  const length = Buffer.from(text.slice('whsec_'.length), 'base64').length
  return /^whsec_[A-Za-z0-9+/]+=*$/.test(text) && length >= SECRET_MIN_BYTES && length <= SECRET_MAX_BYTES
}, 'must be whsec_ and the base64 of 24 to 64 bytes')

const jsonOr = (usual: string) =>
  z
    .string()
    .default(usual)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue('is not JSON')
        return z.NEVER
      }
    })

const identityClients = jsonOr('[]').pipe(
  z.array(
    z.strictObject({
      clientId: z.string().regex(/^[\w.-]{1,100}$/),
      clientSecret: z.string().regex(/^[\x21-\x7e]{16,200}$/),
      redirectUris: z.array(z.url({ protocol: /^https?$/ })).min(1),
      /** The name that people see; without it, they see the id. */
      name: z.string().min(1).max(100).optional(),
    }),
  ),
)

export type IdentityClient = z.output<typeof identityClients>[number]

const urlPath = z.string().regex(/^(\/[\w.-]+)+$/, 'must be a path')
/** The provider's own paths. `revocation` null: it has none, as Dex. */
const identityPaths = jsonOr('{}').pipe(
  z.strictObject({
    authorization: urlPath.default('/connect/authorize'),
    token: urlPath.default('/connect/token'),
    jwks: urlPath.default('/connect/jwks'),
    revocation: urlPath.nullable().default('/connect/revocation'),
  }),
)

export type IdentityPaths = z.output<typeof identityPaths>
export const USUAL_PATHS: IdentityPaths = identityPaths.parse(undefined)

const settings = z.object({
  SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
  SANDBOX_PORT: port,
  SANDBOX_INBOX_PORT: port,
  SANDBOX_ACQUIRER_PORT: port,
  SANDBOX_ACQUIRER_QUERY_PORT: port,
  SANDBOX_TOKEN_SERVICE_PORT: port,
  SANDBOX_VOUCHER_ISSUER_PORT: port,
  SANDBOX_MAIL_PORT: port,
  SANDBOX_BANK_PORT: port,
  SANDBOX_PIX_BANK_PORT: port,
  SANDBOX_THREE_D_SECURE_PORT: port,
  SANDBOX_CHARGEBACKS_PORT: port,
  SANDBOX_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  TLS_CERT_FILE: pemFile,
  TLS_KEY_FILE: pemFile,
  SANDBOX_CLIENT_CA_FILE: pemFile.optional(),
  DATA_DIR: z.string().min(1),
  // A fraction of a day is allowed, so that tests need not wait a week for the end of the window.
  CAPTURE_WINDOW_DAYS: z.coerce.number().positive().max(DAYS_MAX).default(7),
  VOID_SPACING_MS: z.coerce.number().int().min(0).max(SPACING_MAX_MS).default(0),
  TOKEN_SERVICE_DELAY_MS: z.coerce.number().int().min(0).max(DELAY_MAX_MS).default(1_000),
  TOKEN_SERVICE_WEBHOOK_SECRET: webhookSecret.optional(),
  BANK_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  BANK_WEBHOOK_SECRET: webhookSecret.optional(),
  DISPUTE_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  BILLING_CLOCK_URL: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_IDENTITY_CLIENTS: identityClients,
  SANDBOX_IDENTITY_PATHS: identityPaths,
  SANDBOX_ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
})

export type SandboxConfig = {
  host: string
  /** Port 0 means any free port. */
  ports: {
    page: number
    inbox: number
    acquirer: number
    acquirerQuery: number
    tokenService: number
    voucherIssuer: number
    mail: number
    bank: number
    pixBank: number
    threeDSecure: number
    chargebacks: number
  }
  publicUrl?: string | undefined
  /** PEM texts, not paths. */
  tls: { cert: string; key: string }
  /** PEM: signs the certificates of clients that show one. Without it, any certificate counts. */
  clientAuthority?: string | undefined
  /** Where the acquirer posts chargebacks; without it, nowhere. */
  disputeWebhookUrl?: string | undefined
  dataDir: string
  captureWindowDays: number
  voidSpacingMs: number
  /** Without a secret, nothing is pushed. */
  tokenService: { delayMs: number; webhookSecret?: string | undefined }
  /** Without a URL or a secret, no payment is reported. `billingClockUrl`: where a test's clock answers `{now}`. */
  bank: {
    webhookUrl?: string | undefined
    webhookSecret?: string | undefined
    billingClockUrl?: string | undefined
  }
  identity: { clients: readonly IdentityClient[]; accessTokenSeconds: number; paths: IdentityPaths }
}

/** Throws an error that names every bad setting and shows no value. */
export function readConfig(env: NodeJS.ProcessEnv): SandboxConfig {
  const { success, data, error } = settings.safeParse(env)
  if (!success) {
    const bad = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
    throw new Error(`Bad settings:\n${bad.join('\n')}`)
  }
  return {
    host: data.SANDBOX_HOST,
    ports: {
      page: data.SANDBOX_PORT,
      inbox: data.SANDBOX_INBOX_PORT,
      acquirer: data.SANDBOX_ACQUIRER_PORT,
      acquirerQuery: data.SANDBOX_ACQUIRER_QUERY_PORT,
      tokenService: data.SANDBOX_TOKEN_SERVICE_PORT,
      voucherIssuer: data.SANDBOX_VOUCHER_ISSUER_PORT,
      mail: data.SANDBOX_MAIL_PORT,
      bank: data.SANDBOX_BANK_PORT,
      pixBank: data.SANDBOX_PIX_BANK_PORT,
      threeDSecure: data.SANDBOX_THREE_D_SECURE_PORT,
      chargebacks: data.SANDBOX_CHARGEBACKS_PORT,
    },
    publicUrl: data.SANDBOX_PUBLIC_URL?.replace(/\/$/, ''),
    tls: { cert: data.TLS_CERT_FILE, key: data.TLS_KEY_FILE },
    clientAuthority: data.SANDBOX_CLIENT_CA_FILE,
    disputeWebhookUrl: data.DISPUTE_WEBHOOK_URL,
    dataDir: data.DATA_DIR,
    captureWindowDays: data.CAPTURE_WINDOW_DAYS,
    voidSpacingMs: data.VOID_SPACING_MS,
    tokenService: { delayMs: data.TOKEN_SERVICE_DELAY_MS, webhookSecret: data.TOKEN_SERVICE_WEBHOOK_SECRET },
    bank: {
      webhookUrl: data.BANK_WEBHOOK_URL,
      webhookSecret: data.BANK_WEBHOOK_SECRET,
      billingClockUrl: data.BILLING_CLOCK_URL,
    },
    identity: {
      clients: data.SANDBOX_IDENTITY_CLIENTS,
      accessTokenSeconds: data.SANDBOX_ACCESS_TOKEN_SECONDS,
      paths: data.SANDBOX_IDENTITY_PATHS,
    },
  }
}
