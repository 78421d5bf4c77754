import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka,
  logLevel,
  ResourcePatternTypes,
  type AclEntry,
  type Admin,
} from 'kafkajs'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import { UnreadableEvent, type EventLog, type LogEvent } from '@cofre/platform/events/event-log'
import { eventLogSettings, openEventLog } from '@cofre/platform/events/event-log-settings'
import { readSettings } from '@cofre/platform/service/settings'
import { services } from '@cofre/platform/service/services'
import { createLog } from '@cofre/platform/telemetry/log'
import { eventually } from '@cofre/testing/testing'
import { describeWith } from '../../engines/src/describe-with'
import { endAll, started, type Ends } from './ends'
import { startSecuredKafka, type SecuredKafka } from './secured-kafka'
import { blockWith, runCommands } from './page'

const GROUP = 'notifier'
/** The rights that the page grants: operation, kind of resource, prefix of its name. */
const granted = blockWith('kafka-acls.sh')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.startsWith('allow --'))
  .flatMap((line) => {
    const operations = [...line.matchAll(/--operation (\w+)/g)].map(([, name = '']) => name.toUpperCase())
    return [...line.matchAll(/--(topic|group) (\S+)/g)].flatMap(([, kind = '', name = '']) =>
      operations.map((operation) => [operation, kind.toUpperCase(), name] as [Operation, Kind, string]),
    )
  })
type Operation = 'CREATE' | 'READ' | 'WRITE'
type Kind = 'TOPIC' | 'GROUP'
const TOPICS = Object.values(services).flatMap(({ publishes = [] }) => publishes)

describeWith('kafka tools', 'a Kafka that asks for rights', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-rights-'))
  let kafka: SecuredKafka
  let admin: Admin
  const logged: string[] = []
  /** The ends of the file, and those of a test. */
  const [last, ends]: [Ends, Ends] = [[() => rmSync(dir, { recursive: true, force: true })], []]

  beforeAll(async () => {
    kafka = await started(last, startSecuredKafka(dir), (one) => one.stop())
    await runCommands(kafka.desk, blockWith('kafka-acls.sh'))
    admin = new Kafka({ ...kafka.asAdmin, logLevel: logLevel.NOTHING }).admin()
    last.push(() => admin.disconnect())
    await admin.connect()
  })
  afterEach(() => endAll(ends))
  afterAll(() => endAll(last))

  const open = async () => {
    const log = createLog('test', 'warn', { write: (line) => void logged.push(line) })
    const opened = await openEventLog(readSettings(eventLogSettings, kafka.settings), 'test', log)
    ends.push(() => opened.close())
    return opened
  }
  const event = (value: string): LogEvent => {
    return {
      id: randomUUID(),
      type: 'charge.captured',
      key: '1',
      sellerId: 1,
      traceparent: newTraceparent(),
      value,
    }
  }

  /** Handles published events: the first event at its second try, an unreadable one never. */
  const subscribe = async (log: EventLog, topic: string, group = GROUP) => {
    const tried: string[] = []
    const handled: string[] = []
    const subscription = await log.subscribe(group, topic, async ({ value }) => {
      tried.push(value)
      if (value === 'unreadable') throw new UnreadableEvent('it says so')
      if (tried.length === 1) throw new Error('not now')
      handled.push(value)
    })
    ends.push(() => subscription.stop())
    return handled
  }

  const deadLettersOf = async (topic: string) => {
    const offsets = await admin.fetchTopicOffsets(`${topic}.dead-letter`)
    return offsets.reduce((sum, { high }) => sum + Number(high), 0)
  }

  test.each(TOPICS)(
    'with the rights of the page, events of %s are written, read, retried and set aside',
    async (topic) => {
      const log = await open()
      const handled = await subscribe(log, topic)
      await eventually(() => log.publish(topic, ['first', 'unreadable', 'last'].map(event)))
      await eventually(() => expect(handled).toEqual(['first', 'last']))
      await eventually(async () => expect(await log.lag(GROUP, topic)).toBe(0))
      expect(await deadLettersOf(topic)).toBe(1)
    },
  )

  const rightsOf = async (): Promise<AclEntry[]> => {
    const { resources } = await admin.describeAcls({
      resourceType: AclResourceTypes.ANY,
      resourcePatternType: ResourcePatternTypes.ANY,
      operation: AclOperationTypes.ANY,
      permissionType: AclPermissionTypes.ANY,
    })
    return resources.flatMap(({ acls, ...resource }) =>
      acls.map((acl) => ({ ...acl, ...resource, resourcePatternType: resource.resourcePatternType })),
    )
  }

  /** Deletes rights and waits: for a moment after its answer, the broker still grants them. */
  const takeAway = async (rights: AclEntry[]) => {
    await admin.deleteAcls({ filters: rights })
    ends.push(() => admin.createAcls({ acl: rights }))
    await eventually(async () => expect(await rightsOf()).toHaveLength(granted.length - rights.length))
  }

  test.each(granted)(
    'without %s on %s %s an operation is refused and logged, and goes on once it is granted again',
    async (operation, kind, name) => {
      const all = await eventually(async () => {
        const rights = await rightsOf()
        expect(rights).toHaveLength(granted.length)
        return rights
      })
      const right = all.find(
        (one) =>
          one.operation === AclOperationTypes[operation] &&
          one.resourceType === AclResourceTypes[kind] &&
          one.resourceName === name,
      ) as AclEntry
      const topic = `${kind === 'TOPIC' ? name : TOPICS[0]}.${randomUUID()}`
      const log = await open()
      if (operation !== 'CREATE') await eventually(() => log.publish(topic, [event('first')]))
      logged.length = 0
      await takeAway([right])
      // A right on groups covers the groups whose names begin with its prefix.
      const handled = await subscribe(log, topic, kind === 'GROUP' ? name.replace(/\.$/, '') : GROUP)
      if (operation === 'CREATE' || operation === 'WRITE') {
        await expect(log.publish(topic, [event('last')])).rejects.toThrow('Not authorized')
      }
      if (operation !== 'WRITE') {
        await eventually(() => {
          expect(logged.join('')).toContain('Not authorized')
          expect(logged.join('')).toContain('consumer will try again')
        })
        expect(handled).toEqual([])
      }
      await admin.createAcls({ acl: [right] })
      await eventually(() => log.publish(topic, [event('last')]))
      await eventually(() => expect(handled).toContain('last'))
    },
  )

  test('existing topics need no right to create topics', async () => {
    const topic = `${TOPICS[0]}.${randomUUID()}`
    const before = await open()
    await eventually(() => before.publish(topic, [event('first')]))
    const creation = (await rightsOf()).filter(({ operation }) => operation === AclOperationTypes.CREATE)
    await takeAway(creation)
    const log = await open()
    const handled = await subscribe(log, topic)
    await log.publish(topic, [event('last')])
    await eventually(() => expect(handled).toEqual(['first', 'last']))
  })
})
