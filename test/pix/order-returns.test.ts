import { ChargeStatus, TransactionStatus, TransactionType, type Charge } from '@cofre/proto/orders/v1/orders'
import { addDevolution } from '../../sandbox/src/pix/received/settle'
import { newMessageId, type Received } from '../../sandbox/src/pix/received/received'
import { resolvePending } from '../../services/orders/test/support/resolve-pending'
import { get, passDeadlines } from '../../services/orders/test/support/start-orders'
import {
  books,
  charge,
  list,
  nextChange,
  payAt,
  startPixOrders,
  told,
  type PixOrders,
} from './start-pix-orders'

const { FAILED, PENDING, SUCCEEDED } = TransactionStatus
const { CAPTURED, EXPIRED, PARTIALLY_REFUNDED } = ChargeStatus

let pix: PixOrders
beforeAll(async () => {
  pix = await startPixOrders()
})
afterAll(() => pix.stop())
afterEach(() => {
  pix.faults.clear()
  pix.bank.nextDevolutions = []
})

const paidTwice = async () => {
  const made = await charge(pix)
  const first = payAt(pix, made)
  const second = payAt(pix, made, { forced: true })
  return { made, first, second }
}
/** Gives money of a Pix back at the bank, which nobody here asked for. */
const giveBack = ({ endToEndId }: Received, amount: number) => {
  const at = Date.now()
  const id = `MED${amount}`
  const asked = {
    id,
    rtrId: newMessageId('D', at),
    amount,
    nature: 'MED_FRAUDE',
    status: 'EM_PROCESSAMENTO',
    askedAt: at,
  } as const
  addDevolution(pix.bank, pix.bank.received.get(endToEndId)!, asked, 'DEVOLVIDO')
}
const returnedEvents = async ({ id }: Charge) => {
  const of = "SELECT FROM outbox WHERE key = $1 AND type = 'charge.pix_returned'"
  return (await pix.pool.query(of, [String(id)])).rowCount
}
const voidsOf = (of: Charge) => of.transactions.filter(({ type }) => type === TransactionType.VOID)
/** Looks at a charge after its deadlines, so that the bank's silence proves something. */
const later = async (of: Charge) => {
  await passDeadlines(pix, of)
  await resolvePending(pix.deps)
  return get(pix, of)
}

test('a second Pix whose return the bank could not make is given back by another return', async () => {
  const { made } = await paidTwice()
  pix.bank.nextDevolutions = [{ status: 'NAO_REALIZADO', times: 1 }]
  await told(pix, made)
  await told(pix, made)
  const settled = await told(pix, made)
  expect(settled).toMatchObject({ status: CAPTURED, capturedAmount: 12_345, refundedAmount: 0 })
  expect(voidsOf(settled)).toMatchObject([
    { status: FAILED, failure: { acquirerCode: 'NAO_REALIZADO' } },
    { status: SUCCEEDED, amount: 12_345 },
  ])
  expect(books(pix, made).map(({ returned }) => returned)).toEqual([[], [12_345]])
  expect(await returnedEvents(made)).toBe(1)
})

test('of a second Pix of which the bank gave a part back meanwhile, the rest is given back', async () => {
  const { made, second } = await paidTwice()
  nextChange(pix, 'HTTP_500')
  await told(pix, made)
  giveBack(second, 4_000)
  await later(made)
  const settled = await told(pix, made)
  expect(voidsOf(settled)).toMatchObject([
    { status: FAILED, amount: 12_345 },
    { status: SUCCEEDED, amount: 8_345 },
  ])
  expect(books(pix, made).map(({ returned }) => returned)).toEqual([[], [4_000, 8_345]])
})

test('what the bank gave back of the payment is adopted while the return of another Pix is pending', async () => {
  const { made, first } = await paidTwice()
  pix.bank.nextDevolutions = [{ status: 'EM_PROCESSAMENTO', times: 1 }]
  await told(pix, made)
  giveBack(first, 1_000)
  const known = await told(pix, made)
  expect(known).toMatchObject({ status: PARTIALLY_REFUNDED, refundedAmount: 1_000 })
  expect(voidsOf(known)).toMatchObject([{ status: PENDING }])
  expect(await told(pix, made)).toMatchObject({ refundedAmount: 1_000 })
})

test('a second Pix, and what the bank gave back, are found by the list of the key when their notices are lost', async () => {
  const made = await charge(pix)
  const first = payAt(pix, made)
  expect(await list(pix, made)).toBe(1)
  await resolvePending(pix.deps)
  expect(await list(pix, made)).toBe(0)

  payAt(pix, made, { forced: true })
  expect(await list(pix, made)).toBe(1)
  await resolvePending(pix.deps)
  expect(books(pix, made).map(({ returned }) => returned)).toEqual([[], [12_345]])
  await told(pix, made)
  expect(await list(pix, made)).toBe(0)

  giveBack(first, 1_000)
  expect(await list(pix, made)).toBe(1)
  await resolvePending(pix.deps)
  expect(await get(pix, made)).toMatchObject({ status: PARTIALLY_REFUNDED, refundedAmount: 1_000 })
  expect(await list(pix, made)).toBe(0)
})

test('a return that fails after the end of a charge is tried again when the books are compared', async () => {
  const made = await charge(pix)
  payAt(pix, made, { forced: true, amountInCents: 10_000 })
  pix.bank.nextDevolutions = [{ status: 'NAO_REALIZADO', times: 2 }]
  for (let looks = 0; looks < 4; looks += 1) await told(pix, made)
  expect(voidsOf(await get(pix, made))).toMatchObject([{ status: FAILED }, { status: FAILED }])
  await pix.pool.query(
    "UPDATE transactions SET created_at = created_at - interval '2 days' WHERE charge_id = $1",
    [made.id],
  )
  await pix.compare(made)
  const settled = await later(made)
  expect(settled.status).toBe(EXPIRED)
  expect(await returnedEvents(settled)).toBe(1)
  expect(books(pix, made)).toEqual([{ amount: 10_000, returned: [10_000] }])
})
