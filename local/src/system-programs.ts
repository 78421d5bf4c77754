import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificateFiles } from './certificates'
import { databaseUrl, type DatabaseCommand } from './database'
import type { KeyFiles } from './keys'
import type { RunFolder } from './run-folder'
import type { Passwords } from './service-databases'
import type { Program } from './supervise'
import type { SystemPorts } from './system-ports'

/** What the programs of one system have to know of each other. */
export type Surroundings = {
  root: string
  run: RunFolder
  ports: SystemPorts
  passwords: Passwords
  keys: KeyFiles
  /** Settings for every program, beside the environment of this process. */
  settings: Record<string, string>
  adapt: Adapt
  engines: EngineUrls | undefined
}

/** Where the event log and the history are, when they are not in the embedded PostgreSQL. */
export type EngineUrls = { kafka: string; mongodb: string }

/** Changes the settings of one service: to lead its connections through a proxy, or to tell it alone something. */
export type Adapt = (name: ServiceName, settings: Record<string, string>) => Record<string, string>

export const SERVICES = ['vault', 'orders', 'network-token', 'notifier', 'gateway'] as const
export type ServiceName = (typeof SERVICES)[number]

// Notifications to this machine are what a developer wants to see; a deployment allows nothing.
const OUTBOUND_ALLOWED = '127.0.0.0/8,::1/128,localhost'

export function baseUrlOf(ports: SystemPorts): string {
  return `http://127.0.0.1:${ports.http}`
}

export function sandboxUrlOf(ports: SystemPorts): string {
  return `http://127.0.0.1:${ports.sandbox}`
}

/** Where the sandbox takes notifications over https. */
export function inboxUrlOf(ports: SystemPorts): string {
  return `https://localhost:${ports.sandboxInbox}/inbox`
}

/** The acquirer as the sandbox plays it. */
export function acquirerUrls(ports: SystemPorts): { url: string; queryUrl: string } {
  return {
    url: `https://localhost:${ports.sandboxAcquirer}`,
    queryUrl: `https://localhost:${ports.sandboxAcquirerQuery}`,
  }
}

/** The acquirer's token service, which the sandbox plays too. */
export function tokenServiceUrl(ports: SystemPorts): string {
  return `https://localhost:${ports.sandboxTokenService}`
}

export function postgresProgram(around: Surroundings, { command, args, user }: DatabaseCommand): Program {
  return {
    ...program(around, 'postgres', {}),
    ...user,
    command,
    args,
    cwd: '/',
    stopSignals: ['SIGINT', 'SIGQUIT'],
  }
}

export function sandboxProgram(around: Surroundings): Program {
  const { run, ports, keys } = around
  const { certFile, keyFile } = certificateFiles(run, 'sandbox')
  return node(around, 'sandbox', join('sandbox', 'dist', 'main.js'), {
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_INBOX_PORT: String(ports.sandboxInbox),
    SANDBOX_ACQUIRER_PORT: String(ports.sandboxAcquirer),
    SANDBOX_ACQUIRER_QUERY_PORT: String(ports.sandboxAcquirerQuery),
    SANDBOX_TOKEN_SERVICE_PORT: String(ports.sandboxTokenService),
    TOKEN_SERVICE_WEBHOOK_SECRET: readFileSync(keys.tokenService, 'utf8').trim(),
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    DATA_DIR: run.sandbox,
  })
}

export function serviceProgram(around: Surroundings, name: ServiceName): Program {
  const { caFile, certFile, keyFile } = certificateFiles(around.run, name)
  const settings = around.adapt(name, {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(around.ports[name]),
    TLS_CA_FILE: caFile,
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    DATABASE_URL: databaseOf(around, name.replace('-', '_')),
    MIGRATE_ON_START: 'true',
    ...serviceSettings(around, name),
  })
  return node(around, name, join('services', name, 'dist', 'main.js'), settings)
}

function serviceSettings(around: Surroundings, name: ServiceName): Record<string, string> {
  const { run, ports, keys } = around
  const address = (service: ServiceName) => `localhost:${ports[service]}`
  const { caFile } = certificateFiles(run, name)
  const acquirer = acquirerUrls(ports)
  const eventLog = eventLogOf(around)
  const history: Record<string, string> = around.engines
    ? { MONGODB_URL: new URL(name, around.engines.mongodb).href }
    : {}
  const own: Record<ServiceName, Record<string, string>> = {
    vault: { KEY_ENCRYPTION_KEYS_FILE: keys.keyEncryption, PARTNERS_FILE: run.partners },
    orders: {
      VAULT_ADDRESS: address('vault'),
      NETWORK_TOKEN_ADDRESS: address('network-token'),
      ...eventLog,
      ESTABLISHMENT_KEY_FILE: keys.establishment,
      ACQUIRER_URL: acquirer.url,
      ACQUIRER_QUERY_URL: acquirer.queryUrl,
      ACQUIRER_CA_FILE: caFile,
      // What is lost may have to wait 11 s before it is known not to have happened: all within 15 s.
      SETTLE_MAX_MS: '3000',
      ABSENCE_GRACE_MS: '3000',
    },
    'network-token': {
      VAULT_ADDRESS: address('vault'),
      ORDERS_ADDRESS: address('orders'),
      ...eventLog,
      CALLBACK_URL: `${baseUrlOf(ports)}/partners/token-service/events`,
      TOKEN_SERVICE_SECRET_FILE: keys.tokenService,
      SETTLE_MAX_MS: '3000',
      ABSENCE_GRACE_MS: '3000',
    },
    notifier: {
      ...eventLog,
      ...history,
      BASE_URL: baseUrlOf(ports),
      SECRET_KEY_FILE: keys.secret,
      OUTBOUND_ALLOWED,
      NOTIFICATION_CA_FILE: caFile,
    },
    gateway: {
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(ports.http),
      BASE_URL: baseUrlOf(ports),
      VAULT_ADDRESS: address('vault'),
      ORDERS_ADDRESS: address('orders'),
      NOTIFIER_ADDRESS: address('notifier'),
      NETWORK_TOKEN_ADDRESS: address('network-token'),
      TOKEN_KEY_FILE: keys.token,
      OUTBOUND_ALLOWED,
      ...history,
    },
  }
  return own[name]
}

function eventLogOf(around: Surroundings): Record<string, string> {
  if (!around.engines) return { EVENT_LOG_URL: databaseOf(around, 'event_log') }
  return { EVENT_LOG_URL: around.engines.kafka, KAFKA_PARTITIONS: '3', KAFKA_REPLICATION: '1' }
}

function databaseOf({ ports, passwords }: Surroundings, name: string): string {
  return databaseUrl({ port: ports.postgres, name, role: name, password: passwords[name] ?? '' })
}

function node(around: Surroundings, name: string, file: string, settings: Record<string, string>): Program {
  return { ...program(around, name, settings), args: ['--enable-source-maps', join(around.root, file)] }
}

/** Settings that this process was given, such as RATE_LIMIT_PER_SECOND, reach every program; those named here win. */
function program(around: Surroundings, name: string, settings: Record<string, string>): Program {
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('npm_'))
  return {
    name,
    command: process.execPath,
    args: [],
    cwd: around.root,
    env: {
      ...Object.fromEntries(inherited),
      NODE_COMPILE_CACHE: around.run.compileCache,
      ...around.settings,
      ...settings,
    },
    logFile: join(around.run.logs, `${name}.log`),
    stopSignals: ['SIGTERM', 'SIGKILL'],
  }
}
