import { InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import {
  CollectionMethod,
  RecurringInvoiceStatus,
  type RecurringInvoice,
  type VoidedInvoice,
  type VoidBookletResponse,
} from '@cofre/proto/invoices/v1/recurring'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { get, voidInvoice, type Shop } from '../support/invoices'
import { answerAsUsual, pay, staysSilent } from '../support/payments'
import { withKey } from '../support/repeated'
import { bookletFor, createBooklet, shopAtBank, slipsOf } from '../support/start-booklets'
import {
  look,
  receive,
  noticeOf,
  startBoletos,
  tell,
  unexpected,
  type TestBoletos,
} from '../support/start-boletos'

let boletos: TestBoletos
let shop: Shop
beforeAll(async () => {
  boletos = await startBoletos()
})
afterAll(() => boletos.stop())
beforeEach(async () => {
  boletos.bank.slips.clear()
  shop = await shopAtBank(boletos)
})

const issued = (charges = 4) => createBooklet(boletos, bookletFor(shop, { charges }))
type Known = Pick<RecurringInvoice, 'sellerId' | 'id'>

function voidAgain({ sellerId, id: recurringInvoiceId }: Known): Promise<Replayable<VoidBookletResponse>> {
  const { recurring } = boletos
  return callRepeatable(recurring, recurring.voidBooklet, { sellerId, recurringInvoiceId })
}

const voidAll = async (known: Known): Promise<VoidedInvoice[]> => (await voidAgain(known)).response.invoices

async function invoicesOf({ sellerId, id }: Known) {
  const { rows } = await boletos.pool.query<{ id: number }>(
    'SELECT id FROM invoices WHERE recurring_invoice_id = $1 ORDER BY cycle',
    [id],
  )
  return rows.map((row) => ({ sellerId, id: row.id }))
}

const statusOf = async ({ sellerId, id }: Known) => {
  const { recurring } = boletos
  const read = { sellerId, recurringInvoiceId: id }
  return (await callRpc(recurring, recurring.getRecurringInvoice, read)).status
}

test('all open invoices are voided with their slips, which the bank withdraws; the booklet is over', async () => {
  const booklet = await issued()
  const invoices = await invoicesOf(booklet)
  const voided = await voidAll(booklet)
  expect(voided).toMatchObject(
    invoices.map(({ id }) => ({ invoiceId: id, balance: 9_980, errorCode: '', errorDetail: '' })),
  )
  expect((await slipsOf(boletos, booklet)).map(({ invoice }) => invoice)).toEqual(
    Array.from({ length: 4 }, () => 'CANCELLED'),
  )
  await boletos.pool.query("UPDATE boletos SET ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL")
  await look(boletos)
  expect([...boletos.bank.slips.values()].map(({ cancelled }) => cancelled)).toEqual([true, true, true, true])
  expect(await statusOf(booklet)).toBe(RecurringInvoiceStatus.CANCELLED)
})

test('paid and voided invoices stay; one whose card is being charged stays until a later request', async () => {
  const booklet = await issued()
  const [paid, gone, pending, open] = await invoicesOf(booklet)
  await pay(boletos, paid!)
  await voidInvoice(boletos, gone as Parameters<typeof voidInvoice>[1])
  boletos.behind.orders.hooks.outcome = staysSilent
  await pay(boletos, pending!)
  answerAsUsual(boletos)
  expect(await voidAll(booklet)).toMatchObject([
    { invoiceId: pending!.id, errorCode: 'PAYMENT_PENDING', errorDetail: expect.stringContaining('pending') },
    { invoiceId: open!.id, errorCode: '' },
  ])
  const { PAID, CANCELLED, CLOSED } = InvoiceStatus
  const statuses = await Promise.all(
    [paid, gone, pending, open].map(async (each) => (await get(boletos, each!)).status),
  )
  expect(statuses).toEqual([PAID, CANCELLED, CLOSED, CANCELLED])
  await boletos.pool.query("UPDATE invoice_transactions SET status = 'FAILED' WHERE invoice_id = $1", [
    pending!.id,
  ])
  expect(await voidAll(booklet)).toMatchObject([{ invoiceId: pending!.id, errorCode: '' }])
  expect(await voidAll(booklet)).toEqual([])
})

test('a booklet that is wholly paid does not change', async () => {
  const booklet = await issued(1)
  for (const invoice of await invoicesOf(booklet)) await pay(boletos, invoice)
  expect(await voidAll(booklet)).toEqual([])
  expect(await statusOf(booklet)).toBe(RecurringInvoiceStatus.FINISHED)
})

test('raced with the payment of a slip, an invoice is paid, or voided with its money an unexpected receipt', async () => {
  const booklet = await issued(6)
  const slips = [...boletos.bank.slips]
  const told = slips.map(([number, slip]) => tell(boletos, noticeOf(number, receive(slip, 9_980))))
  const [voided] = await Promise.all([voidAll(booklet), ...told])
  const gone = new Set(voided.filter(({ errorCode }) => errorCode === '').map(({ invoiceId }) => invoiceId))
  for (const invoice of await invoicesOf(booklet)) {
    const { status, paidAmount } = await get(boletos, invoice)
    expect([status, paidAmount]).toEqual(
      gone.has(invoice.id) ? [InvoiceStatus.CANCELLED, 0] : [InvoiceStatus.PAID, 9_980],
    )
  }
  expect(await unexpected(boletos, booklet)).toHaveLength(gone.size)
})

test('a key is answered once; ten requests at once void each invoice once', async () => {
  const booklet = await issued()
  const once = () => withKey('v1', () => voidAgain(booklet))
  const first = await once()
  expect(await once()).toEqual({ ...first, replayed: true })
  const raced = await issued()
  const all = await Promise.all(Array.from({ length: 10 }, () => voidAll(raced)))
  expect(all.map(({ length }) => length).toSorted((one, other) => one - other)).toEqual([
    ...Array.from({ length: 9 }, () => 0),
    4,
  ])
})

test('a booklet that charges cards, and was cancelled, is still voided', async () => {
  const booklet = await createBooklet(
    boletos,
    bookletFor(shop, { charges: 2, collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY }),
  )
  const { recurring } = boletos
  const asked = { sellerId: booklet.sellerId, recurringInvoiceId: booklet.id }
  await callRepeatable(recurring, recurring.cancelRecurringInvoice, asked)
  expect(await voidAll(booklet)).toHaveLength(2)
  expect(await statusOf(booklet)).toBe(RecurringInvoiceStatus.CANCELLED)
})

test('a recurring invoice that is no booklet is refused; another seller’s booklet is not found', async () => {
  const booklet = await issued(1)
  await expect(voidAll({ ...booklet, sellerId: booklet.sellerId + 1 })).rejects.toMatchObject({
    reason: 'NOT_FOUND',
  })
  await boletos.pool.query("UPDATE recurring_invoices SET kind = 'RECURRING', charges = NULL WHERE id = $1", [
    booklet.id,
  ])
  await expect(voidAll(booklet)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
})

test('a hundred and twenty slips are voided within the time of a call', async () => {
  const booklet = await issued(120)
  expect(await voidAll(booklet)).toHaveLength(120)
})
