import { Partitioners, type Kafka, type Message, type Producer } from 'kafkajs'
import { within } from '../within'

/**
 * How long a caller waits for Kafka to confirm its topic, and then again its events. After that it may publish them
 * again, and consumers drop the duplicates.
 */
export const PUBLISH_MS = 10_000
const CLOSE_MS = 5_000

export type SerialProducer = {
  send(topic: string, messages: Message[]): Promise<void>
  close(): Promise<void>
}

/**
 * One idempotent producer with one send outstanding. With more, kafkajs was measured to lose acknowledged messages when
 * an acknowledgement is lost. Sends wait for each other, even for one that its caller gave up.
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
      // The sequence that Kafka expects of this producer is unknown by now: the next send uses a new producer.
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
