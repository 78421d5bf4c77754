import { Partitioners, type Kafka, type Message, type Producer } from 'kafkajs'
import { within } from '../within'

/**
 * How long a caller waits to hear that Kafka has its topic, and then that it has its events. After that it may publish them
 * again: what Kafka then has twice, consumers drop.
 */
export const PUBLISH_MS = 10_000
const CLOSE_MS = 5_000

export type SerialProducer = {
  send(topic: string, messages: Message[]): Promise<void>
  close(): Promise<void>
}

/**
 * One idempotent producer with one send outstanding: with more, kafkajs was measured to lose messages that were
 * acknowledged, when an acknowledgement is lost. Sends wait for each other, also for one that its caller gave up.
 */
export function openProducer(kafka: Kafka): SerialProducer {
  let producer: Promise<Producer> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false
  const sendNext = async (topic: string, messages: Message[], givenUp: () => boolean) => {
    if (givenUp() || closed) throw new Error('not sent: the time for it ran out')
    producer ??= connect(kafka)
    try {
      await (await producer).send({ topic, messages, acks: -1 })
    } catch (error) {
      // What Kafka expects next of this producer is not known any more: the next send is a new producer's.
      const failed = producer
      producer = undefined
      void failed.then((each) => each.disconnect()).catch(() => {})
      throw error
    }
  }
  return {
    send(topic, messages) {
      let givenUp = false
      const sent = last.then(() => sendNext(topic, messages, () => givenUp))
      last = sent.catch(() => {})
      return within(PUBLISH_MS, sent, 'Kafka did not acknowledge in time').catch((error) => {
        givenUp = true
        throw error
      })
    },
    async close() {
      closed = true
      const open = producer
      producer = undefined
      await within(CLOSE_MS, Promise.resolve(open?.then((each) => each.disconnect())), '').catch(() => {})
    },
  }
}

async function connect(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  })
  await producer.connect()
  return producer
}
