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

// A member that dies silently is missed for so long.
const SESSION_MS = 15_000
const HEARTBEAT_MS = 1_000
// Bounds how long stopping waits for a fetch under way; a fetch answers at once when there is something.
const FETCH_WAIT_MS = 200
const COMMIT_EVERY_MS = 1_000
const PARTITIONS_AT_ONCE = 8
// One that kafkajs began again by itself would fail for ever without our logging it: we begin a new one, and tell.
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

/** Reads as one member of the group for as long as it is not stopped, whatever becomes of the brokers. */
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
    // Listened to before it runs: one that may not join tells so while it does.
    const ended = endOf(consumer)
    ended.catch(() => {})
    try {
      await Promise.race([run(consumer, reader.topic, handleBatch), ended, stopAsked])
      await Promise.race([ended, stopAsked])
    } finally {
      await Promise.allSettled(inHand)
      // With no broker there, leaving the group would wait for one.
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

/** Rejects when kafkajs gives the consumer up: after the retries, or at once where it is not authorized. */
function endOf(consumer: Consumer): Promise<never> {
  return new Promise((_, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
  })
}

/**
 * Handles the events of one partition in turn. One that fails rests with its partition and comes again; the others
 * go on meanwhile.
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
      await readMessage(around, reader, batch.partition, message)
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

/** The events of a group are handled at once. From the first group that fails on, one by one: those are answered. */
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
      // Each is handled by itself, and what fails is told of there.
      return messages.slice(from)
    }
    for (const { offset } of group) resolveOffset(offset)
    await commitOffsetsIfNecessary()
    await heartbeat()
  }
  return []
}

/** A group of events may take longer than a session: Kafka hears meanwhile that its member lives. */
async function whileBeating<T>(heartbeat: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  // Where it fails, the next heartbeat after the group does as well.
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
    const told = { 'dead-letter-reason': error.message, 'dead-letter-group': groupId }
    const source = { 'dead-letter-source': `${topic}/${partition}/${offset}` }
    await producer.send(deadLetterTopicOf(topic), [
      { key, value, headers: { ...headers, ...told, ...source } },
    ])
    log.error(
      { topic, partition, offset, reason: error.message },
      'event cannot be read, moved to the dead letters',
    )
  }
}
