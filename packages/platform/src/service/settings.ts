import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { readNamedKeys, type NamedKeys } from '../named-keys'
import { readKey } from '../secret-box'

/** `GRPC_PORT` is `grpcPort` in code; `SECRET_KEY_FILE` is `secretKey`, the content of the file. */
type NameInCode<Name> = Name extends `${infer Content}_FILE` ? CamelCase<Content> : CamelCase<Name>
type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name & string>

type Output<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

/** The settings that a service reads from `Shape`, by their names in code. */
export type Settings<Shape extends z.ZodRawShape> = {
  [Name in keyof Output<Shape> as NameInCode<Name>]: Output<Shape>[Name]
}

/** Settings by an earlier name. A service that has the present name, and finds the earlier one set, does not boot. */
const RENAMED: Readonly<Record<string, string>> = {
  SETTLE_CONCURRENCY: 'RESOLVE_CONCURRENCY',
  SETTLE_EVERY_MS: 'RESOLVE_EVERY_MS',
  SETTLE_FIRST_MS: 'RESOLVE_FIRST_MS',
  SETTLE_MAX_MS: 'RESOLVE_MAX_MS',
}

/**
 * Reads the environment once, at boot. Boot fails and names every setting that is missing, bad or renamed; it shows no
 * value. Names of environment variables end here.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: NodeJS.ProcessEnv = process.env,
): Settings<Shape> {
  const result = z.object(shape).safeParse(env)
  const renamed = Object.entries(RENAMED)
    .filter(([earlier, present]) => env[earlier] !== undefined && present in shape)
    .map(([earlier, present]) => `${earlier} is now called ${present}`)
  if (result.success && renamed.length === 0) {
    const given = Object.entries(result.data).filter(([, value]) => value !== undefined)
    return Object.fromEntries(given.map(([name, value]) => [nameInCode(name), value])) as Settings<Shape>
  }
  const faults = (result.error?.issues ?? []).map((issue) => {
    const [name = ''] = issue.path.map(String)
    if (env[name] === undefined) return `${name} is missing`
    const within = issue.path.length > 1 ? ` at ${issue.path.slice(1).map(String).join('.')}` : ''
    return `${name} is invalid${within}: ${issue.message}`
  })
  throw new Error(`settings:\n  ${[...faults, ...renamed].join('\n  ')}`)
}

/** `GRPC_PORT` is `grpcPort` in code, `SECRET_KEY_FILE` is `secretKey`. */
export function nameInCode(name: string): string {
  const [first = '', ...rest] = name
    .replace(/_FILE$/, '')
    .toLowerCase()
    .split('_')
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** A whole number in text, with a default. */
export function integerSetting(fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) {
  return z.coerce.number().int().min(min).max(max).default(fallback)
}

/** The path of a file that holds the setting; code gets the content of the file. */
export const fileSetting = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    context.addIssue({ code: 'custom', message: 'the file cannot be read' })
    return z.NEVER
  }
})

/** The path of a file that holds a 256-bit key: 32 bytes in base64. */
export const keyFileSetting = fileSetting.transform((text, context) => {
  try {
    return readKey(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'the file must hold 32 bytes in base64' })
    return z.NEVER
  }
})

/** The path of a file of keys, lines `id:base64-of-32-bytes`, the first current. */
export function namedKeysFileSetting(what: string) {
  return fileSetting.transform((text, context): NamedKeys => {
    try {
      return readNamedKeys(text, what)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is invalid' })
      return z.NEVER
    }
  })
}

/** The same, but undefined when the file is missing. */
export function optionalNamedKeysFileSetting(what: string) {
  return z
    .string()
    .transform((path) => (existsSync(path) ? path : undefined))
    .pipe(namedKeysFileSetting(what).optional())
    .optional()
}

/** The metrics and traces of a service, and where they go. */
export const telemetrySettings = {
  /** The port that serves metrics to Prometheus at `/metrics`; absent: none are kept. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().default('0.0.0.0'),
  /** The OTLP collector of the spans, http(s), without `/v1/traces`; absent: no spans are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Share of the requests that are traced, 0 to 1. We draw it ourselves: a caller can't make us trace more. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.1),
} as const

export type TelemetrySettings = Settings<typeof telemetrySettings>

/** Settings that every service has: its own address, its certificate, its database. */
export const serviceSettings = {
  GRPC_HOST: z.string().default('0.0.0.0'),
  GRPC_PORT: integerSetting(50051, 0, 65_535),
  /**
   * How long a caller may keep a connection, give or take a tenth; running calls finish. Then it looks up our addresses
   * again, so that an added replica gets its share.
   */
  GRPC_MAX_CONNECTION_AGE_MS: integerSetting(300_000, 100),
  /** PEM files: the authority that signs every service's certificate, and this service's own pair. */
  TLS_CA_FILE: fileSetting,
  TLS_CERT_FILE: fileSetting,
  TLS_KEY_FILE: fileSetting,
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** Connections to the database that this process may hold. */
  DATABASE_POOL: integerSetting(10, 2, 200),
  /**
   * PostgreSQL ends a statement after this time, milliseconds. A request waits three fifths of it for a connection, and
   * twice this time for an answer; then it is answered 503.
   */
  DATABASE_TIMEOUT_MS: integerSetting(5_000, 100, 300_000),
  /**
   * How long a call to another service may take where nothing else limits it, milliseconds. Then the answer is 503, or
   * 504 where the call may have had an effect.
   */
  RPC_TIMEOUT_MS: integerSetting(10_000, 100, 300_000),
  /**
   * How many seconds our clock may differ from the database's: beyond, nothing is sent to partners. What replicas
   * compare goes by the database's clock; certificates and signatures go by ours.
   */
  MAX_CLOCK_OFFSET_SECONDS: integerSetting(30, 1, 86_400),
  /** Applies migrations before serving. A deployment runs `main.js migrate` as a job of its own instead. */
  MIGRATE_ON_START: z.stringbool().default(false),
  ...telemetrySettings,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
} as const

export type ServiceSettings = Settings<typeof serviceSettings>

const ONE_ADDRESS = /^[^\s:,]+:\d{1,5}$/
const SEVERAL_ADDRESSES = /^\d+(\.\d+){3}:\d{1,5}(,\d+(\.\d+){3}:\d{1,5})+$/

/**
 * The address of another service: `host:port`, where each address of the host is a replica (in Kubernetes, a headless
 * Service). Or its replicas one by one, `10.0.0.1:50051,10.0.0.2:50051`. Code gets a gRPC target.
 */
export const addressSetting = z.string().transform((text, context) => {
  if (ONE_ADDRESS.test(text)) return text
  if (SEVERAL_ADDRESSES.test(text)) return `ipv4:${text}`
  context.addIssue({ code: 'custom', message: 'must be host:port, or several address:port with commas' })
  return z.NEVER
})
