import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { EventLog } from '@cofre/platform/events/event-log'
import { createLog } from '@cofre/platform/telemetry/log'
import { outboundSetting } from '@cofre/platform/outbound/outbound-guard'
import { recordHistory } from '@cofre/platform/history/history-recorder'
import { createPool } from '@cofre/platform/postgres/postgres'
import { openPostgresHistory } from '@cofre/platform/history/postgres-history'
import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, eventually, PATIENT } from '@cofre/testing/testing'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { NotifierClient } from '@cofre/proto/notifier/v1/notifier'
import { consumeEvents } from '../../src/consumers/consume-events'
import type { Deps } from '../../src/deps'
import { createHttpSender } from '../../src/deliveries/http-sender'
import { openWaiting } from '../../src/listeners/waiting'
import { notifierServices } from '../../src/server'
import { startDeliverer } from '../../src/sweepers/deliver'
import { startMending } from '../../src/sweepers/mend'

export const silent = createLog('test', 'silent')
export const BASE_URL = 'https://pay.example'

/** The notifier as deployed, with real databases; retries come after milliseconds in place of hours. */
export async function startNotifier(change: (deps: Deps) => Partial<Deps> = () => ({})) {
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const events = await createTestDatabase()
  const network = await openTestNetwork()
  const history = openPostgresHistory(database.pool, silent)
  const base: Deps = {
    history,
    recorder: recordHistory(history, silent),
    waiting: openWaiting(),
    log: silent,
    pool: database.pool,
    eventLog: await openPostgresEventLog(events.pool, silent),
    sender: createHttpSender({ allowed: outboundSetting.parse('127.0.0.0/8'), ca: network.authority.cert }),
    secretKey: randomBytes(32),
    baseUrl: BASE_URL,
    delivery: {
      retryScheduleSeconds: [0.02, 0.02, 0.02],
      concurrency: 32,
      leaseMs: 20_000,
      patienceMs: 100,
    },
  }
  const deps = { ...base, ...change(base) }
  const { address } = await network.serve('notifier', notifierServices(deps))
  const client = await network.clientOf(NotifierClient, address, 'gateway')
  const marks = await network.clientOf(IdempotencyClient, address, 'gateway')

  const stops: (() => Promise<unknown>)[] = []
  const consume = async () => {
    const deliverer = startDeliverer(deps)
    const mending = startMending(deps)
    const consumers = await consumeEvents(deps, deliverer)
    const stop = async () => {
      await Promise.all(consumers.map((consumer) => consumer.stop()))
      await deliverer.stop()
      await mending.stop()
    }
    stops.push(stop)
    return stop
  }
  /** Waits until all events published before are stored. */
  const untilConsumed = () =>
    eventually(async () => expect(await deps.eventLog.lag('notifier', 'orders.v1')).toBe(0))
  const openOtherEventLog = async (): Promise<EventLog> => {
    const pool = createPool({ url: events.url, max: 4, name: 'test', ...PATIENT }, () => {})
    const log = await openPostgresEventLog(pool, silent)
    stops.push(() => log.close())
    return log
  }
  const stop = async () => {
    await network.close()
    await Promise.all(stops.map((each) => each()))
    await deps.recorder.stop()
    await history.close()
    await deps.eventLog.close()
    await events.drop()
    await database.drop()
  }
  const { pool } = database
  return {
    deps,
    network,
    address,
    client,
    marks,
    pool,
    url: database.url,
    events: events.pool,
    consume,
    untilConsumed,
    openOtherEventLog,
    stop,
  }
}

export type Notifier = Awaited<ReturnType<typeof startNotifier>>
