import { UnreadableEvent, type LogEvent } from '@cofre/platform/events/event-log'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The value of an event; `parse` returns undefined for one that says nothing. Throws UnreadableEvent. */
export function readEvent<Value>(event: LogEvent, parse: (value: unknown) => Value | undefined): Value {
  if (!UUID.test(event.id)) throw new UnreadableEvent('the event id is not a UUID')
  try {
    const value = parse(JSON.parse(event.value))
    if (value !== undefined) return value
  } catch (error) {
    // The message of a syntax error quotes the text that it could not read, so only the kind of the error is reported.
    throw new UnreadableEvent(error instanceof Error ? error.name : 'unknown')
  }
  throw new UnreadableEvent('the event is empty')
}
