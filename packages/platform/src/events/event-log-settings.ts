import { z } from 'zod'
import type { EventLog } from './event-log'
import { kafkaSettings } from './kafka-settings'
import type { Settings } from '../service/settings'
import type { Logger } from '../telemetry/log'
import { createPool } from '../postgres/postgres'
import { openPostgresEventLog } from './postgres-event-log'

const ONE_URL = /^(postgres(ql)?:\/\/\S+|kafka:\/\/[^\s,/:]+:\d{1,5}(,[^\s,/:]+:\d{1,5})*)$/

export const eventLogSettings = {
  /** `kafka://broker:9092,broker:9092`, or `postgres://…`: the log of one machine, in a database of its own. */
  EVENT_LOG_URL: z.string().regex(ONE_URL, 'must be postgres://… or kafka://host:port,host:port'),
  ...kafkaSettings,
} as const

export type EventLogSettings = Settings<typeof eventLogSettings>

export async function openEventLog(settings: EventLogSettings, name: string, log: Logger): Promise<EventLog> {
  const { eventLogUrl: url } = settings
  if (url.startsWith('kafka:')) {
    // Loaded only where there is a broker: the driver takes its part of a start.
    const { openKafkaEventLog } = await import('@cofre/platform/events/kafka-event-log')
    return openKafkaEventLog(url, settings, name, log)
  }
  const pool = createPool({ url, max: 8, name: `${name}-event-log` }, (err) =>
    log.warn({ err }, 'connection to the event log lost'),
  )
  return openPostgresEventLog(pool, log)
}
