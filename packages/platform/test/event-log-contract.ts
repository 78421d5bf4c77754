import { randomUUID } from 'node:crypto'
import { newTraceparent } from '../src/grpc/call-context'
import { UnreadableEvent, type EventLog, type LogEvent } from '../src/events/event-log'
import { eventually } from '@cofre/testing/testing'

/** One log, as an adapter's test sets it up. */
export type LogUnderTest = {
  /** Opens the log as another process would. */
  open(): Promise<EventLog>
  /** Makes a topic that nobody has used. */
  newTopic(): Promise<string>
  /** The events of the topic that were set aside. */
  deadLetters(topic: string): Promise<{ value: string; reason: string }[]>
  end(): Promise<void>
}

export function newEvent(key: string, value = '{}'): LogEvent {
  return { id: randomUUID(), type: 'thing.happened', key, sellerId: 9, traceparent: newTraceparent(), value }
}

/** Events with one key, their value counting from `from`. */
export function newEvents(key: string, count: number, from = 1): LogEvent[] {
  return Array.from({ length: count }, (_, index) => newEvent(key, String(from + index)))
}

/** The promises of every adapter of EventLog; each adapter's test runs them. */
export function keepsTheContract(start: () => Promise<LogUnderTest>): void {
  let underTest: LogUnderTest
  let log: EventLog
  let topic: string
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    underTest = await start()
  })
  afterAll(() => underTest.end())
  beforeEach(async () => {
    topic = await underTest.newTopic()
    log = await open()
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  async function open(): Promise<EventLog> {
    const opened = await underTest.open()
    ends.push(() => opened.close())
    return opened
  }

  /** Subscribes, keeps the handled events, and can be stopped early. */
  async function subscribe(options: {
    group?: string
    at?: EventLog
    handle?: (event: LogEvent) => Promise<void>
    handleAll?: (events: readonly LogEvent[]) => Promise<void>
  }) {
    const handled: LogEvent[] = []
    const { handleAll } = options
    const subscription = await (options.at ?? log).subscribe(
      options.group ?? 'readers',
      topic,
      async (event) => {
        await options.handle?.(event)
        handled.push(event)
      },
      handleAll && (async (events) => handleAll(events).then(() => void handled.push(...events))),
    )
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= subscription.stop())
    ends.push(stop)
    return { handled, stop }
  }

  const valuesOf = (events: LogEvent[], key?: string) =>
    events.filter((event) => key === undefined || event.key === key).map(({ value }) => Number(value))
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

  test('an event arrives as it was published, whatever its value holds', async () => {
    const value = JSON.stringify({ text: `ação ✓ 😀 " ' \\ \n \u2028`, long: 'x'.repeat(200_000) })
    const event = newEvent('a key of ours', value)
    await log.publish(topic, [event])
    const { handled } = await subscribe({})
    await eventually(() => expect(handled).toEqual([event]))
  })

  test('a group that comes late gets every event, oldest first; publishing no events does nothing', async () => {
    await log.publish(topic, newEvents('a', 3))
    await log.publish(topic, [])
    const { handled } = await subscribe({})
    await log.publish(topic, newEvents('a', 2, 4))
    await eventually(() => expect(valuesOf(handled)).toEqual(upTo(5)))
  })

  test('events of one key stay in order, across publishes and many at once', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e']
    const { handled } = await subscribe({})
    for (let from = 1; from <= 300; from += 100) {
      await log.publish(
        topic,
        upTo(100).flatMap((each) => keys.flatMap((key) => newEvents(key, 1, from + each - 1))),
      )
    }
    await eventually(() => expect(handled).toHaveLength(1_500))
    for (const key of keys) expect(valuesOf(handled, key)).toEqual(upTo(300))
  })

  test('an event whose handling fails comes again before any later event of its key', async () => {
    let failures = 0
    const { handled } = await subscribe({
      handle: async ({ value }) => {
        if (value === '3' && failures++ < 2) throw new Error('the database is away')
      },
    })
    await log.publish(topic, newEvents('a', 6))
    await eventually(() => expect(valuesOf(handled)).toContain(6))
    expect(failures).toBe(3)
    expect([...new Set(valuesOf(handled))]).toEqual(upTo(6))
  })

  test('an event that cannot be read is set aside, and the events behind it are handled', async () => {
    const { handled } = await subscribe({
      handle: async ({ value }) => {
        if (value === '2') throw new UnreadableEvent('not what it should be')
      },
    })
    await log.publish(topic, newEvents('a', 4))
    await eventually(() => expect(valuesOf(handled)).toEqual([1, 3, 4]))
    await eventually(async () =>
      expect(await underTest.deadLetters(topic)).toEqual([{ value: '2', reason: 'not what it should be' }]),
    )
  })

  test('a consumer that takes several at once gets the waiting events, in order and each once', async () => {
    let most = 0
    await log.publish(topic, newEvents('a', 420))
    const { handled } = await subscribe({
      handleAll: async (events) => void (most = Math.max(most, events.length)),
    })
    await eventually(() => expect(valuesOf(handled)).toEqual(upTo(420)))
    await log.publish(topic, newEvents('a', 1, 421))
    await eventually(() => expect(valuesOf(handled)).toEqual(upTo(421)))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(200)
    await eventually(async () => expect(await log.lag('readers', topic)).toBe(0))
  })

  test('when a group fails, each of its events is handled alone, and only an unreadable one is set aside', async () => {
    await log.publish(topic, newEvents('a', 4))
    let failures = 0
    const { handled } = await subscribe({
      handle: async ({ value }) => {
        if (value === '2') throw new UnreadableEvent('not what it should be')
        if (value === '3' && failures++ < 1) throw new Error('the database is away')
      },
      handleAll: async (events) => {
        if (events.some(({ value }) => Number(value) < 4)) throw new Error('one of them can not be handled')
      },
    })
    await eventually(() => expect(valuesOf(handled)).toContain(4))
    expect([...new Set(valuesOf(handled))]).toEqual([1, 3, 4])
    await eventually(async () =>
      expect(await underTest.deadLetters(topic)).toEqual([{ value: '2', reason: 'not what it should be' }]),
    )
  })

  test('the lag of a group is the number of events that it has not handled yet', async () => {
    await log.publish(topic, newEvents('a', 7))
    expect(await log.lag('readers', topic)).toBe(7)
    let held = true
    await subscribe({
      handle: async ({ value }) => {
        if (value === '4' && held) throw new Error('the database is away')
      },
    })
    await eventually(async () => expect(await log.lag('readers', topic)).toBe(4))
    held = false
    await eventually(async () => expect(await log.lag('readers', topic)).toBe(0))
  })

  test('each group gets every event', async () => {
    const one = await subscribe({ group: 'one' })
    const two = await subscribe({ group: 'two' })
    await log.publish(topic, newEvents('a', 10))
    await eventually(() => {
      expect(valuesOf(one.handled)).toEqual(upTo(10))
      expect(valuesOf(two.handled)).toEqual(upTo(10))
    })
  })

  test('two members of a group share the events: none twice, none of one key at the same time', async () => {
    const busy = new Map<string, number>()
    let clashes = 0
    const handle = async ({ key }: LogEvent) => {
      busy.set(key, (busy.get(key) ?? 0) + 1)
      if ((busy.get(key) ?? 0) > 1) clashes += 1
      await new Promise(setImmediate)
      busy.set(key, (busy.get(key) ?? 0) - 1)
    }
    const one = await subscribe({ handle })
    const two = await subscribe({ handle, at: await open() })
    for (const from of [1, 101, 201]) await log.publish(topic, newEvents('a', 100, from))
    await eventually(() => expect(one.handled.length + two.handled.length).toBe(300))
    expect(new Set([...one.handled, ...two.handled].map(({ id }) => id)).size).toBe(300)
    expect(clashes).toBe(0)
  })

  test('when a member leaves, the other goes on where it stopped', async () => {
    const one = await subscribe({})
    await log.publish(topic, newEvents('a', 5))
    await eventually(() => expect(one.handled).toHaveLength(5))
    const two = await subscribe({ at: await open() })
    await one.stop()
    await log.publish(topic, newEvents('a', 5, 6))
    await eventually(() => expect(valuesOf(two.handled)).toEqual([6, 7, 8, 9, 10]))
    expect(one.handled).toHaveLength(5)
  })

  test('after a restart a group gets the events that it has not handled, and no others', async () => {
    const before = await subscribe({})
    await log.publish(topic, newEvents('a', 5))
    await eventually(() => expect(before.handled).toHaveLength(5))
    await before.stop()
    await log.publish(topic, newEvents('a', 5, 6))
    const after = await subscribe({ at: await open() })
    await eventually(() => expect(valuesOf(after.handled)).toEqual([6, 7, 8, 9, 10]))
  })

  test('stopping waits for the event in hand, which counts as handled, and delivers no other', async () => {
    let finish = () => {}
    const began: string[] = []
    const { handled, stop } = await subscribe({
      handle: ({ value }) => new Promise<void>((resolve) => (began.push(value), (finish = resolve))),
    })
    await log.publish(topic, newEvents('a', 2))
    await eventually(() => expect(began).toEqual(['1']))
    const stopped = stop()
    finish()
    await stopped
    expect(valuesOf(handled)).toEqual([1])
    const after = await subscribe({ at: await open() })
    await eventually(() => expect(valuesOf(after.handled)).toEqual([2]))
  })

  test('with many publishers at once no event is skipped, and each publisher keeps its order', async () => {
    const { handled } = await subscribe({})
    const publishers = await Promise.all(upTo(4).map(open))
    await Promise.all(
      publishers.map(async (publisher, index) => {
        for (let from = 1; from <= 100; from += 4) {
          await publisher.publish(topic, newEvents(`publisher ${index}`, 4, from))
        }
      }),
    )
    await eventually(() => expect(handled).toHaveLength(400))
    for (const [index] of publishers.entries()) {
      expect(valuesOf(handled, `publisher ${index}`)).toEqual(upTo(100))
    }
  })
}
