/** A domain event on its way: what happened (`charge.captured`), to what (`key`), and the proto3 JSON of its message. */
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
 * Thrown by whoever handles an event that can't be read and never will be: the log sets it aside, as a dead letter, in
 * place of handing it over again. `reason` is kept with it, and never quotes what the event holds.
 */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent'
}

/**
 * The durable log between services. Events with one key stay in order; delivery is at least once, so consumers use
 * `handleOnce`. Two adapters keep this contract: PostgreSQL for one machine, Kafka beyond it.
 */
export type EventLog = {
  /** Resolves when the log has them for good, in the order given. */
  publish(topic: string, events: readonly LogEvent[]): Promise<void>
  /**
   * Calls `handle` for each event, oldest first in each key, for one member of `group` at a time. An event whose
   * handling throws is handed over again; it is never skipped, but for `UnreadableEvent`. `handleAll` is given several at
   * once where they wait, in their order; when it throws, each of them is given to `handle`.
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
