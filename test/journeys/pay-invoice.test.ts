import { Webhook } from 'standardwebhooks'
import { eventually } from '@cofre/testing/testing'
import {
  INVOICES,
  invoiceOf,
  listen,
  newInvoice,
  newShop,
  read,
  readInvoice,
  toldIn,
  write,
  type Shop,
} from './shop'
import { type Answer, cardEndingIn, cardFields, cardToken, discard, startSystem, type System } from './system'

let system: System
let shop: Shop
beforeAll(async () => {
  system = await startSystem()
  shop = await newShop(system)
})
afterAll(async () => {
  await discard(system)
})

const pay = (id: number, body: object, key?: string): Promise<Answer> =>
  write(system, 'POST', `${INVOICES}/${id}/credit-card/pay`, { body, ...(key ? { key } : {}) })

/** A card whose last digit decides the acquirer's answer. */
const cardOf = (digit: number) => ({ card: { ...cardFields(cardEndingIn(digit)), cvv: '123' } })

type Post = { body: string; headers: Record<string, string> }
const postsTo = (inbox: string): Promise<Post[]> => system.sandbox('GET', `/inbox/${inbox}`)

const settled = (id: number, status: string) =>
  eventually(async () => {
    const invoice = await readInvoice(system, id)
    expect(invoice.status).toBe(status)
    return invoice
  })

test('declined, then paid with another card: endpoints get each event, its URL only the payment', async () => {
  const { end } = await listen(system, 'paid')
  const notificationUrl = `${system.ready.sandboxInboxUrl}/paid-url`
  const { id, invoiceNumber } = await newInvoice(system, invoiceOf(shop, { notificationUrl }))
  const declined = await pay(id, cardOf(2))
  expect([declined.status, declined.body.status]).toEqual([201, 'PENDING'])
  const decline = { acquirerCode: '05', code: 'DO_NOT_HONOR', advice: 'TRY_LATER', retryable: true }
  expect(declined.body.transactions).toMatchObject([{ status: 'FAILED', decline }])
  expect(await readInvoice(system, id)).toMatchObject({ status: 'CLOSED', payableInCents: 9_980 })

  const token = await cardToken(system, 1)
  const paid = await pay(id, { cardToken: { token }, installments: 2 })
  expect([paid.status, paid.body.status, paid.body.method]).toEqual([201, 'PAID', 'CREDIT_CARD'])
  const { chargeId } = paid.body.transactions[1]
  expect((await read(system, `/api/v2/charges/${chargeId}`)).body).toMatchObject({
    status: 'CAPTURED',
    amount: 9_980,
    orderReference: invoiceNumber,
    metadata: { invoiceId: id },
  })
  const invoice = await readInvoice(system, id)
  expect(invoice).toMatchObject({ status: 'PAID', paidInCents: 9_980, charge: paid.body })
  await eventually(async () => {
    const types = ((await toldIn(system, 'paid')).get(id) ?? []).map(({ type }) => type)
    const moves = ['created', 'finalized', 'payment_failed', 'paid']
    expect(types).toEqual(moves.map((move) => `invoice.${move}`))
  })
  await eventually(async () => expect(await postsTo('paid-url')).toHaveLength(1))
  await expectEmptyAndSigned('paid-url', id)
  const again = await pay(id, cardOf(1))
  expect([again.status, again.body.code]).toEqual([422, 'INVALID_INVOICE_STATE'])
  await end()
})

/** Specification 6.2: the notification has no body, and its signature proves the sender. */
async function expectEmptyAndSigned(inbox: string, id: number): Promise<void> {
  const [post] = await postsTo(inbox)
  const headers = post?.headers ?? {}
  expect([post?.body, headers['webhook-event'], headers['webhook-resource']]).toEqual([
    '',
    'invoice.paid',
    `${system.ready.baseUrl}${INVOICES}/${id}`,
  ])
  const { body } = await read(system, '/api/v2/webhooks/secret')
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const signature = new Webhook(body.secret).sign(headers['webhook-id'] ?? '', at, '')
  expect(headers['webhook-signature']).toBe(signature)
}

test('a lost answer leaves the payment PENDING; then the invoice is paid by itself, once', async () => {
  const { id } = await newInvoice(system, invoiceOf(shop))
  const pending = await pay(id, cardOf(9))
  expect([pending.status, pending.body.transactions]).toMatchObject([201, [{ status: 'PENDING' }]])
  expect(Number(pending.headers.get('retry-after'))).toBeGreaterThan(0)
  const { status, charge } = await settled(id, 'PAID')
  expect([status, charge?.transactions]).toMatchObject(['PAID', [{ status: 'SUCCEEDED' }]])
})

test('a stored card pays by its id; a refund of the charge shows on the invoice', async () => {
  const stored = await system.api('POST', '/api/v2/cards/tokens', { body: cardFields(cardEndingIn(1)) })
  const { id } = await newInvoice(system, invoiceOf(shop))
  const first = await pay(id, { cardId: stored.body.id, keepYourCardForAutomaticCharges: true }, 'by-id')
  expect([first.status, first.body.status]).toEqual([201, 'PAID'])
  const repeat = await pay(id, { cardId: stored.body.id, keepYourCardForAutomaticCharges: true }, 'by-id')
  expect([repeat.status, repeat.body]).toEqual([201, first.body])
  const [{ chargeId }] = first.body.transactions
  const refund = await write(system, 'POST', `/api/v2/charges/${chargeId}/refund`, {
    body: { amount: 2_500 },
  })
  expect(refund.status).toBe(201)
  await eventually(async () => expect((await readInvoice(system, id)).refundedInCents).toBe(2_500))
  expect((await readInvoice(system, id)).status).toBe('PAID')
})
