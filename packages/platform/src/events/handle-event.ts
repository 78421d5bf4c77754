import { newCall, runCall } from '../grpc/call-context'
import type { EventLog, LogEvent } from './event-log'
import { observe } from '../telemetry/metrics'
import { SpanKind, withSpan } from '../telemetry/spans'

/** Handles an event as a part of the request that it comes from: same trace, a deadline of its own. */
export function handleEvent(event: LogEvent, timeoutMs: number, work: () => Promise<void>): Promise<void> {
  const { id, type, traceparent } = event
  return runCall(newCall({ timeoutMs, traceparent }), () =>
    withSpan(`handle ${type}`, SpanKind.CONSUMER, { 'messaging.message.id': id }, work),
  )
}

/** How many events the group has not handled yet. */
export function observeLag(eventLog: EventLog, group: string, topic: string): void {
  const description = 'Events of the topic that the group has not handled yet.'
  observe('event_log_lag_events', description, () => eventLog.lag(group, topic), { group, topic })
}
