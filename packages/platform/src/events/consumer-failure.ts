import type { Logger } from '../telemetry/log'
import { count } from '../telemetry/metrics'

/** Tells that a consumer, or what it was doing with an event, failed and is tried again. */
export function tellConsumerFailure(
  log: Logger,
  consumer: { group: string; topic: string },
  failure: { error: unknown; partition?: number },
  message: string,
): void {
  const { group, topic } = consumer
  const { error, partition } = failure
  log.warn({ err: error, group, topic, partition }, message)
  count('event_log_consumer_failures', 'How often a consumer failed and tried again.', { group, topic })
}
