import { setTimeout as pause } from 'node:timers/promises'
import {
  KafkaJSAggregateError,
  KafkaJSProtocolError,
  type Admin,
  type ITopicConfig,
  type Kafka,
} from 'kafkajs'
import type { KafkaSettings } from './kafka-settings'

const HOUR_MS = 3_600_000

/** The topic for records that can't be read: they would hold up their partition for ever. */
export const deadLetterTopicOf = (topic: string) => `${topic}.dead-letter`

export type Topics = {
  /** Makes a topic and its dead-letter topic when they are missing. Asks Kafka once for each. */
  make(topic: string): Promise<void>
  /** The number of events of the topic that the group has not handled. */
  lag(groupId: string, topic: string): Promise<number>
  close(): Promise<void>
}

export function openTopics(kafka: Kafka, settings: KafkaSettings): Topics {
  let connected: Promise<Admin> | undefined
  const made = new Map<string, Promise<void>>()
  const admin = () =>
    (connected ??= connect(kafka).catch((error) => ((connected = undefined), Promise.reject(error))))
  const makeNow = async (topic: string) => {
    const asked = await admin()
    const there = new Set(await asked.listTopics())
    // A client that may not create topics can use those that exist.
    const wanted = [topicConfig(topic, settings), deadLetterConfig(topic, settings)]
    const topics = wanted.filter((each) => !there.has(each.topic))
    // Not waitForLeaders: it was seen to throw UNKNOWN_TOPIC_OR_PARTITION for a topic that it had made.
    if (topics.length > 0) await asked.createTopics({ topics, waitForLeaders: false }).catch(throwReason)
  }
  return {
    make(topic) {
      const making = made.get(topic) ?? makeNow(topic)
      made.set(topic, making)
      return making.catch((error) => (made.delete(topic), Promise.reject(error)))
    },
    async lag(groupId, topic) {
      const asked = await admin()
      const [ends, [group]] = await Promise.all([
        onceLed(() => asked.fetchTopicOffsets(topic)),
        asked.fetchOffsets({ groupId, topics: [topic] }),
      ])
      const handled = new Map(group?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
      // An offset of -1: the group has committed nothing yet and begins with the oldest event that is kept.
      return ends.reduce((sum, { partition, low, high }) => {
        return sum + Number(high) - Math.max(handled.get(partition) ?? -1, Number(low))
      }, 0)
    },
    close: async () => (await connected?.catch(() => undefined))?.disconnect(),
  }
}

const LEADER_PAUSE_MS = 100
const LEADER_TRIES = 30

/** The answer of a partition's leader. There is none for a moment after a topic was made or a broker was lost. */
async function onceLed<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof KafkaJSProtocolError && error.retriable) || tries === LEADER_TRIES) throw error
    }
    await pause(LEADER_PAUSE_MS)
  }
}

/** Throws the first cause: for topics that it could not make, kafkajs says only that there were errors. */
function throwReason(error: unknown): never {
  throw error instanceof KafkaJSAggregateError ? (error.errors[0] ?? error) : error
}

async function connect(kafka: Kafka): Promise<Admin> {
  const admin = kafka.admin()
  await admin.connect()
  return admin
}

function topicConfig(topic: string, settings: KafkaSettings): ITopicConfig {
  const { kafkaPartitions: numPartitions, kafkaReplication: replicationFactor } = settings
  return {
    topic,
    numPartitions,
    replicationFactor,
    configEntries: entries({
      'retention.ms': settings.kafkaRetentionHours * HOUR_MS,
      // All in-sync replicas acknowledge. With fewer than this, Kafka refuses writes: one lost broker loses nothing.
      'min.insync.replicas': replicationFactor > 2 ? 2 : 1,
      'compression.type': 'producer',
    }),
  }
}

function deadLetterConfig(topic: string, settings: KafkaSettings): ITopicConfig {
  return { ...topicConfig(topic, settings), topic: deadLetterTopicOf(topic), numPartitions: 1 }
}

function entries(config: Record<string, string | number>) {
  return Object.entries(config).map(([name, value]) => ({ name, value: String(value) }))
}
