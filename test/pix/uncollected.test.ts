import { Discount, InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { MovementKind, WriteOffReason } from '@cofre/proto/invoices/v1/money'
import { PixCollectionStatus, PixPermissionStatus } from '@cofre/proto/invoices/v1/pix'
import { moveClock, now } from '../../services/invoices/src/clock/billing-clock'
import { get } from '../../services/invoices/test/support/invoices'
import { billUntil } from '../../services/invoices/test/support/recurring'
import {
  ask,
  atDay,
  cancelPermission,
  collectionOf,
  decide,
  lastInvoice,
  lettersOf,
  lookAtPermissions,
  passDays,
  permissionOf,
  permittable,
  permitted,
  runJobs,
} from './permitted'
import { issue, look, movementsOf, payAt, startPix, unexpected, type TestPix } from './start-pix'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())
beforeEach(() => atDay(pix, '2055-01-31'))
afterEach(() => {
  moveClock(0)
  pix.faults.clear()
  pix.bank.nextRejections = []
})

const { ACTIVE, PENDING, REFUSED, PAID } = PixCollectionStatus
const DISCOUNTS = [
  Discount.fromPartial({ daysBeforeDueDate: 0, amountInCents: 1_000 }),
  Discount.fromPartial({ daysBeforeDueDate: 3, amountInCents: 2_000 }),
]

/** The bank turns calls away unread: it gives no token, and the call without one is answered 401. */
const turnAway = (times: number) =>
  pix.faults.add({
    partner: 'PIX_BANK',
    kind: 'HTTP_500',
    times,
    delayMs: 0,
    changes: false,
    queries: true,
  })
const passDeadlines = () =>
  pix.pool.query("UPDATE pix_charges SET dispatch_deadline = now() - interval '1 day'")
const statusOf = async (invoice: Invoice) => (await get(pix, invoice)).status

/** Has the call for the first collection of a new recurring invoice turned away. */
async function turnedAway(): Promise<Invoice> {
  const { recurring } = await permitted(pix)
  await billUntil(pix, now())
  turnAway(1)
  await runJobs(pix)
  await passDeadlines()
  return lastInvoice(pix, recurring)
}

test('a collection whose call never left is sent later, and nobody hears that it failed', async () => {
  const invoice = await turnedAway()
  expect(await collectionOf(pix, invoice)).toMatchObject({ status: PENDING })
  await passDays(pix, '2055-02-03', 1)
  expect(await collectionOf(pix, invoice)).toMatchObject({ status: ACTIVE })
  expect(await lettersOf(pix, invoice)).toEqual([])
  await passDays(pix, '2055-02-05', 3)
  expect(await statusOf(invoice)).toBe(InvoiceStatus.PAID)
})

test('a collection whose call does not leave while banks take it is over, and a letter says so', async () => {
  const invoice = await turnedAway()
  const { register } = pix.deps.pix.bank
  Object.assign(pix.deps.pix.bank, { register: () => Promise.resolve({ result: 'not_sent' }) })
  try {
    await passDays(pix, '2055-02-03')
    expect(await collectionOf(pix, invoice)).toMatchObject({ status: PENDING })
    await passDeadlines()
    await passDays(pix, '2055-02-04')
  } finally {
    Object.assign(pix.deps.pix.bank, { register })
  }
  expect(await collectionOf(pix, invoice)).toMatchObject({ status: REFUSED, code: 'NOT_SENT' })
  expect(await lettersOf(pix, invoice)).toEqual(['NOT_COLLECTED'])
})

test('a payer permits the amount with the discount until the due date, which is collected and pays, also days later', async () => {
  const { recurring, permission } = await permitted(pix, { terms: { discounts: DISCOUNTS } })
  expect(permission.amount).toBe(8_980)
  await passDays(pix, '2055-01-31')
  const invoice = await lastInvoice(pix, recurring)
  const idRec = permission.recId
  pix.bank.nextRejections.push({ code: 'AM02', times: 2, idRec })
  await passDays(pix, '2055-02-05', 8)
  expect(await collectionOf(pix, invoice)).toMatchObject({ status: PAID, amount: 8_980 })
  expect(await get(pix, invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 8_980 })
  expect(await unexpected(pix, invoice)).toEqual([])
  const writtenOff = (await movementsOf(pix, invoice)).filter(({ kind }) => kind === MovementKind.WRITE_OFF)
  expect(writtenOff).toMatchObject([{ amount: 1_000, reason: WriteOffReason.EARLY_PAYMENT_DISCOUNT }])
})

test('after a part payment no other amount than the permitted one is collected: the letter asks for the rest', async () => {
  const terms = { partialPayments: true }
  const { recurring } = await permitted(pix, { daysUntilDue: 20, terms })
  await passDays(pix, '2055-01-31')
  const invoice = await lastInvoice(pix, recurring)
  const charge = await issue(pix, invoice)
  payAt(pix, charge, { at: now(), amountInCents: 5_000, forced: true })
  await pix.pool.query('UPDATE pix_charges SET ask_at = $1 WHERE txid = $2', [new Date(now()), charge.txid])
  await look(pix)
  expect(await get(pix, invoice)).toMatchObject({ paidAmount: 5_000 })
  const known = pix.bank.cobrs.all().length
  await passDays(pix, '2055-02-10')
  expect(await collectionOf(pix, invoice)).toMatchObject({ status: REFUSED, code: 'OTHER_AMOUNT' })
  expect(pix.bank.cobrs.all()).toHaveLength(known)
  expect(await lettersOf(pix, invoice)).toEqual(['NOT_COLLECTED'])
})

test('a permission that the seller has ended collects nothing, also if the payer approves before the bank ends it', async () => {
  const recurring = await permittable(pix)
  const permission = await ask(pix, recurring)
  await billUntil(pix, now())
  const known = pix.bank.cobrs.all().length
  const { automatic } = pix.deps.pix.bank
  const { cancel } = automatic
  Object.assign(automatic, { cancel: () => Promise.resolve({ result: 'unknown' }) })
  try {
    await cancelPermission(pix, recurring)
    await decide(pix, permission, 'APROVADA')
    await lookAtPermissions(pix)
  } finally {
    Object.assign(automatic, { cancel })
  }
  expect(await permissionOf(pix, recurring)).toMatchObject({
    status: PixPermissionStatus.APPROVED,
    cancelling: true,
  })
  await runJobs(pix)
  expect(pix.bank.cobrs.all()).toHaveLength(known)
})

test('an invoice whose permission ends before its collection is sent is sent to its payer then', async () => {
  const { recurring, permission } = await permitted(pix, { daysUntilDue: 20 })
  await passDays(pix, '2055-01-31')
  const invoice = await lastInvoice(pix, recurring)
  expect(await lettersOf(pix, invoice)).toEqual([])
  await decide(pix, permission, 'CANCELADA')
  await lookAtPermissions(pix)
  expect(await lettersOf(pix, invoice)).toEqual(['ISSUED'])
})
