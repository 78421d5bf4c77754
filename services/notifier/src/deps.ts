import { openEventLog } from '@cofre/platform/events/event-log-settings'
import type { History } from '@cofre/platform/history/history'
import { recordHistory, type HistoryRecorder } from '@cofre/platform/history/history-recorder'
import { openHistory } from '@cofre/platform/history/history-settings'
import type { EventLog } from '@cofre/platform/events/event-log'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Config } from './config'
import { createHttpSender } from './deliveries/http-sender'
import type { Sender } from './deliveries/sender'

export type Deps = {
  log: Logger
  pool: Pool
  eventLog: EventLog
  sender: Sender
  /** What receivers answered to each attempt. */
  history: History
  recorder: HistoryRecorder
  /** Seals the signing secrets. */
  secretKey: Buffer
  /** What integrators write before /api/v2. */
  baseUrl: string
  delivery: DeliverySettings
}

export type DeliverySettings = {
  /** Seconds between attempts; one attempt more than there are waits. */
  retryScheduleSeconds: readonly number[]
  /** Attempts that run at once in this process. */
  concurrency: number
  /** After so long a running attempt counts as lost; longer than any attempt may take. */
  leaseMs: number
}

const LEASE_MS = 20_000

export async function createDeps(config: Config, log: Logger, pool: Pool): Promise<Deps> {
  const history = await openHistory(config, 'notifier', { pool, log })
  return {
    log,
    pool,
    history,
    recorder: recordHistory(history, log),
    eventLog: await openEventLog(config, 'notifier', log),
    sender: createHttpSender({
      allowed: config.OUTBOUND_ALLOWED,
      ...(config.NOTIFICATION_CA_FILE ? { ca: config.NOTIFICATION_CA_FILE } : {}),
    }),
    secretKey: config.SECRET_KEY_FILE,
    baseUrl: config.BASE_URL,
    delivery: {
      retryScheduleSeconds: config.RETRY_SCHEDULE_SECONDS,
      concurrency: config.DELIVERY_CONCURRENCY,
      leaseMs: LEASE_MS,
    },
  }
}
