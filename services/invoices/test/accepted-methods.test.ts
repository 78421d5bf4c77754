import { AcceptedMethod, PaymentMethod, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { createInvoice } from '../src/invoice/rpc/create-invoice'
import { create, get, invoiceFor, newShop, type Shop } from './support/invoices'
import { startInvoices, type TestInvoices } from './support/start-invoices'

const { CREDIT_CARD, BOLETO, UNSPECIFIED, PIX } = PaymentMethod

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
})
afterAll(() => invoices.stop())

const accepted = (method: PaymentMethod) => AcceptedMethod.fromPartial({ method })
const saved = async ({ id }: Invoice): Promise<unknown> => {
  const { rows } = await invoices.pool.query(
    'SELECT accepted_methods AS methods FROM invoices WHERE id = $1',
    [id],
  )
  return rows[0].methods
}

test('an invoice that names no method is saved with all of them, and their default settings', async () => {
  const made = await create(invoices, invoiceFor(shop))
  expect(await saved(made)).toEqual([{ method: 'CREDIT_CARD' }, { method: 'BOLETO' }, { method: 'PIX' }])
  const cardSettings = { maxInstallments: undefined, feePassThrough: false, threeDSecure: false }
  expect((await get(invoices, made)).acceptedMethods).toEqual([
    { ...accepted(CREDIT_CARD), cardSettings },
    { ...accepted(BOLETO), boletoSettings: { daysAfterDueDate: undefined, instructions: [] } },
    { ...accepted(PIX), pixSettings: { daysAfterDueDate: undefined } },
  ])
})

test('the database takes no invoice without a method', async () => {
  const { id } = await create(invoices, invoiceFor(shop))
  const set = (methods: string | null) =>
    invoices.pool.query('UPDATE invoices SET accepted_methods = $2 WHERE id = $1', [id, methods])
  await expect(set('[]')).rejects.toThrow('invoices_whole')
  await expect(set(null)).rejects.toThrow('not-null')
})

test('a value that names no method is refused, and is not taken for a card', async () => {
  const acceptedMethods = [CREDIT_CARD, UNSPECIFIED].map(accepted)
  await expect(create(invoices, invoiceFor(shop, { acceptedMethods }))).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer: '#/acceptedPaymentMethods/1/method', code: 'ENUM' }] },
  })
})

test('a card fee is passed on only where the operator has set fees up', async () => {
  const cardSettings = { maxInstallments: 3, feePassThrough: true, threeDSecure: false }
  const acceptedMethods = [AcceptedMethod.fromPartial({ method: PaymentMethod.CREDIT_CARD, cardSettings })]
  const request = invoiceFor(shop, { acceptedMethods })
  expect((await create(invoices, request)).acceptedMethods).toMatchObject([{ cardSettings }])
  const without = { ...invoices.deps, rules: { ...invoices.deps.rules, cardFees: new Map() } }
  await expect(createInvoice(without, request)).rejects.toMatchObject({
    reason: 'PAYMENT_METHOD_NOT_ACCEPTED',
    extra: { errors: [{ pointer: '#/acceptedPaymentMethods/0/cardSettings/feePassThrough' }] },
  })
})
