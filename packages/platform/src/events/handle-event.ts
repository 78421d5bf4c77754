import { currentCall, newCall, runCall } from '../grpc/call-context'
import type { EventLog, LogEvent } from './event-log'
import { observe } from '../telemetry/metrics'
import { failSpan, isSampled, SpanKind, startSpan, withSpan, type Span } from '../telemetry/spans'

/** Handles an event as part of the request that it comes from: the same trace, and its own deadline. */
export function handleEvent(event: LogEvent, timeoutMs: number, work: () => Promise<void>): Promise<void> {
  const { id, type, traceparent } = event
  return runCall(newCall({ timeoutMs, traceparent }), () =>
    withSpan(`handle ${type}`, SpanKind.CONSUMER, { 'messaging.message.id': id }, work),
  )
}

/**
 * Handles events together. Each traced event has a span, and `work` gets it with its trace below that span. Work for
 * many events belongs to the trace of none.
 */
export async function handleEvents(
  events: readonly LogEvent[],
  timeoutMs: number,
  work: (traced: readonly LogEvent[]) => Promise<void>,
): Promise<void> {
  const [first, ...others] = events
  if (first && others.length === 0) {
    const below = () => currentCall()?.traceparent ?? first.traceparent
    return handleEvent(first, timeoutMs, () => work([{ ...first, traceparent: below() }]))
  }
  const spans: Span[] = []
  const traced = events.map((event) => {
    const { id, type, traceparent: parent } = event
    if (!isSampled(parent)) return event
    const attributes = { 'messaging.message.id': id }
    const { span, traceparent } = startSpan(parent, `handle ${type}`, SpanKind.CONSUMER, attributes)
    spans.push(span)
    return { ...event, traceparent }
  })
  try {
    await work(traced)
  } catch (error) {
    for (const span of spans) failSpan(span, error)
    throw error
  } finally {
    for (const span of spans) span.end()
  }
}

/** Exports the number of events that the group has not handled yet. */
export function observeLag(eventLog: EventLog, group: string, topic: string): void {
  const description = 'Events of the topic that the group has not handled yet.'
  observe('event_log_lag_events', description, () => eventLog.lag(group, topic), { group, topic })
}
