/** A domain event in transit: its type (`charge.captured`), its subject (`key`), and the proto3 JSON of its message. */
export type LogEvent = {
  id: string
  type: string
  key: string
  sellerId: number
  traceparent: string
  value: string
}

export type Subscription = {
  /** Lets the event in hand finish, then stops. */
  stop(): Promise<void>
}

/**
 * Thrown by a handler for an event that can never be read. The log sets the event aside as a dead letter and does not
 * deliver it again. The message is kept with it as the reason, and never quotes the event.
 */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent'
}

/**
 * The durable log between services. Events with one key stay in order; delivery is at least once, so consumers use
 * `handleOnce`. Two adapters keep this contract: PostgreSQL for one machine, Kafka beyond it.
 */
export type EventLog = {
  /** Resolves when the log has stored the events durably, in the order given. */
  publish(topic: string, events: readonly LogEvent[]): Promise<void>
  /**
   * Calls `handle` for each event, oldest first in each key, for one member of `group` at a time. An event whose
   * handler throws is delivered again. It is never skipped, except for `UnreadableEvent`. `handleAll` gets several
   * waiting events at once, in order; when it throws, `handle` gets each of them.
   */
  subscribe(
    group: string,
    topic: string,
    handle: (event: LogEvent) => Promise<void>,
    handleAll?: (events: readonly LogEvent[]) => Promise<void>,
  ): Promise<Subscription>
  /** How many events of the topic the group has not handled yet. */
  lag(group: string, topic: string): Promise<number>
  close(): Promise<void>
}
