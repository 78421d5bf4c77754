import { eventually } from '@cofre/testing/testing'
import {
  askForInvoice,
  INVOICES,
  invoiceOf,
  listen,
  move,
  newCustomer,
  newInvoice,
  newShop,
  read,
  readInvoice,
  remove,
  toldIn,
  write,
  type Move,
  type Shop,
} from '../journeys/shop'
import { type Answer, discard, startSystem, type System } from '../journeys/system'

const MANY = 50
/** High limits: a test sends many requests at once. */
const PATIENT = { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000' }

let system: System
let shop: Shop
beforeAll(async () => {
  system = await startSystem(undefined, {
    adapt: (_name, settings) => ({ ...settings, ...PATIENT }),
  })
  shop = await newShop(system)
})
afterAll(async () => {
  await discard(system)
})

const many = <T>(ask: (nth: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_none, nth) => ask(nth)))

/** Sends MANY requests at once for one invoice, each move equally often, mixed. */
const crowd = (id: number, ...moves: Move[]) =>
  many(async (nth) => {
    const action = moves[nth % moves.length] ?? 'void'
    return { action, answer: await move(system, id, action) }
  })

const nameOf = ({ status, body }: Answer) => `${status} ${status < 400 ? body.status : body.code}`

function tally(names: readonly string[]): Record<string, number> {
  const told: Record<string, number> = {}
  for (const name of names) told[name] = (told[name] ?? 0) + 1
  return told
}
const counts = (crowded: Awaited<ReturnType<typeof crowd>>) =>
  tally(crowded.map(({ action, answer }) => `${action} ${nameOf(answer)}`))

const REFUSED = '422 INVALID_INVOICE_STATE'

/** The latest charge's status; undefined when there is none. */
async function chargeOf(id: number): Promise<string | undefined> {
  const { status, body } = await read(system, `${INVOICES}/${id}/charges/latest`)
  return status === 404 ? undefined : body.status
}

/** Runs `work` while an inbox listens. Then checks that each invoice has the events of `due`, each once, in order. */
async function heard(name: string, work: () => Promise<Map<number, readonly string[]>>): Promise<void> {
  const inbox = `raced-${name}`
  const { end } = await listen(system, inbox)
  const newest: number = (await read(system, `${INVOICES}?size=1`)).body.content[0]?.id ?? 0
  const due = await work()
  const told = await eventually(async () => {
    const all = await toldIn(system, inbox)
    const types = [...due.keys()].map((id) => [id, all.get(id)?.map(({ type }) => type)])
    expect(types).toEqual([...due].map(([id, moves]) => [id, moves.map((each) => `invoice.${each}`)]))
    return all
  })
  for (const id of due.keys()) {
    const events = told.get(id) ?? []
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, at) => at + 1))
    expect(events.at(-1)?.data).toEqual(await readInvoice(system, id))
  }
  expect([...told.keys()].filter((id) => id > newest)).toHaveLength(due.size)
  await end()
}

test('finalize against void on 50 invoices: void wins, before or after; the charge is cancelled or never made', () =>
  heard('finalize-void', async () => {
    const due = new Map<number, string[]>()
    const { id } = await newInvoice(system, invoiceOf(shop))
    const told = counts(await crowd(id, 'finalize', 'void'))
    const wasFinalized = told['finalize 201 PENDING'] ?? 0
    expect(told['void 200 CANCELLED']).toBe(1)
    expect(told[`void ${REFUSED}`]).toBe(MANY / 2 - 1)
    expect(wasFinalized + (told[`finalize ${REFUSED}`] ?? 0)).toBe(MANY / 2)
    expect(wasFinalized).toBeLessThan(2)
    due.set(id, wasFinalized ? ['created', 'finalized', 'voided'] : ['created', 'voided'])

    await many(async () => {
      const one = await newInvoice(system, invoiceOf(shop))
      const [finalized, voided] = await Promise.all([
        move(system, one.id, 'finalize'),
        move(system, one.id, 'void'),
      ])
      expect(nameOf(voided)).toBe('200 CANCELLED')
      expect(['201 PENDING', REFUSED]).toContain(nameOf(finalized))
      const isFinalized = finalized.status === 201
      expect(await chargeOf(one.id)).toBe(isFinalized ? 'CANCELLED' : undefined)
      due.set(one.id, isFinalized ? ['created', 'finalized', 'voided'] : ['created', 'voided'])
    })
    for (const each of due.keys()) expect((await readInvoice(system, each)).status).toBe('CANCELLED')
    return due
  }))

test('50 finalizations of one invoice at once: one makes a charge, the others are refused', () =>
  heard('finalize', async () => {
    const { id } = await newInvoice(system, invoiceOf(shop))
    const told = counts(await crowd(id, 'finalize'))
    expect(told).toEqual({ 'finalize 201 PENDING': 1, [`finalize ${REFUSED}`]: MANY - 1 })
    expect(await readInvoice(system, id)).toMatchObject({ status: 'CLOSED', charge: { status: 'PENDING' } })
    return new Map([[id, ['created', 'finalized']]])
  }))

test('void against uncollectible on 50 finalized invoices: void wins, before or after', () =>
  heard('void-uncollectible', async () => {
    const due = new Map<number, string[]>()
    const opened = await newInvoice(system, invoiceOf(shop))
    const told = counts(await crowd(opened.id, 'uncollectible', 'void'))
    expect(told['void 200 CANCELLED']).toBe(1)
    expect(told[`void ${REFUSED}`]).toBe(MANY / 2 - 1)
    const wasMarked = (told['uncollectible 200 UNCOLLECTIBLE'] ?? 0) > 0
    due.set(opened.id, wasMarked ? ['created', 'uncollectible', 'voided'] : ['created', 'voided'])

    await many(async () => {
      const { id } = await newInvoice(system, invoiceOf(shop))
      await move(system, id, 'finalize')
      const [marked, voided] = await Promise.all([
        move(system, id, 'uncollectible'),
        move(system, id, 'void'),
      ])
      expect(nameOf(voided)).toBe('200 CANCELLED')
      expect(['200 UNCOLLECTIBLE', REFUSED]).toContain(nameOf(marked))
      expect(await chargeOf(id)).toBe('CANCELLED')
      const between = marked.status === 200 ? ['uncollectible'] : []
      due.set(id, ['created', 'finalized', ...between, 'voided'])
    })
    for (const id of due.keys()) expect((await readInvoice(system, id)).status).toBe('CANCELLED')
    return due
  }))

test('a customer deleted while an invoice is made, 50 times: the invoice keeps the customer, or is refused', () =>
  heard('customer', async () => {
    const due = new Map<number, string[]>()
    await many(async (nth) => {
      const customerId = await newCustomer(system, { name: `Ana ${nth}` })
      const path = `/api/v2/customers/${customerId}`
      const [made, deleted] = await Promise.all([
        askForInvoice(system, invoiceOf({ ...shop, customerId })),
        remove(system, path),
      ])
      expect(['201 OPEN', '422 REFERENCE_NOT_FOUND']).toContain(nameOf(made))
      expect([204, 404]).toContain(deleted.status)
      expect((await read(system, path)).status).toBe(404)
      if (made.status !== 201) return
      expect((await readInvoice(system, made.body.id)).customer).toEqual({
        id: customerId,
        name: `Ana ${nth}`,
        document: '12345678909',
        email: 'ana@example.com',
      })
      due.set(made.body.id, ['created'])
    })
    return due
  }))

const ofStatus = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted)

test('50 invoices at once with one number: one gets it', () =>
  heard('number', async () => {
    const answers = await many(() => askForInvoice(system, invoiceOf(shop, { invoiceNumber: 'F-1' })))
    expect(tally(answers.map(nameOf))).toEqual({ '201 OPEN': 1, '422 INVOICE_NUMBER_TAKEN': MANY - 1 })
    const { body } = await read(system, `${INVOICES}?invoiceNumber=F-1`)
    const [made] = ofStatus(answers, 201)
    expect(body.content.map(({ id }: { id: number }) => id)).toEqual([made?.body.id])
    return new Map([[made?.body.id, ['created']]])
  }))

test('generated numbers and given numbers of the same form, at once: no two are the same', () =>
  heard('made-number', async () => {
    const first = await newInvoice(system, invoiceOf(shop))
    const following = (count: number) => String(Number(first.invoiceNumber) + count).padStart(6, '0')
    const make = () => askForInvoice(system, invoiceOf(shop))
    const give = (nth: number) =>
      askForInvoice(system, invoiceOf(shop, { invoiceNumber: following(4 * nth + 2) }))
    const [made, given] = await Promise.all([
      many(make),
      Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(give)),
    ])
    expect(tally(made.map(nameOf))).toEqual({ '201 OPEN': MANY })
    const taken = given.filter(({ status }) => status !== 201)
    expect(taken.map(nameOf)).toEqual(taken.map(() => '422 INVOICE_NUMBER_TAKEN'))
    const invoices = [first, ...ofStatus([...made, ...given], 201).map(({ body }) => body)]
    expect(new Set(invoices.map(({ invoiceNumber }) => invoiceNumber)).size).toBe(invoices.length)
    return new Map(invoices.map(({ id }) => [id, ['created']]))
  }))

/** Sends MANY requests at once with one key. Checks that each got the same answer, or was asked to come again. */
async function withOneKey(path: string, body?: object): Promise<{ id: number; invoiceNumber: string }> {
  const key = `one-${path}`
  const headers = { 'idempotency-key': key }
  const answers = await many(() => system.api('POST', path, { body, headers }))
  const { status, body: kept } = await write(system, 'POST', path, { body, key })
  expect(status).toBe(201)
  const served = ofStatus(answers, 201)
  expect(served.map((answer) => answer.body)).toEqual(served.map(() => kept))
  const others = Object.keys(tally(answers.filter((answer) => answer.status !== 201).map(nameOf)))
  const again = ['409 IDEMPOTENCY_KEY_IN_USE', '503 SERVICE_UNAVAILABLE']
  expect(others.filter((name) => !again.includes(name))).toEqual([])
  return kept
}

test('50 requests at once with one Idempotency-Key make one invoice, lose no number, and finalize it once', () =>
  heard('key', async () => {
    const before = await newInvoice(system, invoiceOf(shop))
    const made = await withOneKey(`/api/v2/sellers/${system.ready.sellerId}/invoices`, invoiceOf(shop))
    const charge = await withOneKey(`${INVOICES}/${made.id}/finalize`)
    expect(await readInvoice(system, made.id)).toMatchObject({ status: 'CLOSED', charge })
    const after = await newInvoice(system, invoiceOf(shop))
    expect(
      [before, made, after].map(({ invoiceNumber }) => Number(invoiceNumber) - Number(before.invoiceNumber)),
    ).toEqual([0, 1, 2])
    return new Map([
      [before.id, ['created']],
      [made.id, ['created', 'finalized']],
      [after.id, ['created']],
    ])
  }))
