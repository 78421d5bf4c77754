import type { Logger } from '../telemetry/log'
import { count } from '../telemetry/metrics'

/** Logs and counts a failure of a consumer, or of its work on an event. The work is tried again. */
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
