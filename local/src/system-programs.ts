import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_FLAGS } from '@cofre/platform/service/node-flags'
import { SERVICE_NAMES, type ServiceName } from '@cofre/platform/service/services'
import { certificateFiles } from './certificates'
import { databaseUrl, type DatabaseCommand } from './database'
import { acquirerSecretFile, bankSecretFile, identitySecretFile, keyFile, pushSecretFile } from './keys'
import type { RunFolder } from './run-folder'
import { settingsOf, type Place } from './service-settings'
import type { Passwords } from './service-databases'
import type { Program } from './supervise'
import { metricsOf, type SystemPorts } from './system-ports'
import { callbackOf, IDENTITY_CLIENT, voucherBrands } from './voucher-brands'

/** The facts that the programs of one system share. */
export type Surroundings = {
  root: string
  run: RunFolder
  ports: SystemPorts
  passwords: Passwords
  /** Settings for every program, in addition to this process's environment. */
  settings: Record<string, string>
  adapt: Adapt
  engines: EngineUrls | undefined
}

/** The addresses of the event log and the history when they are not in the embedded PostgreSQL. */
export type EngineUrls = { kafka: string; mongodb: string }

/** Changes the settings of one service, for instance to route its connections through a proxy. */
export type Adapt = (name: ServiceName, settings: Record<string, string>) => Record<string, string>

// A developer wants notifications to this machine; a deployment allows none.
const OUTBOUND_ALLOWED = '127.0.0.0/8,::1/128,localhost'

export function baseUrlOf(ports: SystemPorts): string {
  return `http://127.0.0.1:${ports.http}`
}

export function sandboxUrlOf(ports: SystemPorts): string {
  return `http://127.0.0.1:${ports.sandbox}`
}

/** Returns the metrics address of each service, by its name. */
export function metricsUrlsOf(ports: SystemPorts): Record<ServiceName, string> {
  const urls = SERVICE_NAMES.map((name) => [name, `http://127.0.0.1:${ports[metricsOf(name)]}/metrics`])
  return Object.fromEntries(urls) as Record<ServiceName, string>
}

/** Returns the address at which the sandbox takes notifications over https. */
export function inboxUrlOf(ports: SystemPorts): string {
  return `https://localhost:${ports.sandboxInbox}/inbox`
}

/** Returns the address at which the sandbox plays each partner. */
export function partnerUrls(ports: SystemPorts): Record<string, string> {
  return {
    acquirer: `https://localhost:${ports.sandboxAcquirer}`,
    'acquirer-queries': `https://localhost:${ports.sandboxAcquirerQuery}`,
    'token-service': `https://localhost:${ports.sandboxTokenService}`,
    alelo: `https://localhost:${ports.sandboxVoucherIssuer}/alelo`,
    vr: `https://localhost:${ports.sandboxVoucherIssuer}/vr`,
    ticket: `https://localhost:${ports.sandboxVoucherIssuer}/ticket`,
    'ticket-merchant': `https://localhost:${ports.sandboxVoucherIssuer}/ticket`,
    'three-d-secure': `https://localhost:${ports.sandboxThreeDSecure}`,
    'ticket-identity': `https://localhost:${ports.sandboxVoucherIssuer}/identity`,
    bank: `https://localhost:${ports.sandboxBank}`,
    'acquirer-disputes': `https://localhost:${ports.sandboxChargebacks}/chargeback/v1`,
    pix: `https://localhost:${ports.sandboxPixBank}`,
  }
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
  const { run, ports } = around
  const certificate = certificateFiles(run, 'sandbox')
  return node(around, 'sandbox', join('sandbox', 'dist', 'main.js'), {
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_INBOX_PORT: String(ports.sandboxInbox),
    SANDBOX_ACQUIRER_PORT: String(ports.sandboxAcquirer),
    SANDBOX_ACQUIRER_QUERY_PORT: String(ports.sandboxAcquirerQuery),
    SANDBOX_TOKEN_SERVICE_PORT: String(ports.sandboxTokenService),
    SANDBOX_VOUCHER_ISSUER_PORT: String(ports.sandboxVoucherIssuer),
    SANDBOX_MAIL_PORT: String(ports.sandboxMail),
    SANDBOX_BANK_PORT: String(ports.sandboxBank),
    BANK_WEBHOOK_URL: `${baseUrlOf(ports)}/partners/bank/events`,
    BILLING_CLOCK_URL: `${baseUrlOf(ports)}/api/v2/sandbox/clock`,
    BANK_WEBHOOK_SECRET: readFileSync(bankSecretFile(run), 'utf8').trim(),
    SANDBOX_THREE_D_SECURE_PORT: String(ports.sandboxThreeDSecure),
    SANDBOX_CHARGEBACKS_PORT: String(ports.sandboxChargebacks),
    SANDBOX_PIX_BANK_PORT: String(ports.sandboxPixBank),
    SANDBOX_CLIENT_CA_FILE: certificate.caFile,
    DISPUTE_WEBHOOK_URL: `${baseUrlOf(ports)}/partners/acquirer/disputes/${readFileSync(acquirerSecretFile(run), 'utf8').trim()}`,
    TOKEN_SERVICE_WEBHOOK_SECRET: readFileSync(pushSecretFile(run), 'utf8').trim(),
    SANDBOX_IDENTITY_CLIENTS: JSON.stringify([identityClient(around)]),
    TLS_CERT_FILE: certificate.certFile,
    TLS_KEY_FILE: certificate.keyFile,
    DATA_DIR: run.sandbox,
  })
}

function identityClient({ run, ports }: Surroundings) {
  return {
    clientId: IDENTITY_CLIENT,
    clientSecret: readFileSync(identitySecretFile(run), 'utf8').trim(),
    redirectUris: [callbackOf(baseUrlOf(ports))],
    name: 'Loja Demo',
  }
}

export function serviceProgram(around: Surroundings, name: ServiceName): Program {
  const settings = around.adapt(name, settingsOf(name, placeOf(around)))
  return node(around, name, join('services', name, 'dist', 'main.js'), settings)
}

function placeOf(around: Surroundings): Place {
  const { run, ports, engines } = around
  return {
    common: (service) => commonSettings(around, service),
    addressOf: (service) => `localhost:${ports[service]}`,
    databaseUrl: (database) => databaseUrlOf(around, database),
    eventLog: engines
      ? { EVENT_LOG_URL: engines.kafka, KAFKA_PARTITIONS: '3', KAFKA_REPLICATION: '1' }
      : { EVENT_LOG_URL: databaseUrlOf(around, 'event_log') },
    history: (service): Record<string, string> =>
      engines ? { MONGODB_URL: new URL(service, engines.mongodb).href } : {},
    keyFile: (service, entry) => keyFile(run, service, entry),
    // Ctrl-C must not wait for a browser's idle connections.
    http: {
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(ports.http),
      HTTP_DRAIN_MS: '1000',
      SANDBOX_URL: sandboxUrlOf(ports),
    },
    baseUrl: baseUrlOf(ports),
    outboundAllowed: OUTBOUND_ALLOWED,
    authorityFile: certificateFiles(run, 'sandbox').caFile,
    partnersFile: run.partners,
    smtpUrl: `smtp://localhost:${ports.sandboxMail}`,
    voucherBrands: voucherBrands(sandboxUrlOf(ports)),
    pushSecretFile: pushSecretFile(run),
    bankSecretFile: bankSecretFile(run),
    acquirerSecretFile: acquirerSecretFile(run),
  }
}

function commonSettings({ run, ports }: Surroundings, name: ServiceName): Record<string, string> {
  const certificate = certificateFiles(run, name)
  return {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(ports[name]),
    TLS_CA_FILE: certificate.caFile,
    TLS_CERT_FILE: certificate.certFile,
    TLS_KEY_FILE: certificate.keyFile,
    MIGRATE_ON_START: 'true',
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: String(ports[metricsOf(name)]),
  }
}

function databaseUrlOf({ ports, passwords }: Surroundings, name: string): string {
  return databaseUrl({ port: ports.postgres, name, role: name, password: passwords[name] ?? '' })
}

function node(around: Surroundings, name: string, file: string, settings: Record<string, string>): Program {
  return { ...program(around, name, settings), args: [...NODE_FLAGS, join(around.root, file)] }
}

/** Returns a program. Settings of this process, such as RATE_LIMIT_PER_SECOND, reach it; those given here win. */
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
