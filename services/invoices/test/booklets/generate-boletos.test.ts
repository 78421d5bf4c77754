import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import { PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { InvoiceTerms } from '@cofre/proto/invoices/v1/recurring'
import { lastBusinessDayBy } from '@cofre/platform/business-day'
import { addDays } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { newShop, voidInvoice, type Shop } from '../support/invoices'
import { answerAsUsual, pay, staysSilent } from '../support/payments'
import { withKey } from '../support/repeated'
import {
  bookletFor,
  createBooklet,
  generate,
  generateAgain,
  pageOf,
  shopAtBank,
  slipsOf,
} from '../support/start-booklets'
import { AGREEMENT, look, startBoletos, type TestBoletos } from '../support/start-boletos'

let boletos: TestBoletos
let shop: Shop
beforeAll(async () => {
  boletos = await startBoletos()
})
afterAll(() => boletos.stop())
beforeEach(async () => {
  boletos.bank.slips.clear()
  boletos.bank.calls.length = 0
  shop = await newShop(boletos)
})

const { PENDING, REGISTERED } = BoletoStatus
/** A booklet whose seller had no account at a bank yet: none of its invoices has a slip. */
const unissued = async (changes: Parameters<typeof bookletFor>[1] = {}) => {
  const booklet = await createBooklet(boletos, bookletFor(shop, { charges: 4, ...changes }))
  boletos.accounts.enabled.set(shop.sellerId, AGREEMENT)
  return booklet
}
const idsOf = async ({ id }: { id: number }) => {
  const { rows } = await boletos.pool.query(
    'SELECT id FROM invoices WHERE recurring_invoice_id = $1 ORDER BY cycle',
    [id],
  )
  return rows.map((row) => row.id as number)
}

test('each closed invoice gets a boleto, by cycle; a second request returns the same ones', async () => {
  const booklet = await unissued()
  const ids = await idsOf(booklet)
  await voidInvoice(boletos, { sellerId: shop.sellerId, id: ids[1] } as Parameters<typeof voidInvoice>[1])
  const first = await generate(boletos, booklet)
  expect(first.map(({ invoiceId }) => invoiceId)).toEqual([ids[0], ids[2], ids[3]])
  expect(first.map(({ boleto, errorCode }) => [boleto?.status, errorCode])).toEqual(
    Array.from({ length: 3 }, () => [REGISTERED, '']),
  )
  expect(await generate(boletos, booklet)).toEqual(first)
  expect(boletos.bank.slips.size).toBe(3)
})

test('each invoice has the discounts of the booklet, and its slip is registered with them', async () => {
  const discounts = [{ daysBeforeDueDate: 3, percentageBps: 500 }]
  const terms = InvoiceTerms.fromPartial({ discounts })
  const booklet = await unissued({ daysUntilDue: 20, terms })
  expect(booklet.terms).toMatchObject({ discounts })
  await generate(boletos, booklet)
  const dues = (await slipsOf(boletos, booklet)).map(({ dueDay }) => dueDay ?? '')
  const registered = [...boletos.bank.slips.values()].map(({ registration }) => registration.descontos)
  const byDay = (given: unknown[]) => given.map((each) => JSON.stringify(each)).toSorted()
  expect(byDay(registered)).toEqual(
    byDay(dues.map((due) => [{ data: lastBusinessDayBy(addDays(due, -3)), valor: 4.99 }])),
  )
})

test('a slip that the bank refuses leaves the others alone, and is tried again', async () => {
  const booklet = await unissued()
  boletos.bank.next('register', { status: 422, body: { erro: 'PAGADOR_INVALIDO' } })
  const first = await generate(boletos, booklet)
  const refused = first.filter(({ boleto }) => !boleto)
  expect(refused).toMatchObject([{ errorCode: 'BOLETO_REFUSED', errorDetail: expect.stringMatching(/bank/) }])
  expect(first.filter(({ boleto }) => boleto?.status === REGISTERED)).toHaveLength(3)
  const second = await generate(boletos, booklet)
  expect(second.map(({ boleto }) => boleto?.status)).toEqual(Array.from({ length: 4 }, () => REGISTERED))
})

test('with a silent or absent bank the slips are PENDING, and then registered once', async () => {
  const booklet = await unissued()
  await boletos.bank.stop()
  const first = await generate(boletos, booklet)
  expect(first.map(({ boleto }) => boleto?.status)).toEqual(Array.from({ length: 4 }, () => PENDING))
  await boletos.bank.start()
  await boletos.pool.query(
    "UPDATE boletos SET dispatch_deadline = now() - interval '1 second', ask_at = now() - interval '1 second' WHERE status = 'PENDING'",
  )
  await look(boletos)
  const second = await generate(boletos, booklet)
  expect(second.map(({ boleto }) => boleto?.id)).toEqual(first.map(({ boleto }) => boleto?.id))
  expect(second.map(({ boleto }) => boleto?.status)).toEqual(Array.from({ length: 4 }, () => REGISTERED))
  const { rows } = await boletos.pool.query('SELECT our_number AS number FROM boletos WHERE seller_id = $1', [
    shop.sellerId,
  ])
  expect(rows.map(({ number }) => boletos.bank.slips.has(number))).toEqual([true, true, true, true])
})

test('an invoice that cannot have a boleto gets its own error', async () => {
  const bankless = await createBooklet(boletos, bookletFor(shop, { charges: 1 }))
  expect(await generate(boletos, bankless)).toMatchObject([{ errorCode: 'PAYMENT_METHOD_NOT_ACCEPTED' }])
  const terms = InvoiceTerms.fromPartial({ acceptedMethods: [{ method: PaymentMethod.CREDIT_CARD }] })
  const ofCards = await unissued({ terms, charges: 1 })
  expect(await generate(boletos, ofCards)).toMatchObject([
    { boleto: undefined, errorDetail: 'The invoice does not accept boletos.' },
  ])
  const free = { productId: shop.productId, quantity: 1, unitPriceInCents: 0 }
  const ofNothing = await unissued({ recurringItem: free, charges: 1 })
  // It is paid already, so it gets neither a slip nor an error.
  expect(await generate(boletos, ofNothing)).toEqual([])
})

test('an invoice whose card is being charged gets an error, and no slip until the outcome is known', async () => {
  const booklet = await unissued({ charges: 2 })
  const [first = 0] = await idsOf(booklet)
  boletos.behind.orders.hooks.outcome = staysSilent
  await pay(boletos, { sellerId: shop.sellerId, id: first })
  answerAsUsual(boletos)
  expect(await generate(boletos, booklet)).toMatchObject([
    { invoiceId: first, boleto: undefined, errorCode: 'PAYMENT_PENDING' },
    { boleto: { status: REGISTERED }, errorCode: '' },
  ])
})

test('a slip whose terms no longer hold is replaced', async () => {
  const booklet = await unissued({ charges: 2 })
  const [old] = await generate(boletos, booklet)
  await boletos.pool.query(
    "UPDATE boletos SET due_day = '2026-01-05', late_on = '2026-01-06', payable_until = '2026-01-05' WHERE id = $1",
    [old?.boleto?.id],
  )
  const [renewed] = await generate(boletos, booklet)
  expect(renewed?.boleto?.status).toBe(REGISTERED)
  expect(renewed?.boleto?.id).not.toBe(old?.boleto?.id)
})

test('a repeated key names the same slips; ten requests at once make one slip for each invoice', async () => {
  const booklet = await unissued()
  const once = () => withKey('g1', () => generateAgain(boletos, booklet))
  const first = await once()
  expect(await once()).toEqual({ ...first, replayed: true })
  const raced = await unissued()
  await Promise.all(Array.from({ length: 10 }, () => generate(boletos, raced)))
  expect(boletos.bank.slips.size).toBe(8)
})

test('another seller’s booklet, or an unknown one: NOT_FOUND, also for the page', async () => {
  const booklet = await unissued({ charges: 1 })
  const foreign = { ...booklet, sellerId: booklet.sellerId + 1 }
  for (const known of [foreign, { ...booklet, id: 987_654_321 }]) {
    await expect(generate(boletos, known)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    await expect(pageOf(boletos, known)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  }
})

test('the page shows each slip as it stands', async () => {
  const at = await shopAtBank(boletos)
  boletos.bank.next('register', 'answer_lost')
  const booklet = await createBooklet(boletos, bookletFor(at, { charges: 4 }))
  const ids = await idsOf(booklet)
  const { rows } = await boletos.pool.query("SELECT invoice_id FROM boletos WHERE status = 'PENDING'")
  const [voided] = ids.filter((id) => id !== rows[0]?.invoice_id)
  await voidInvoice(boletos, { sellerId: at.sellerId, id: voided } as Parameters<typeof voidInvoice>[1])
  const html = await pageOf(boletos, booklet)
  expect(html.match(/<article /g)).toHaveLength(4)
  expect(html.match(/Código de barras: \d{44}/g)).toHaveLength(3)
  expect(html.match(/>Em registro</g)).toHaveLength(1)
  expect(html.match(/>CANCELADO</g)).toHaveLength(1)
  expect(html.match(/>NÃO PAGÁVEL</g)).toHaveLength(3)
})

test('a page of a thousand characters from sellers and customers holds no markup of theirs', async () => {
  const at = await shopAtBank(boletos)
  const { customers } = boletos
  const request = { sellerId: at.sellerId, customerId: at.customerId }
  const { fields } = await callRpc(customers, customers.getCustomer, request)
  if (!fields) throw new Error('a customer without fields')
  const name = '<script>alert(1)</script><img src=x>"\'&'
  await callRpc(customers, customers.replaceCustomer, { ...request, fields: { ...fields, name } })
  const html = await pageOf(boletos, await createBooklet(boletos, bookletFor(at, { charges: 1 })))
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toMatch(/<script|<img|javascript:/)
})
