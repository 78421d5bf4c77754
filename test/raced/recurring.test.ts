import type { RecurringJson } from '@cofre/api/recurring-invoice'
import { INVOICES, listen, move, newShop, read, write, type Shop } from '../journeys/shop'
import { cardFields, forget, startSystem, type Answer, type System } from '../journeys/system'
import { cardEndingIn } from '../killed/cards'
import { drawn } from '@cofre/testing/random'
import { checkBooks } from './paid-books'

const MANY = 12
const [APPROVED, ANSWER_LOST] = [1, 9]
/** High limits: a test sends many requests at once. */
const PATIENT = { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000' }
const INBOX = 'raced-recurring'
const RECURRING = '/api/v2/recurring-invoices'
const LATE = ['422 INVALID_INVOICE_STATE', '409 PAYMENT_PENDING']
const RACED_MS = 600_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let system: System
let shop: Shop
const numbers = drawn('cards that are raced for cycles')
beforeAll(async () => {
  system = await startSystem(undefined, { adapt: (_name, settings) => ({ ...settings, ...PATIENT }) })
  shop = await newShop(system)
  await listen(system, INBOX)
})
afterAll(async () => {
  await system.stop()
  forget(system.runDir)
})

const nameOf = ({ status, body }: Answer) => `${status} ${status < 400 ? body.status : body.code}`
/** The 11th of a later month: always to come, and every year has it. The billing clock only moves forward. */
const START = new Date()
const eleventh = (months: number) =>
  new Date(Date.UTC(START.getUTCFullYear(), START.getUTCMonth() + months, 11)).toISOString().slice(0, 10)
/** A moment of a day in São Paulo, epoch milliseconds. */
const at = (day: string, time: string) => Date.parse(`${day}T${time}:00-03:00`)

async function advance(to: number): Promise<void> {
  const answer = await write(system, 'POST', '/api/v2/sandbox/clock/advance', { body: { to } })
  expect([answer.status, answer.body.code]).toEqual([200, undefined])
}

/** Makes a recurring invoice that is billed on a day, and on that day of each later year. */
async function newRecurring(day: string, changes: object = {}): Promise<number> {
  const body = {
    customerId: shop.customerId,
    billingCycleStartDate: at(day, '12:00'),
    billingFrequency: 'YEARLY',
    collectionMethod: 'SEND_INVOICE',
    recurringItems: [{ productId: shop.productId, quantity: 2, unitPriceInCents: 4_990 }],
    ...changes,
  }
  const made = await write(system, 'POST', `/api/v2/sellers/${system.ready.sellerId}/recurring-invoices`, {
    body,
  })
  expect([made.status, made.body.code]).toEqual([201, undefined])
  return made.body.id
}

const manyOf = (day: string) => Promise.all(Array.from({ length: MANY }, () => newRecurring(day)))
const ask = (id: number, action: 'cancel' | 'pause' | 'resume') =>
  write(system, 'POST', `${RECURRING}/${id}/${action}`)
const card = (digit: number) => cardFields(cardEndingIn(digit, numbers))

/** A recurring invoice, and the cycles of its invoices. */
async function billedOf(id: number): Promise<{ recurring: RecurringJson; cycles: number[] }> {
  const { body: recurring } = await read(system, `${RECURRING}/${id}`)
  const { body: page } = await read(system, `${RECURRING}/${id}/invoices`)
  return { recurring, cycles: page.content.map(({ cycle }: { cycle: number }) => cycle) }
}

test(
  'cancel against billing: the cycle is billed before, or never',
  async () => {
    const day = eleventh(1)
    const ids = await manyOf(day)
    await advance(at(day, '00:00') - MINUTE_MS)
    const [, ...answers] = await Promise.all([
      advance(at(day, '00:00')),
      ...ids.map((id) => ask(id, 'cancel')),
    ])
    expect(answers.map(nameOf)).toEqual(ids.map(() => '200 CANCELLED'))
    const before = await Promise.all(ids.map(billedOf))
    await advance(at(day, '12:00') + DAY_MS)
    const after = await Promise.all(ids.map(billedOf))
    expect(after).toEqual(before)
    for (const { recurring, cycles } of after) {
      expect(recurring).toMatchObject({ status: 'CANCELLED', nextCycleDate: null })
      expect(cycles).toEqual(Array.from({ length: recurring.cyclesBilled }, () => 1))
      expect(recurring.cyclesBilled).toBeLessThan(2)
    }
  },
  RACED_MS,
)

test(
  'pause against billing: resumed on the same day, each has its cycle once, in either order',
  async () => {
    const day = eleventh(2)
    const ids = await manyOf(day)
    await advance(at(day, '00:00') - MINUTE_MS)
    const [, ...answers] = await Promise.all([
      advance(at(day, '00:00')),
      ...ids.map((id) => ask(id, 'pause')),
    ])
    expect(answers.map(nameOf)).toEqual(ids.map(() => '200 PAUSED'))
    for (const { recurring, cycles } of await Promise.all(ids.map(billedOf))) {
      expect(recurring).toMatchObject({ status: 'PAUSED', nextCycleDate: null })
      expect(cycles).toEqual(Array.from({ length: recurring.cyclesBilled }, () => 1))
    }
    const resumed = await Promise.all(ids.map((id) => ask(id, 'resume')))
    expect(resumed.map(nameOf)).toEqual(ids.map(() => '200 ACTIVE'))
    await advance(at(day, '12:00') + DAY_MS)
    for (const { recurring, cycles } of await Promise.all(ids.map(billedOf))) {
      expect([cycles, recurring.cyclesBilled, recurring.nextCycleDate]).toEqual([
        [1],
        1,
        at(eleventh(2 + 12), '00:00'),
      ])
      expect((await ask(recurring.id, 'cancel')).status).toBe(200)
    }
  },
  RACED_MS,
)

test('of many cancellations at once one cancels, and all find it cancelled; with and without one key', async () => {
  const id = await newRecurring(eleventh(6))
  const found = await Promise.all(Array.from({ length: MANY }, () => ask(id, 'cancel')))
  expect(found.map(nameOf)).toEqual(found.map(() => '200 CANCELLED'))
  expect(new Set(found.map(({ body }) => body.updatedAt)).size).toBe(1)

  const other = await newRecurring(eleventh(6))
  const key = `cancel-${other}`
  const answers = await Promise.all(
    Array.from({ length: MANY }, () => write(system, 'POST', `${RECURRING}/${other}/cancel`, { key })),
  )
  expect(answers.map(nameOf)).toEqual(answers.map(() => '200 CANCELLED'))
  expect(answers.map(({ body }) => body)).toEqual(answers.map(() => answers[0]?.body))
})

/** Bills invoices that are due on a day, on which a stored card is charged for each at six; some answers are lost. */
async function dueInvoices(day: string): Promise<number[]> {
  const ids = await Promise.all(
    Array.from({ length: MANY }, async (_none, nth) => {
      const body = card(nth % 4 === 3 ? ANSWER_LOST : APPROVED)
      const { status, body: stored } = await write(system, 'POST', '/api/v2/cards/tokens', { body })
      expect(status).toBe(201)
      return newRecurring(day, { collectionMethod: 'CHARGE_AUTOMATICALLY', cardId: stored.id })
    }),
  )
  await advance(at(day, '05:59'))
  const pages = await Promise.all(ids.map((id) => read(system, `${RECURRING}/${id}/invoices`)))
  return pages.map(({ body }) => body.content[0].id)
}

test(
  'automatic charge against a payment by hand: each invoice is paid once, and every cent is accounted for',
  async () => {
    const day = eleventh(3)
    const invoices = await dueInvoices(day)
    const [, ...answers] = await Promise.all([
      advance(at(day, '06:00')),
      ...invoices.map((id) =>
        write(system, 'POST', `${INVOICES}/${id}/credit-card/pay`, {
          body: { card: { ...card(APPROVED), cvv: '123' } },
        }),
      ),
    ])
    const names = answers.map(nameOf)
    expect(names.filter((name) => !['201 PAID', '201 PENDING', ...LATE].includes(name))).toEqual([])
    for (const id of invoices) expect(await checkBooks(system, INBOX, id)).toBe('PAID')
  },
  RACED_MS,
)

test(
  'void against automatic charge: the invoice is cancelled and nothing is charged, or it is paid',
  async () => {
    const day = eleventh(4)
    const invoices = await dueInvoices(day)
    const [, ...answers] = await Promise.all([
      advance(at(day, '06:00')),
      ...invoices.map((id) => move(system, id, 'void')),
    ])
    for (const [nth, id] of invoices.entries()) {
      const name = nameOf(answers[nth] as Answer)
      expect(['200 CANCELLED', ...LATE]).toContain(name)
      expect(await checkBooks(system, INBOX, id)).toBe(name === '200 CANCELLED' ? 'CANCELLED' : 'PAID')
    }
  },
  RACED_MS,
)
