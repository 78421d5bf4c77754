import type { ChargeJson } from '@cofre/api/charge'
import { eventually } from '@cofre/testing/testing'
import { discard, startSystem, type System } from '../journeys/system'
import { checkTold } from './check'
import { faultsOf, truthAt, viewOf } from './judge'
import { clearFaults, paymentsOf, setFault } from './outside'
import { findCharges, newCard, orderOf, post, readCharge, type Answer, type Request } from './seller'

const MANY = 50

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await discard(system)
})

let keys = 0

type Order = { digit?: number; amount?: number; direct?: boolean; payments?: number; key?: string }

let ordered = 0
/** The request for a charge; `name` and `reference` find it, and `name` is the inbox that a direct charge notifies. */
async function newOrder({ digit = 1, amount = 10_000, direct, payments = 1, key }: Order = {}) {
  ordered += 1
  const reference = Date.now() * 1_000 + ordered
  const name = `raced-${reference}`
  const cards = await Promise.all(Array.from({ length: payments }, () => newCard(system, digit)))
  const request = orderOf(system, { cards, amount, direct: direct ?? false, name, reference })
  return { name, reference, request: key === undefined ? request : { ...request, key } }
}

async function newCharge(order?: Order): Promise<{ id: number; name: string }> {
  const { name, request } = await newOrder(order)
  const { status, body } = await post(system, request)
  expect(status).toBe(201)
  return { id: body.id, name }
}

const capture = (id: number, amount?: number): Request => ({
  path: `/api/v2/charges/${id}/capture`,
  body: { amount },
})
const refund = (id: number, amount?: number): Request => ({
  path: `/api/v2/charges/${id}/refund`,
  body: { amount },
})
const atOnce = (requests: readonly Request[]) => Promise.all(requests.map((one) => post(system, one)))
const many = (request: (nth: number) => Request) => Array.from({ length: MANY }, (_, nth) => request(nth))
const served = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 201)
const refusals = (answers: readonly Answer[]) => [
  ...new Set(answers.filter(({ status }) => status !== 201).map(({ status, code }) => `${status} ${code}`)),
]

/** Waits until nothing of a charge is pending; checks that it is consistent. */
async function settled(id: number): Promise<ChargeJson> {
  const charge = await eventually(async () => {
    const now = await readCharge(system, id)
    expect(viewOf(now).pending).toEqual([])
    return now
  })
  expect(faultsOf(charge)).toEqual([])
  return charge
}

const amountsAt = async (charge: ChargeJson) =>
  (await paymentsOf(system, charge)).map((payments) =>
    payments.map(truthAt).map(({ capturedAmount, voidedAmount }) => [capturedAmount, voidedAmount]),
  )

test('50 captures at once of one charge: one has an effect, the others get 422', async () => {
  const { id } = await newCharge()
  const answers = await atOnce(many((nth) => capture(id, 5_000 + nth)))
  const [done, ...more] = served(answers)
  expect(more).toEqual([])
  expect(refusals(answers)).toEqual(['422 INVALID_CHARGE_STATE'])

  const charge = await settled(id)
  expect(charge).toEqual(done?.body)
  const amount = charge.capturedAmount
  expect(charge).toMatchObject({ status: 'PARTIALLY_CAPTURED', refundedAmount: 0 })
  expect(done && answers.indexOf(done)).toBe(amount - 5_000)
  expect(await amountsAt(charge)).toEqual([[[amount, 0]]])
})

test('50 partial captures at once of three payments: one fills the first two, and the third is voided', async () => {
  const { id } = await newCharge({ payments: 3, amount: 1_000 })
  const answers = await atOnce(many(() => capture(id, 1_500)))
  expect(served(answers)).toHaveLength(1)
  expect(refusals(answers)).toEqual(['422 INVALID_CHARGE_STATE'])

  const charge = await settled(id)
  expect(charge).toMatchObject({ status: 'PARTIALLY_CAPTURED', capturedAmount: 1_500 })
  expect(await amountsAt(charge)).toEqual([[[1_000, 0]], [[500, 0]], [[0, 1_000]]])
})

test('50 refunds at once that exceed the capture: none goes beyond it, and none that fits is refused', async () => {
  const { id, name } = await newCharge({ direct: true })
  const amountOf = (nth: number) => 101 + 17 * nth
  const answers = await atOnce(many((nth) => refund(id, amountOf(nth))))
  const given = answers.reduce((sum, { status }, nth) => sum + (status === 201 ? amountOf(nth) : 0), 0)
  const left = 10_000 - given
  const refused = answers.flatMap(({ status }, nth) => (status === 201 ? [] : [amountOf(nth)]))
  expect(refusals(answers)).toEqual(['422 REFUND_EXCEEDS_CAPTURED'])
  expect(left).toBeGreaterThanOrEqual(0)
  expect(Math.min(...refused)).toBeGreaterThan(left)

  const charge = await settled(id)
  expect(charge.refundedAmount).toBe(given)
  expect(await amountsAt(charge)).toEqual([[[10_000, given]]])
  await checkTold(system, name, charge)
})

test.each([
  ['authorize', {}],
  ['charge', { direct: true }],
  ['authorize, unanswered by the acquirer', { digit: 9 }],
  ['authorize, declined', { digit: 2 }],
])('50 requests at once with one Idempotency-Key: one charge (%s)', async (_what, order) => {
  const { name, reference, request } = await newOrder({ ...order, key: `one-key-${++keys}` })
  const answers = await atOnce(many(() => request))
  await expectOneAnswer(request, answers)

  const [charge, ...more] = await findCharges(system, name, reference)
  expect(more).toEqual([])
  const end = await settled(charge?.id ?? 0)
  const payments = await paymentsOf(system, end)
  expect(payments).toHaveLength(1)
  expect(payments[0]).toMatchObject([{ amount: 10_000, voidedAmount: 0 }])
  if ('direct' in order) await checkTold(system, name, end)
})

test.each(['capture', 'refund'] as const)(
  '50 requests at once with one Idempotency-Key: one %s',
  async (what) => {
    const { id } = await newCharge({ direct: what === 'refund' })
    const request = { ...(what === 'capture' ? capture : refund)(id, 100), key: `one-key-${++keys}` }
    await expectOneAnswer(request, await atOnce(many(() => request)))
    const charge = await settled(id)
    expect(charge.transactions.filter(({ type }) => type === what.toUpperCase())).toHaveLength(1)
    expect(await amountsAt(charge)).toEqual([[what === 'capture' ? [100, 0] : [10_000, 100]]])
  },
)

/** Checks that one request was served, and that the others got its answer or that its key is in use. */
async function expectOneAnswer(request: Request, answers: readonly Answer[]): Promise<void> {
  const [first, ...others] = served(answers).sort(
    (one, other) => Number(one.replayed) - Number(other.replayed),
  )
  expect(first?.replayed).toBe(false)
  for (const other of [...others, await post(system, request)]) {
    expect(other).toEqual({ ...first, replayed: true, tookMs: other.tookMs })
  }
  expect(refusals(answers).filter((refusal) => refusal !== '409 IDEMPOTENCY_KEY_IN_USE')).toEqual([])
}

test('50 requests at once with one key while the acquirer is not reached at first: at most one payment', async () => {
  const { name, reference, request } = await newOrder({ key: `one-key-${++keys}` })
  await setFault(system, 'NOT_REACHED', 2)
  const answers = await atOnce(many(() => request))
  await clearFaults(system)
  const codes = ['409 IDEMPOTENCY_KEY_IN_USE', '503 SERVICE_UNAVAILABLE']
  expect(refusals(answers).filter((refusal) => !codes.includes(refusal))).toEqual([])
  // A client that got 503 asks again with the same key.
  const last = await post(system, request)
  expect(last).toMatchObject({ status: 201, body: { status: 'AUTHORIZED' } })

  const charges = await findCharges(system, name, reference)
  expect(charges.filter(({ status }) => status !== 'FAILED').map(({ id }) => id)).toEqual([last.body.id])
  const payments = (await Promise.all(charges.map((charge) => paymentsOf(system, charge)))).flat(2)
  expect(payments).toMatchObject([{ amount: 10_000, status: 1 }])
})

test('25 captures against 25 voids: one of them wins, here and at the acquirer', async () => {
  const { id } = await newCharge()
  const answers = await atOnce(many((nth) => (nth % 2 === 0 ? capture(id) : refund(id))))
  const captures = served(answers.filter((_, nth) => nth % 2 === 0)).length
  const refunds = served(answers.filter((_, nth) => nth % 2 === 1)).length
  const codes = ['422 INVALID_CHARGE_STATE', '422 REFUND_EXCEEDS_CAPTURED']
  expect(refusals(answers).filter((refusal) => !codes.includes(refusal))).toEqual([])

  const charge = await settled(id)
  // A refund that comes after the capture gives the captured money back.
  const ends: Record<string, [captures: number, refunds: number, truth: number[]]> = {
    CAPTURED: [1, 0, [10_000, 0]],
    REFUNDED: [1, 1, [10_000, 10_000]],
    VOIDED: [0, 1, [0, 10_000]],
  }
  expect([captures, refunds, (await amountsAt(charge)).flat(2)]).toEqual(ends[charge.status])
})

test('refunds of which some lose their answers: one that may have happened counts until it is known', async () => {
  const { id, name } = await newCharge({ direct: true })
  await setFault(system, 'ANSWER_LOST', 2)
  await setFault(system, 'HTTP_500', 2)
  // The queries fail too, so the refunds stay pending until they are checked, however slow the machine is.
  await setFault(system, 'ANSWER_LOST', 10_000, { changes: false, queries: true })
  const answers = await atOnce(many(() => refund(id, 900)))
  expect(await system.sandbox('GET', '/faults')).toMatchObject([{ changes: false }])
  expect(served(answers)).toHaveLength(11)
  expect(refusals(answers)).toEqual(['422 REFUND_EXCEEDS_CAPTURED'])

  const before = await readCharge(system, id)
  expect(viewOf(before)).toMatchObject({ refunded: 7 * 900, pending: Array(4).fill('REFUND 900') })
  expect(await amountsAt(before)).toEqual([[[10_000, 9 * 900]]])
  expect(await post(system, refund(id, 101))).toMatchObject({ status: 422, code: 'REFUND_EXCEEDS_CAPTURED' })

  await clearFaults(system)
  const after = await settled(id)
  expect(after.refundedAmount).toBe(9 * 900)
  expect(await post(system, refund(id))).toMatchObject({ status: 201, body: { status: 'REFUNDED' } })
  expect(await amountsAt(after)).toEqual([[[10_000, 10_000]]])
  await checkTold(system, name, await readCharge(system, id))
})

test('a capture that loses its answer, against voids: nothing else happens until its outcome is known', async () => {
  const { id } = await newCharge()
  // The queries fail too, so the capture stays pending until the others are refused, however slow they are.
  await setFault(system, 'ANSWER_LOST', 10_000, { queries: true })
  const first = await post(system, capture(id, 4_000))
  const others = await atOnce(many((nth) => (nth % 2 === 0 ? capture(id) : refund(id))))
  await clearFaults(system)
  expect(viewOf(first.body)).toMatchObject({ status: 'AUTHORIZED', pending: ['CAPTURE 4000'] })
  expect([served(others), refusals(others)]).toEqual([[], ['422 INVALID_CHARGE_STATE']])
  const charge = await settled(id)
  expect(charge).toMatchObject({ status: 'PARTIALLY_CAPTURED', capturedAmount: 4_000 })
  expect(await amountsAt(charge)).toEqual([[[4_000, 0]]])
})
