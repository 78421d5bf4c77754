import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchKafka, startKafka } from '@cofre/engines/kafka'
import { freePorts } from '@cofre/engines/ports'
import { startDatabase, type DatabaseServer } from '@cofre/local/database'
import { eventLogSettings, openEventLog } from '@cofre/platform/events/event-log-settings'
import type { EventLog } from '@cofre/platform/events/event-log'
import { callRpc, CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { clientCredentials } from '@cofre/platform/grpc/tls'
import { createPool } from '@cofre/platform/postgres/postgres'
import { readSettings } from '@cofre/platform/service/settings'
import { createLog } from '@cofre/platform/telemetry/log'
import { NotifierClient } from '@cofre/proto/notifier/v1/notifier'
import { createTestTls } from '@cofre/testing/testing'
import { startProgram, type NotifierProgram } from './notifier-programs'
import { startReceivers } from './receivers'

export type EventLogKind = 'postgres' | 'kafka'
export type MeasuredNotifier = Awaited<ReturnType<typeof startMeasuredNotifier>>

type Options = { eventLog: EventLogKind; profileDir?: string | undefined }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Setup work for the bench may take as long as it needs. */
const PATIENT = { timeoutMs: 3_600_000 }

/**
 * Starts the surroundings of the notifier: a PostgreSQL as durable as that of `npm start`, the chosen event log, and
 * sellers' servers in their own process. The notifier itself, built as deployed, runs after `start`.
 */
export async function startMeasuredNotifier({ eventLog: kind, profileDir }: Options) {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-bench-'))
  chmodSync(dir, 0o755) // As root, PostgreSQL runs as another user, who must be able to enter.
  const closers: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })]
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each()
  }
  const endedBy = () => void close().finally(() => process.exit(1))
  // Kafka has its own session, so only this process ends it.
  for (const signal of SIGNALS) process.once(signal, endedBy)
  closers.push(() => SIGNALS.forEach((signal) => process.removeListener(signal, endedBy)))
  try {
    const database = await startedDatabase(dir)
    closers.push(() => database.stop())
    const url = (name: string) => Object.assign(new URL(database.url), { pathname: `/${name}` }).href
    const pool = createPool({ url: url('notifier'), max: 4, name: 'bench', ...PATIENT }, () => {})
    closers.push(() => pool.end())
    const kafka = kind === 'kafka' ? await startedKafka(dir) : undefined
    closers.push(() => kafka?.stop())
    const eventLogUrl = kafka?.url ?? url('events')
    const eventLog = await openedEventLog(eventLogUrl)
    closers.push(() => eventLog.close())
    const receivers = await startReceivers()
    closers.push(() => receivers.stop())
    const own = { DATABASE_URL: url('notifier'), EVENT_LOG_URL: eventLogUrl }
    const { settings, clientOf } = await configured(dir, own)
    const programs: NotifierProgram[] = []
    const stopPrograms = () => Promise.all(programs.splice(0).map((each) => each.stop()))
    closers.push(stopPrograms)
    const start = async () => {
      const program = await startProgram(join(dir, `notifier-${programs.length}.log`), settings, profileDir)
      programs.push(program)
      return program
    }
    return {
      pool,
      eventLog,
      receivers,
      start,
      stopPrograms,
      stop: close,
      pids: () => pidsOf(dir, programs, kafka?.pid),
      createEndpoint: (sellerId: number, to: string) => createEndpoint(clientOf, programs, sellerId, to),
      recover: (sellerId: number, endpointId: number) => recover(clientOf, programs, sellerId, endpointId),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function startedDatabase(dir: string): Promise<DatabaseServer> {
  const [port = 0] = await freePorts(1)
  const database = await startDatabase(join(dir, 'postgres'), port)
  const admin = createPool({ url: database.url, max: 1, name: 'bench', ...PATIENT }, () => {})
  await admin.query('CREATE DATABASE notifier')
  await admin.query('CREATE DATABASE events')
  await admin.end()
  return database
}

async function startedKafka(dir: string) {
  await fetchKafka()
  const [port = 0, controller = 0] = await freePorts(2)
  return startKafka({ dir: join(dir, 'kafka'), ports: [port, controller] })
}

function openedEventLog(url: string): Promise<EventLog> {
  const settings = readSettings(eventLogSettings, { EVENT_LOG_URL: url, KAFKA_REPLICATION: '1' })
  return openEventLog(settings, 'bench', createLog('bench', 'silent'))
}

type Connect = (port: number) => Promise<NotifierClient>

/** Returns the notifier's settings, with its own certificates and keys, and a client that calls it like the gateway. */
async function configured(dir: string, own: Record<string, string>) {
  const { tlsFor } = await createTestTls()
  const tls = await tlsFor('notifier')
  const files = {
    TLS_CA_FILE: tls.ca,
    TLS_CERT_FILE: tls.cert,
    TLS_KEY_FILE: tls.key,
    SECRET_KEY_FILE: randomBytes(32).toString('base64'),
  }
  const settings: Record<string, string> = {
    ...own,
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    MIGRATE_ON_START: 'true',
    KAFKA_REPLICATION: '1',
    BASE_URL: 'https://pay.example',
    OUTBOUND_ALLOWED: '127.0.0.0/8',
  }
  for (const [name, text] of Object.entries(files)) {
    settings[name] = join(dir, name)
    writeFileSync(join(dir, name), text, { mode: 0o600 })
  }
  const clientOf: Connect = async (port) =>
    new NotifierClient(`localhost:${port}`, clientCredentials(await tlsFor('gateway')), CLIENT_OPTIONS)
  return { settings, clientOf }
}

async function asked<Result>(
  connect: Connect,
  [program]: readonly NotifierProgram[],
  work: (client: NotifierClient) => Promise<Result>,
): Promise<Result> {
  if (!program) throw new Error('the notifier does not run')
  const client = await connect(program.port)
  try {
    return await runCall(newCall({ timeoutMs: 30_000 }), () => work(client))
  } finally {
    client.close()
  }
}

/** Creates an endpoint that receives every event. Returns its id. */
function createEndpoint(connect: Connect, programs: NotifierProgram[], sellerId: number, url: string) {
  return asked(connect, programs, async (client) => {
    const request = { sellerId, url, events: [], description: '', headers: undefined }
    const { endpoint } = await callRpc(client, client.createEndpoint, request)
    return endpoint?.id ?? 0
  })
}

function recover(connect: Connect, programs: NotifierProgram[], sellerId: number, endpointId: number) {
  return asked(connect, programs, (client) =>
    callRpc(client, client.recoverEndpoint, { sellerId, endpointId, since: 1 }),
  )
}

/** Returns process ids by name; further replicas of the notifier have a number. */
function pidsOf(
  dir: string,
  programs: readonly NotifierProgram[],
  kafka: number | undefined,
): Record<string, number> {
  const postgres = Number(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const named = programs.map(({ pid }, at) => [at === 0 ? 'notifier' : `notifier ${at + 1}`, pid] as const)
  return { ...Object.fromEntries(named), postgres, ...(kafka === undefined ? {} : { kafka }) }
}
