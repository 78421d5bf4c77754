import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs'
import { tellConsumerFailure } from './consumer-failure'
import { UnreadableEvent, type Subscription } from './event-log'
import { AT_ONCE, type Handlers } from './handle-together'
import { fromMessage } from './kafka-message'
import type { SerialProducer } from './kafka-producer'
import { deadLetterTopicOf } from './kafka-topics'
import { repeat } from '../service/lifecycle'
import type { Logger } from '../telemetry/log'
import { within } from '../within'

// Kafka takes this long to notice that a member died silently.
const SESSION_MS = 15_000
const HEARTBEAT_MS = 1_000
// Bounds how long a stop waits for a fetch in progress. A fetch answers at once when there are events.
const FETCH_WAIT_MS = 200
const COMMIT_EVERY_MS = 1_000
const PARTITIONS_AT_ONCE = 8
// A consumer that kafkajs restarts by itself could fail for ever without a log line. We start a new one and log that.
const RETRY = { retries: 5, restartOnFailure: async () => false }
const STOP_MS = 5_000
const AGAIN_MS = 1_000
const AGAIN_AFTER_FAILURE_MS = 500

export type Reader = {
  group: string
  groupId: string
  topic: string
} & Handlers
type Surroundings = { kafka: Kafka; producer: SerialProducer; log: Logger; makeTopic(): Promise<void> }

/** Reads as one member of the group until it is stopped, whatever happens to the brokers. */
export function consume(around: Surroundings, reader: Reader): Subscription {
  const inHand = new Set<Promise<unknown>>()
  let askToStop = () => {}
  let stopping = false
  const stopAsked = new Promise<void>((resolve) => (askToStop = resolve))
  const life = async () => {
    await Promise.race([around.makeTopic(), stopAsked])
    if (stopping) return 0
    const consumer = around.kafka.consumer({
      groupId: reader.groupId,
      allowAutoTopicCreation: false,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      retry: RETRY,
    })
    const handleBatch = (payload: EachBatchPayload) => {
      const handled = readBatch(around, reader, payload, () => stopping)
      inHand.add(handled)
      return handled.finally(() => inHand.delete(handled))
    }
    // Attached before it runs: a consumer that may not join already crashes while it starts.
    const ended = endOf(consumer)
    ended.catch(() => {})
    try {
      await Promise.race([run(consumer, reader.topic, handleBatch), ended, stopAsked])
      await Promise.race([ended, stopAsked])
    } finally {
      await Promise.allSettled(inHand)
      // Without a broker, leaving the group would wait for one.
      await within(STOP_MS, consumer.disconnect(), 'could not leave').catch(() => {})
    }
    return 0
  }
  const loop = repeat(life, AGAIN_MS, (error) =>
    tellConsumerFailure(around.log, reader, { error }, 'consumer will try again'),
  )
  const stop = () => {
    stopping = true
    askToStop()
    return loop.stop()
  }
  return { stop }
}

async function run(
  consumer: Consumer,
  topic: string,
  eachBatch: (payload: EachBatchPayload) => Promise<void>,
): Promise<void> {
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  await consumer.run({
    eachBatch,
    eachBatchAutoResolve: false,
    autoCommitInterval: COMMIT_EVERY_MS,
    partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
  })
}

/** Rejects when kafkajs gives up on the consumer: after the retries, or at once when it is not authorized. */
function endOf(consumer: Consumer): Promise<never> {
  return new Promise((_, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
  })
}

/**
 * Handles the events of one partition in turn. When one fails, its partition pauses and the event comes again. The
 * other partitions go on meanwhile.
 */
async function readBatch(
  around: Surroundings,
  reader: Reader,
  payload: EachBatchPayload,
  stopping: () => boolean,
): Promise<void> {
  const { batch, resolveOffset, heartbeat, commitOffsetsIfNecessary, pause, isRunning, isStale } = payload
  const rest = await readTogether(reader, payload, stopping)
  for (const message of rest) {
    if (stopping() || !isRunning() || isStale()) return
    try {
      await whileBeating(heartbeat, async () => readMessage(around, reader, batch.partition, message))
    } catch (error) {
      const failure = { error, partition: batch.partition }
      tellConsumerFailure(around.log, reader, failure, 'event not handled, will try again')
      setTimeout(pause(), AGAIN_AFTER_FAILURE_MS)
      return
    }
    resolveOffset(message.offset)
    await commitOffsetsIfNecessary()
    await heartbeat()
  }
}

/** Handles each group of events at once. Returns the messages from the first failed group on, to handle one by one. */
async function readTogether(
  { handleAll }: Reader,
  { batch, resolveOffset, heartbeat, commitOffsetsIfNecessary, isRunning, isStale }: EachBatchPayload,
  stopping: () => boolean,
): Promise<KafkaMessage[]> {
  const { messages } = batch
  if (!handleAll) return messages
  for (let from = 0; from < messages.length; from += AT_ONCE) {
    if (stopping() || !isRunning() || isStale()) return []
    const group = messages.slice(from, from + AT_ONCE)
    try {
      await whileBeating(heartbeat, async () => handleAll(group.map(fromMessage)))
    } catch {
      // Each is handled alone, and its failure is logged there.
      return messages.slice(from)
    }
    for (const { offset } of group) resolveOffset(offset)
    await commitOffsetsIfNecessary()
    await heartbeat()
  }
  return []
}

/** Sends heartbeats during the work, which may take longer than a session: its member must not seem dead. */
async function whileBeating<T>(heartbeat: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  // If one fails, so does the heartbeat after the work.
  const beating = setInterval(() => void heartbeat().catch(() => {}), HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beating)
  }
}

async function readMessage(
  { producer, log }: Surroundings,
  { groupId, topic, handle }: Reader,
  partition: number,
  message: KafkaMessage,
): Promise<void> {
  try {
    await handle(fromMessage(message))
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error
    const { key, value, headers, offset } = message
    const reason = { 'dead-letter-reason': error.message, 'dead-letter-group': groupId }
    const source = { 'dead-letter-source': `${topic}/${partition}/${offset}` }
    await producer.send(deadLetterTopicOf(topic), [
      { key, value, headers: { ...headers, ...reason, ...source } },
    ])
    log.error(
      { topic, partition, offset, reason: error.message },
      'event cannot be read, moved to the dead letters',
    )
  }
}
