import { Kafka, logLevel, type LogEntry } from 'kafkajs'
import type { EventLog } from './event-log'
import { consume } from './kafka-consumer'
import { toMessage } from './kafka-message'
import { openProducer } from './kafka-producer'
import { connectionTo, type KafkaSettings } from './kafka-settings'
import { openTopics } from './kafka-topics'
import type { Logger } from './log'
import { within } from './within'

// With kafkajs' own retries (300 ms, 5 times) an outage of ten seconds ends consumers and refuses sends.
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 100 }
const LAG_MS = 5_000
const CLOSE_MS = 2_000

/**
 * The event log beyond one machine. It opens also when no broker is there: publishing fails and is tried again by the
 * relay, readers wait.
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
      await within(CLOSE_MS, topics.make(topic), `Kafka did not make ${topic} in time`)
      await producer.send(topic, events.map(toMessage))
    },
    async subscribe(group, topic, handle) {
      const reader = { groupId: groupIdOf(group, topic), topic, handle }
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

/** kafkajs calls an error what it mends itself a moment later, such as a broker that went away. */
function tell(log: Logger, { log: { message, error, ...rest } }: LogEntry): void {
  const { groupId, broker, clientId } = rest as Record<string, unknown>
  log.warn({ kafka: { message, error, groupId, broker, clientId } }, 'kafka client')
}
