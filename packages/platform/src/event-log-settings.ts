import { z } from 'zod'
import type { EventLog } from './event-log'
import type { Logger } from './log'
import { createPool } from './postgres'
import { openPostgresEventLog } from './postgres-event-log'

/** `postgres://…`: the log of one machine, in a database of its own. */
export const eventLogSettings = { EVENT_LOG_URL: z.url({ protocol: /^postgres(ql)?$/ }) } as const

export function openEventLog(
  settings: { EVENT_LOG_URL: string },
  name: string,
  log: Logger,
): Promise<EventLog> {
  const pool = createPool({ url: settings.EVENT_LOG_URL, max: 8, name }, (err) =>
    log.warn({ err }, 'event log lost'),
  )
  return openPostgresEventLog(pool, log)
}
