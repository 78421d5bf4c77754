import type { History } from '@cofre/platform/history/history'
import { recordHistory, type HistoryRecorder } from '@cofre/platform/history/history-recorder'
import { openHistory } from '@cofre/platform/history/history-settings'
import type { EventLog } from '@cofre/platform/events/event-log'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { checkKey } from '@cofre/platform/service/key-check'
import type { Boot } from '@cofre/platform/service/run-service'
import type { Config } from './config'
import { createHttpSender } from './deliveries/http-sender'
import { openWaiting, type Waiting } from './listeners/waiting'
import type { Sender } from './deliveries/sender'

export type Deps = {
  log: Logger
  pool: Pool
  eventLog: EventLog
  sender: Sender
  /** Receivers' answers to each attempt. */
  history: History
  recorder: HistoryRecorder
  /** The readers that wait for listeners' events. */
  waiting: Waiting
  /** Seals the signing secrets. */
  secretKey: Buffer
  /** The URL before /api/v2. */
  baseUrl: string
  delivery: DeliverySettings
}

export type DeliverySettings = {
  /** Seconds between attempts; one attempt more than there are waits. */
  retryScheduleSeconds: readonly number[]
  /** Attempts that run at once in this process. */
  concurrency: number
  /** After this long a running attempt counts as lost; longer than any attempt may take. */
  leaseMs: number
  /** How long a batch of events may idle for receivers, milliseconds: other sellers' events are in it, or follow it. */
  patienceMs: number
}

const LEASE_MS = 20_000
const PATIENCE_MS = 50

export async function openDeps(config: Config, boot: Boot): Promise<Deps> {
  const { name, log, pool, onClose } = boot
  await checkKey(pool, 'SECRET_KEY', config.secretKey)
  const eventLog = await boot.eventLog(config)
  const history = await openHistory(config, name, { pool, log })
  onClose(() => history.close())
  const recorder = recordHistory(history, log)
  onClose(() => recorder.stop())
  return {
    log,
    pool,
    history,
    recorder,
    waiting: openWaiting(),
    eventLog,
    sender: createHttpSender({
      allowed: config.outboundAllowed,
      ...(config.notificationCa ? { ca: config.notificationCa } : {}),
    }),
    secretKey: config.secretKey,
    baseUrl: config.baseUrl,
    delivery: {
      retryScheduleSeconds: config.retryScheduleSeconds,
      concurrency: config.deliveryConcurrency,
      leaseMs: LEASE_MS,
      patienceMs: PATIENCE_MS,
    },
  }
}
