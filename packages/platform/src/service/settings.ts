import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Settings are read once, at boot, and boot fails naming every one that is missing or bad. Values are never shown. */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: NodeJS.ProcessEnv = process.env,
): z.output<z.ZodObject<Shape>> {
  const result = z.object(shape).safeParse(env)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => {
    const [name = ''] = issue.path.map(String)
    if (env[name] === undefined) return `${name} is missing`
    const within = issue.path.length > 1 ? ` at ${issue.path.slice(1).map(String).join('.')}` : ''
    return `${name} is bad${within}: ${issue.message}`
  })
  throw new Error(`settings:\n  ${faults.join('\n  ')}`)
}

/** A whole number in text, with a default. */
export function integerSetting(fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) {
  return z.coerce.number().int().min(min).max(max).default(fallback)
}

/** The path of a file that holds the setting; the setting is what the file says. */
export const fileSetting = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    context.addIssue({ code: 'custom', message: 'the file cannot be read' })
    return z.NEVER
  }
})

/** What a service tells of itself, and to whom. */
export const telemetrySettings = {
  /** Serves metrics as Prometheus reads them, `/metrics` on this port; absent: none are kept. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().default('0.0.0.0'),
  /** Where spans go: an OTLP collector, http(s), without `/v1/traces`; absent: none are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Share of the requests that are traced, 0 to 1. We draw it ourselves: a caller can't make us trace more. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.1),
} as const

export type TelemetrySettings = z.output<z.ZodObject<typeof telemetrySettings>>

/** What every service has: where it listens, its certificate, its database. */
export const serviceSettings = {
  GRPC_HOST: z.string().default('0.0.0.0'),
  GRPC_PORT: integerSetting(50051, 0, 65_535),
  /**
   * How long a caller may keep a connection, give or take a tenth; calls that run finish. Then it looks up our addresses
   * again: a replica that was added gets its share.
   */
  GRPC_MAX_CONNECTION_AGE_MS: integerSetting(300_000, 100),
  /** PEM files: the authority that signs every service's certificate, and this service's own pair. */
  TLS_CA_FILE: fileSetting,
  TLS_CERT_FILE: fileSetting,
  TLS_KEY_FILE: fileSetting,
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL: integerSetting(10, 2, 200),
  ...telemetrySettings,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
} as const

const ONE_ADDRESS = /^[^\s:,]+:\d{1,5}$/
const SEVERAL_ADDRESSES = /^\d+(\.\d+){3}:\d{1,5}(,\d+(\.\d+){3}:\d{1,5})+$/

/**
 * Where another service is: `host:port`, all addresses of the host being its replicas (in Kubernetes, a headless
 * Service); or its replicas one by one, `10.0.0.1:50051,10.0.0.2:50051`. As gRPC calls it, a target.
 */
export const addressSetting = z.string().transform((text, context) => {
  if (ONE_ADDRESS.test(text)) return text
  if (SEVERAL_ADDRESSES.test(text)) return `ipv4:${text}`
  context.addIssue({ code: 'custom', message: 'must be host:port, or several address:port with commas' })
  return z.NEVER
})
