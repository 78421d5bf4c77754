import { Kafka, logLevel, type LogEntry } from 'kafkajs'
import type { EventLog, LogEvent } from './event-log'
import { consume } from './kafka-consumer'
import { toMessage } from './kafka-message'
import { openProducer, PUBLISH_MS } from './kafka-producer'
import { connectionTo, type KafkaSettings } from './kafka-settings'
import { openTopics } from './kafka-topics'
import type { Logger } from '../telemetry/log'
import { within } from '../within'

// With kafkajs' own retries (300 ms, 5 times) an outage of ten seconds ends consumers and refuses sends.
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 100 }
const LAG_MS = 5_000
const CLOSE_MS = 2_000
const BATCH_BYTES = 500_000
/** A record's bytes beside its value: key, ids, trace. */
const HEADERS_BYTES = 512

/**
 * The event log beyond one machine. It opens even when no broker is up: publishing fails and the relay tries again,
 * and readers wait.
 */
export function openKafkaEventLog(url: string, settings: KafkaSettings, name: string, log: Logger): EventLog {
  const kafka = new Kafka({
    clientId: name,
    ...connectionTo(url, settings),
    retry: RETRY,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => tell(log, entry),
  })
  const topics = openTopics(kafka, settings)
  const producer = openProducer(kafka)
  const groupIdOf = (group: string, topic: string) => `${group}.${topic}`
  return {
    async publish(topic, events) {
      if (events.length === 0) return
      await within(PUBLISH_MS, topics.make(topic), `Kafka did not make ${topic} in time`)
      for (const batch of batchesOf(events)) await producer.send(topic, batch.map(toMessage))
    },
    async subscribe(group, topic, handle, handleAll) {
      const reader = { group, groupId: groupIdOf(group, topic), topic, handle, handleAll }
      return consume({ kafka, producer, log, makeTopic: () => topics.make(topic) }, reader)
    },
    lag: (group, topic) =>
      within(LAG_MS, topics.lag(groupIdOf(group, topic), topic), 'Kafka did not tell the lag in time'),
    async close() {
      await producer.close()
      await within(CLOSE_MS, topics.close(), '').catch(() => {})
    },
  }
}

/** Splits events in order into batches that a broker takes at its defaults (1 MB), however many one key has. */
function batchesOf(events: readonly LogEvent[]): LogEvent[][] {
  const batches: LogEvent[][] = []
  let size = Infinity
  for (const event of events) {
    const bytes = Buffer.byteLength(event.value) + HEADERS_BYTES
    if (size + bytes > BATCH_BYTES) {
      batches.push([])
      size = 0
    }
    batches.at(-1)?.push(event)
    size += bytes
  }
  return batches
}

/** Logs at warn: kafkajs reports as errors the faults that it repairs a moment later, such as a lost broker. */
function tell(log: Logger, { log: { message, error, ...rest } }: LogEntry): void {
  const { groupId, broker, clientId } = rest as Record<string, unknown>
  log.warn({ err: new Error(message), kafka: { error, groupId, broker, clientId } }, 'kafka client')
}
