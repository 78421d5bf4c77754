import { setTimeout as pause } from 'node:timers/promises'
import { callRpc } from '@cofre/platform/grpc/client'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { eventually } from '@cofre/testing/testing'
import { PROMPT_MS } from '../../src/sweepers/attempt'
import { chargeEvent, newChargeId } from '../support/charge-event'
import { attemptsOf } from '../support/deliveries'
import { startNotifier, type Notifier } from '../support/notifier'
import { PLAIN } from '../support/plain-endpoint'
import { startReceiver, type Receiver } from '../support/receiver'

let notifier: Notifier
let receiver: Receiver
beforeEach(async () => {
  // However busy the machine is, the receiver counts as fast.
  notifier = await startNotifier(({ delivery }) => ({ delivery: { ...delivery, patienceMs: 60_000 } }))
  receiver = await startReceiver()
  await notifier.consume()
})
afterEach(async () => {
  await receiver.close()
  await notifier.stop()
})

const publish = (chargeId: number, sequences: number[] = [1]) =>
  notifier.deps.eventLog.publish(
    'orders.v1',
    sequences.map((sequence) => chargeEvent({ chargeId, url: receiver.url, sequence })),
  )
const sequencesOf = (chargeId: number) =>
  receiver.received.filter(({ json }) => json.resource.id === chargeId).map(({ json }) => json.sequence)
const lanes = async () => (await notifier.pool.query('SELECT FROM lanes')).rowCount
const statusesOf = async (chargeId: number) => {
  const { rows } = await notifier.pool.query<{ status: string; attempts: number }>(
    'SELECT status, attempts FROM deliveries WHERE resource_id = $1 ORDER BY sequence',
    [chargeId],
  )
  return rows.map(({ status, attempts }) => `${status} ${attempts}`)
}

/** Repeats until the receiver has answered promptly and the outcome is stored, however busy the machine is. */
async function makePrompt(): Promise<void> {
  for (;;) {
    const chargeId = newChargeId()
    await publish(chargeId)
    await eventually(async () => expect(await statusesOf(chargeId)).toEqual(['DELIVERED 1']))
    const { rows } = await notifier.pool.query<{ ms: number }>(
      'SELECT duration_ms AS ms FROM attempts ORDER BY delivery_id DESC LIMIT 1',
    )
    if ((rows[0]?.ms ?? Infinity) <= PROMPT_MS) return
  }
}

/** Waits until a consumer wants to store. */
const untilOneWaits = () =>
  eventually(async () => {
    const { rows } = await notifier.pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    )
    expect(rows.length).toBeGreaterThan(0)
  })

/** Runs `work` while nothing can be stored. */
async function whileNothingIsStored(work: () => Promise<void>): Promise<void> {
  await withTransaction(notifier.pool, async (tx) => {
    await tx.query('LOCK deliveries IN SHARE MODE')
    await work()
  })
}

test('a receiver that answers at once gets a message before it is stored as delivered', async () => {
  let chargeId = 0
  // On a busy machine an answer may come too late, and the rest is stored first.
  for (let isAhead = false; !isAhead;) {
    await makePrompt()
    chargeId = newChargeId()
    await whileNothingIsStored(async () => {
      await publish(chargeId, [1, 2, 3])
      await untilOneWaits()
      isAhead = sequencesOf(chargeId).length === 3
      expect(await statusesOf(chargeId)).toEqual([])
    })
    await eventually(() => expect(sequencesOf(chargeId)).toEqual([1, 2, 3]))
  }
  await eventually(async () =>
    expect(await statusesOf(chargeId)).toEqual(['DELIVERED 1', 'DELIVERED 1', 'DELIVERED 1']),
  )
  expect(await attemptsOf(notifier.pool, chargeId)).toEqual([
    [1, 200],
    [1, 200],
    [1, 200],
  ])
  expect(await lanes()).toBe(0)
  expect(sequencesOf(chargeId)).toEqual([1, 2, 3])
})

test('an unknown receiver gets nothing before it is stored', async () => {
  const chargeId = newChargeId()
  let seen = -1
  await whileNothingIsStored(async () => {
    await publish(chargeId)
    await untilOneWaits()
    seen = receiver.received.length
  })
  expect(seen).toBe(0)
  await eventually(() => expect(sequencesOf(chargeId)).toEqual([1]))
})

test('messages of a charge wait for an earlier one that fails', async () => {
  await makePrompt()
  const chargeId = newChargeId()
  const answers = [200, 500, 500, 200, 200]
  receiver.respond((_received, response) => response.writeHead(answers.shift() ?? 200).end())
  await publish(chargeId, [1, 2, 3])
  await eventually(async () =>
    expect(await statusesOf(chargeId)).toEqual(['DELIVERED 1', 'DELIVERED 3', 'DELIVERED 1']),
  )
  expect(sequencesOf(chargeId)).toEqual([1, 2, 2, 2, 3])
})

test('a delivery that waits for its next attempt is not overtaken by a later one', async () => {
  await makePrompt()
  const chargeId = newChargeId()
  const held: (() => void)[] = []
  const answers = [500]
  receiver.respond((_received, response) => {
    const status = answers.shift()
    if (status === undefined) held.push(() => response.end())
    else response.writeHead(status).end()
  })
  await publish(chargeId, [1])
  await eventually(() => expect(held).toHaveLength(1))
  // Another charge is answered at once, so messages are sent ahead to the receiver again.
  receiver.respond(200)
  await makePrompt()
  await publish(chargeId, [2])
  await eventually(async () => expect(await statusesOf(chargeId)).toEqual(['PENDING 1', 'PENDING 0']))
  expect(sequencesOf(chargeId)).toEqual([1, 1])
  for (const answer of held) answer()
  await eventually(() => expect(sequencesOf(chargeId)).toEqual([1, 1, 2]))
})

test('a message that is slow for once is stored meanwhile, goes on, and counts once', async () => {
  await makePrompt()
  const [slow, other] = [newChargeId(), newChargeId()]
  const held: (() => void)[] = []
  receiver.respond((_received, response) => held.push(() => response.end()))
  await publish(slow, [1, 2])
  await eventually(async () => expect(await statusesOf(slow)).toEqual(['PENDING 0', 'PENDING 0']))
  receiver.respond(200)
  await publish(other)
  await eventually(async () => expect(await statusesOf(other)).toEqual(['DELIVERED 1']))
  expect(sequencesOf(slow)).toEqual([1])
  for (const answer of held) answer()
  await eventually(async () => expect(await statusesOf(slow)).toEqual(['DELIVERED 1', 'DELIVERED 1']))
  expect(sequencesOf(slow)).toEqual([1, 2])
  await eventually(async () => expect(await lanes()).toBe(0))
})

/** How many transactions have failed so far. */
async function failures(): Promise<number> {
  const { rows } = await notifier.pool.query<{ fails: number }>(
    'SELECT xact_rollback AS fails FROM pg_stat_database WHERE datname = current_database()',
  )
  return rows[0]?.fails ?? 0
}

test('a message waits for an earlier one that could not be stored', async () => {
  await makePrompt()
  const chargeId = newChargeId()
  const answers = [500]
  receiver.respond((_received, response) => response.writeHead(answers.shift() ?? 200).end())
  await notifier.pool.query('ALTER TABLE attempts RENAME TO away')
  await publish(chargeId, [1])
  await eventually(() => expect(sequencesOf(chargeId)).toEqual([1]))
  const before = await failures()
  await publish(chargeId, [2])
  await eventually(async () => expect(await failures()).toBeGreaterThan(before + 3))
  expect(sequencesOf(chargeId)).toEqual([1])
  await notifier.pool.query('ALTER TABLE away RENAME TO attempts')
  await eventually(async () => expect(await statusesOf(chargeId)).toEqual(['DELIVERED 1', 'DELIVERED 1']))
  expect(sequencesOf(chargeId)).toEqual([1, 1, 2])
})

test('a message that cannot be stored is sent ahead once, not each time', async () => {
  await makePrompt()
  const chargeId = newChargeId()
  await notifier.pool.query('ALTER TABLE attempts RENAME TO away')
  await publish(chargeId)
  await eventually(() => expect(sequencesOf(chargeId)).toEqual([1]))
  const before = await failures()
  await eventually(async () => expect(await failures()).toBeGreaterThan(before + 2))
  expect(sequencesOf(chargeId)).toEqual([1])
  await notifier.pool.query('ALTER TABLE away RENAME TO attempts')
  await eventually(async () => expect(await statusesOf(chargeId)).toEqual(['DELIVERED 1']))
  expect(sequencesOf(chargeId)).toEqual([1, 1])
  expect(new Set(receiver.received.slice(-2).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('once one part of a batch has used up the patience with receivers, the next part is stored first', async () => {
  await makePrompt()
  notifier.deps.delivery.patienceMs = 40
  const charges = Array.from({ length: 200 }, newChargeId)
  // Nothing but waiting is done meanwhile, so that all patience is spent however busy the machine is.
  let answer = () => {}
  const answering = new Promise<void>((resolve) => (answer = resolve))
  receiver.respond((_received, response) => void answering.then(() => response.end()))
  await whileNothingIsStored(async () => {
    const events = charges.map((chargeId) => chargeEvent({ chargeId, url: receiver.url }))
    await notifier.deps.eventLog.publish('orders.v1', events)
    await untilOneWaits()
    const heard = () => charges.map((chargeId) => sequencesOf(chargeId).length)
    await eventually(() => expect(heard().slice(0, 100)).toContain(1))
    // Time enough to send more than may be sent.
    await pause(2 * PROMPT_MS)
    expect(heard().slice(100)).not.toContain(1)
  })
  answer()
  await eventually(() => expect(charges.flatMap(sequencesOf)).toHaveLength(200))
})

test('a traced message is sent ahead like any other, below the trace of its event', async () => {
  const traced = ({ traceparent, ...event }: LogEvent) => ({
    ...event,
    traceparent: `${traceparent.slice(0, -2)}01`,
  })
  // On a busy machine an answer may come too late.
  for (let isAhead = false; !isAhead;) {
    await makePrompt()
    const from = receiver.received.length
    const events = Array.from({ length: 5 }, () =>
      traced(chargeEvent({ chargeId: newChargeId(), url: receiver.url })),
    )
    await whileNothingIsStored(async () => {
      await notifier.deps.eventLog.publish('orders.v1', events)
      await untilOneWaits()
      isAhead = receiver.received.length === from + events.length
    })
    await eventually(() => expect(receiver.received).toHaveLength(from + events.length))
    const traceOf = (traceparent: unknown) => String(traceparent).split('-')[1]
    const heard = receiver.received.slice(from).map(({ headers }) => traceOf(headers['traceparent']))
    expect(heard.toSorted()).toEqual(events.map(({ traceparent }) => traceOf(traceparent)).toSorted())
  }
})

test('an endpoint that its seller moves in the middle of a batch gets the rest at its new URL', async () => {
  const sellerId = 21
  const { client } = notifier
  const at = (path: string) => ({ sellerId, url: `${receiver.url}${path}`, events: [], ...PLAIN })
  const { endpoint } = await callRpc(client, client.createEndpoint, at('/old'))
  const publishSome = (count: number) =>
    notifier.deps.eventLog.publish(
      'orders.v1',
      Array.from({ length: count }, () => chargeEvent({ chargeId: newChargeId(), url: '', sellerId })),
    )
  const heardAt = (path: string) => receiver.received.filter((each) => each.path === path).length
  await publishSome(1)
  await eventually(() => expect(heardAt('/old')).toBe(1))
  let move: (() => Promise<unknown>) | undefined = () =>
    callRpc(client, client.replaceEndpoint, { endpointId: endpoint?.id ?? 0, ...at('/new') })
  receiver.respond((_received, response) => {
    const moving = move?.()
    move = undefined
    void Promise.resolve(moving).then(() => response.end())
  })
  await publishSome(200)
  await eventually(() => expect(heardAt('/old') + heardAt('/new')).toBe(201))
  // A hundred messages of a batch are sent and stored at once.
  expect(heardAt('/old')).toBeLessThanOrEqual(1 + 100)
})

test('a failure in one part of a batch holds up its charge in the next, sent while the first is stored', async () => {
  const event = (id: number, sequence = 1) => chargeEvent({ chargeId: id, url: receiver.url, sequence })
  // On a busy machine the answers of the first part may come too late, and the next one is not sent ahead.
  for (let isAhead = false; !isAhead;) {
    await makePrompt()
    const chargeId = newChargeId()
    const answers = [500]
    receiver.respond(({ json }, response) =>
      response.writeHead(json.resource.id === chargeId ? (answers.shift() ?? 200) : 200).end(),
    )
    const others = Array.from({ length: 150 }, () => event(newChargeId()))
    const from = receiver.received.length
    const areAllHeard = () => receiver.received.length >= from + others.length + 1
    await whileNothingIsStored(async () => {
      await notifier.deps.eventLog.publish('orders.v1', [event(chargeId), ...others, event(chargeId, 2)])
      await untilOneWaits()
      for (let looks = 0; !areAllHeard() && looks < 300; looks += 1) await pause(10)
      isAhead = areAllHeard()
      expect(sequencesOf(chargeId)).not.toContain(2)
    })
    await eventually(async () => expect(await statusesOf(chargeId)).toEqual(['DELIVERED 2', 'DELIVERED 1']))
    expect(sequencesOf(chargeId)).toEqual([1, 1, 2])
  }
})
