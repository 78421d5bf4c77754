import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describeWith } from '@cofre/engines/describe-with'
import type { Engine } from '@cofre/engines/engine'
import { startKafka } from '@cofre/engines/kafka'
import { freePorts } from '@cofre/engines/ports'
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import type { EventLog, LogEvent } from '../src/events/event-log'
import { openEventLog } from '../src/events/event-log-settings'
import { kafkaSettings } from '../src/events/kafka-settings'
import { createLog } from '../src/telemetry/log'
import { readSettings } from '../src/service/settings'
import { eventually } from '@cofre/testing/testing'
import { keepsTheContract, newEvent, newEvents, type LogUnderTest } from './event-log-contract'

const silent = createLog('test', 'silent')
const AFTER_OUTAGE_MS = 180_000

type Broker = LogUnderTest & { kafka: Kafka; kill(): Promise<void>; restart(): Promise<void> }

async function startBroker(): Promise<Broker> {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-kafka-'))
  const [first = 0, second = 0] = await freePorts(2)
  const options = { dir, ports: [first, second] as const }
  let engine: Engine = await startKafka(options)
  const kafka = new Kafka({ brokers: [`127.0.0.1:${first}`], logLevel: logLevel.NOTHING })
  const settings = {
    eventLogUrl: engine.url,
    ...readSettings(kafkaSettings, { KAFKA_PARTITIONS: '3', KAFKA_REPLICATION: '1' }),
  }
  return {
    kafka,
    open: () => openEventLog(settings, 'test', silent),
    newTopic: async () => `things.${randomUUID()}`,
    deadLetters: (topic) => readDeadLetters(kafka, topic),
    kill: () => engine.kill(),
    restart: async () => void (engine = await startKafka(options)),
    async end() {
      await engine.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function readDeadLetters(kafka: Kafka, topic: string): Promise<{ value: string; reason: string }[]> {
  const found: { value: string; reason: string }[] = []
  const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 50 })
  await consumer.connect()
  await consumer.subscribe({ topic: `${topic}.dead-letter`, fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ message: { value, headers } }) => {
      found.push({ value: String(value), reason: String(headers?.['dead-letter-reason']) })
    },
  })
  await eventually(() => expect(found).not.toEqual([])).catch(() => {})
  await consumer.disconnect()
  return found
}

describeWith('kafka', 'the log in Kafka keeps the contract:', () => keepsTheContract(startBroker))

describeWith('kafka', 'the log in Kafka', () => {
  let broker: Broker
  let topic: string
  let log: EventLog
  beforeAll(async () => {
    broker = await startBroker()
  })
  afterAll(() => broker.end())
  beforeEach(async () => {
    topic = await broker.newTopic()
    log = await broker.open()
  })
  afterEach(() => log.close())

  const upTo = (last: number) => Array.from({ length: last }, (_, index) => String(index + 1))
  /** Publishes until Kafka has them, as the relay does. */
  const publish = (events: LogEvent[]) => eventually(() => log.publish(topic, events), AFTER_OUTAGE_MS)

  test('when a broker is killed, no acknowledged event is lost and each key stays in order', async () => {
    const handled: string[] = []
    const seen = new Set<string>()
    const subscription = await log.subscribe('readers', topic, async ({ id, key, value }) => {
      if (!seen.has(id) && key === 'a') handled.push(value)
      seen.add(id)
    })
    let killed: Promise<void> | undefined
    for (let from = 1; from <= 500; from += 5) {
      await publish([...newEvents('a', 5, from), ...newEvents('b', 5, from)])
      if (from === 251) killed = broker.kill().then(broker.restart)
    }
    await killed
    await eventually(() => expect(seen.size).toBe(1_000), AFTER_OUTAGE_MS)
    expect(handled).toEqual(upTo(500))
    await subscription.stop()
  })

  test('a log opened while no broker is there publishes and is read once it is', async () => {
    await broker.kill()
    const handled: string[] = []
    const subscription = await log.subscribe('readers', topic, async ({ value }) => void handled.push(value))
    await expect(log.publish(topic, newEvents('a', 1))).rejects.toThrow('in time')
    await broker.restart()
    await publish(newEvents('a', 3))
    await eventually(() => expect(handled).toEqual(upTo(3)), AFTER_OUTAGE_MS)
    await subscription.stop()
  })

  test('a group of events that takes longer than a session stays with its consumer', async () => {
    const LONGER_THAN_A_SESSION_MS = 18_000
    const groups: string[][] = []
    const handleAll = async (events: readonly LogEvent[]) => {
      groups.push(events.map(({ value }) => value))
      await pause(LONGER_THAN_A_SESSION_MS)
    }
    await publish(newEvents('a', 20))
    const subscription = await log.subscribe('readers', topic, async () => {}, handleAll)
    await eventually(async () => expect(await log.lag('readers', topic)).toBe(0), AFTER_OUTAGE_MS)
    expect(groups).toEqual([upTo(20)])
    await subscription.stop()
  })

  test('stopping does not wait for a broker that is away', async () => {
    const subscription = await log.subscribe('readers', topic, async () => {})
    await publish(newEvents('a', 1))
    await eventually(async () => expect(await log.lag('readers', topic)).toBe(0))
    await broker.kill()
    await subscription.stop()
    await log.close()
    await broker.restart()
    // kafkajs must finish its retries before the test ends.
    const admin = broker.kafka.admin()
    await admin.connect()
    await eventually(async () => {
      const { groups } = await admin.describeGroups([`readers.${topic}`])
      expect(groups[0]?.members).toEqual([])
    }, AFTER_OUTAGE_MS)
    await admin.disconnect()
  })

  test('a record that is no event of ours is set aside with the reason, and holds up nobody', async () => {
    await publish(newEvents('a', 1))
    const producer = broker.kafka.producer()
    await producer.connect()
    await producer.send({ topic, messages: [{ key: 'a', value: 'not ours', headers: { 'event-id': 'x' } }] })
    await producer.disconnect()
    await publish(newEvents('a', 1, 2))
    const handled: string[] = []
    const subscription = await log.subscribe('readers', topic, async ({ value }) => void handled.push(value))
    await eventually(() => expect(handled).toEqual(upTo(2)))
    expect(await broker.deadLetters(topic)).toEqual([
      { value: 'not ours', reason: 'the header seller-id is missing' },
    ])
    await subscription.stop()
  })

  test('many large events of one key are taken, in order', async () => {
    const large = (value: string) => newEvent('a', JSON.stringify({ value, text: '✓'.repeat(30_000) }))
    const events = upTo(30).map(large)
    await log.publish(topic, events)
    const handled: string[] = []
    const subscription = await log.subscribe('readers', topic, async ({ value }) => {
      handled.push(JSON.parse(value).value)
    })
    await eventually(() => expect(handled).toEqual(upTo(30)))
    await subscription.stop()
  })

  test('a key that fails holds up no other partition', async () => {
    const handled: string[] = []
    const subscription = await log.subscribe('readers', topic, async ({ key }) => {
      if (key === 'stuck') throw new Error('the database is away')
      handled.push(key)
    })
    const keys = upTo(12)
    await publish([...newEvents('stuck', 1), ...keys.flatMap((key) => newEvents(key, 1))])
    await eventually(() => expect(handled.length).toBeGreaterThanOrEqual(4))
    await publish(keys.flatMap((key) => newEvents(key, 1)))
    await eventually(() => expect(handled.length).toBeGreaterThanOrEqual(8))
    await subscription.stop()
  })

  test('a topic has the partitions, copies and retention that the settings say', async () => {
    await publish(newEvents('a', 1))
    const admin = broker.kafka.admin()
    await admin.connect()
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    expect(topics[0]?.partitions.map(({ replicas }) => replicas.length)).toEqual([1, 1, 1])
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
    })
    const entry = resources[0]?.configEntries.find(({ configName }) => configName === 'retention.ms')
    expect(entry?.configValue).toBe(String(168 * 3_600_000))
    await admin.disconnect()
  })
})
