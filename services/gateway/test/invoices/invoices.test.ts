import { InvoiceStatus, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { newInvoice } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const INVOICES = '/api/v2/invoices'
const pathFor = (sellerId = gateway.sellerId) => `/api/v2/sellers/${sellerId}/invoices`
const create = (over: Record<string, unknown> = {}, headers = {}) =>
  gateway.call('POST', pathFor(), { body: { ...newInvoice, ...over }, headers })
const at = (id: number, rest = '') => `${INVOICES}/${id}${rest}`
const PAYMENT_URL = 'https://pay.example.com/checkout/4fJz1Qm8Tn2bYw0c7Rk5Xg'

test('an invoice is created whole, with its URL and the URL of its payment page', async () => {
  const { status, headers, body } = await create()
  expect(status).toBe(201)
  const { items, customerId, ...given } = newInvoice
  expect(body).toMatchObject({
    ...given,
    status: 'OPEN',
    customer: { id: customerId },
    amountInCents: 9_980,
    payableInCents: 9_980,
    paymentUrl: PAYMENT_URL,
    recurringInvoiceId: null,
    cycle: null,
    paymentLinkProductId: null,
    items: [{ id: 1, ...items[0], description: 'Consultoria', totalInCents: 9_980 }],
    charge: null,
    transactions: [],
  })
  expect(headers.get('location')).toBe(`https://pay.example.com${at(body.id)}`)
  expect(headers.get('link')).toBe(`<${PAYMENT_URL}>; rel="payment"`)
  const read = await gateway.call('GET', at(body.id))
  expect([read.status, read.body]).toEqual([200, body])
  const listed = await gateway.call('GET', at(body.id, '/items'))
  expect([listed.status, listed.body]).toEqual([200, body.items])
})

test('omitted fields have their defaults, and a due date may be text', async () => {
  const least = { customerId: 5, dueDate: '1772463600000', items: newInvoice.items }
  const { status, body } = await gateway.call('POST', pathFor(), { body: least })
  expect([status, body.dueDate, body.splits, body.fine, body.interest]).toEqual([
    201,
    1_772_463_600_000,
    [],
    null,
    null,
  ])
  expect(gateway.invoices.asked.invoices.create.at(-1)).toMatchObject({
    acceptedMethods: [],
    notificationUrl: '',
    successUrl: '',
    invoiceNumber: undefined,
  })
})

test('a method without settings has default settings; fine and interest start on the day after', async () => {
  const cardSettings = { maxInstallments: 2 }
  await create({
    acceptedPaymentMethods: [{ method: 'BOLETO' }, { method: 'CREDIT_CARD', cardSettings }],
    fine: { amountInCents: 1 },
    interest: { monthlyPercentageBps: 100 },
  })
  expect(gateway.invoices.asked.invoices.create.at(-1)).toMatchObject({
    acceptedMethods: [
      { method: PaymentMethod.BOLETO, cardSettings: undefined },
      {
        method: PaymentMethod.CREDIT_CARD,
        cardSettings: { maxInstallments: 2, feePassThrough: false, threeDSecure: false },
      },
    ],
    fine: { amountInCents: 1, startsAfterDays: 1 },
    interest: { monthlyPercentageBps: 100, startsAfterDays: 1 },
  })
})

test('a notification URL that is not public is refused', async () => {
  const { status, body } = await create({ notificationUrl: 'http://10.0.0.1/paid' })
  expect([status, body.code]).toEqual([400, 'NOTIFICATION_URL_NOT_PUBLIC'])
})

test('an invoice that is finalized at once comes with its charge and both links', async () => {
  const { status, headers, body } = await create({ finalize: true })
  const charge = `https://pay.example.com${at(body.id, '/charges/latest')}`
  expect([status, body.status, body.charge.status]).toEqual([201, 'CLOSED', 'PENDING'])
  expect(headers.get('link')).toBe(`<${PAYMENT_URL}>; rel="payment", <${charge}>; rel="charge"`)
  expect((await gateway.call('GET', at(body.id, '/charges/latest'))).body).toEqual(body.charge)
  expect((await gateway.call('POST', at(body.id, '/finalize'))).status).toBe(422)
  const wrong = await create({ finalize: 'yes' })
  expect([wrong.status, wrong.body.errors]).toEqual([
    400,
    [expect.objectContaining({ pointer: '#/finalize', code: 'TYPE' })],
  ])
})

test('two invoice numbers that look alike are one', async () => {
  const [composed, decomposed] = ['S\u00E3o-1', 'Sa\u0303o-1']
  const { body } = await create({ invoiceNumber: decomposed })
  expect(body.invoiceNumber).toBe(composed)
  const found = await gateway.call('GET', `${INVOICES}?invoiceNumber=${encodeURIComponent(decomposed)}`)
  expect(found.body.content.map(({ id }: { id: number }) => id)).toEqual([body.id])
})

test('finalizing answers 201 with the charge and its link; the charge is read by id and by number', async () => {
  const { body: draft } = await create({ invoiceNumber: 'F-9' })
  const url = `https://pay.example.com${at(draft.id, '/charges/latest')}`
  expect((await gateway.call('GET', at(draft.id, '/charges/latest'))).status).toBe(404)
  const { status, headers, body } = await gateway.call('POST', at(draft.id, '/finalize'))
  expect([status, headers.get('location'), headers.get('link')]).toEqual([201, url, `<${url}>; rel="charge"`])
  expect(body).toEqual({
    id: 30 + draft.id,
    invoiceId: draft.id,
    status: 'PENDING',
    amountInCents: 9_980,
    method: null,
    transactions: [],
  })
  for (const path of [at(draft.id, '/charges/latest'), `${INVOICES}/charges/latest?invoiceNumber=F-9`]) {
    const read = await gateway.call('GET', path)
    expect([read.status, read.body]).toEqual([200, body])
  }
  const again = await gateway.call('POST', at(draft.id, '/finalize'))
  expect(again).toMatchObject({
    status: 422,
    body: {
      code: 'INVALID_INVOICE_STATE',
      currentStatus: 'CLOSED',
      allowedActions: ['pay', 'void', 'uncollectible'],
    },
  })
})

test('a look-up by number needs the number, and an unknown number is 404', async () => {
  const missing = await gateway.call('GET', `${INVOICES}/charges/latest`)
  expect([missing.status, missing.body.errors[0].pointer]).toEqual([400, '#/invoiceNumber'])
  expect((await gateway.call('GET', `${INVOICES}/charges/latest?invoiceNumber=nobody`)).status).toBe(404)
})

test('an invoice is marked uncollectible, voided, and then refuses both', async () => {
  const { body: draft } = await create()
  const lost = await gateway.call('POST', at(draft.id, '/uncollectible'))
  expect([lost.status, lost.body.status]).toEqual([200, 'UNCOLLECTIBLE'])
  const voided = await gateway.call('POST', at(draft.id, '/void'))
  expect([voided.status, voided.body.status]).toEqual([200, 'CANCELLED'])
  for (const action of ['/void', '/uncollectible', '/finalize']) {
    expect((await gateway.call('POST', at(draft.id, action))).status).toBe(422)
  }
})

test('a repeat makes one invoice, and one finalization', async () => {
  const headers = { 'idempotency-key': 'invoice-1' }
  const first = await create({}, headers)
  const again = await create({}, headers)
  expect([again.status, again.body, again.headers.get('link')]).toEqual([
    201,
    first.body,
    first.headers.get('link'),
  ])
  const finalize = () => gateway.call('POST', at(first.body.id, '/finalize'), { headers })
  const charge = await finalize()
  const repeated = await finalize()
  expect([repeated.status, repeated.body]).toEqual([201, charge.body])
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  expect(repeated.headers.get('location')).toBe(charge.headers.get('location'))
})

test('the list is a page of entries, and every filter reaches the service unchanged', async () => {
  await create()
  const { status, headers, body } = await gateway.call('GET', `${INVOICES}?size=1&status=OPEN,CLOSED`)
  expect([status, body.content.length]).toEqual([200, 1])
  expect(Object.keys(body.content[0])).not.toEqual(
    expect.arrayContaining(['items', 'charge', 'transactions']),
  )
  expect(headers.get('link')).toContain(
    `status=OPEN%2CCLOSED&page=1&size=1&after=${body.content[0].id}>; rel="next"`,
  )
  const query = {
    invoiceNumber: 'F-1',
    document: '12.ABC.345/01DE-35',
    pastDue: 'false',
    unreachable: 'true',
    refunded: 'true',
    dueDateFrom: '1',
    dueDateTo: '2',
    closeDateFrom: '3',
    closeDateTo: '4',
    paymentDateFrom: '5',
    paymentDateTo: '6',
    createdFrom: '7',
    createdTo: '8',
    after: '9',
  }
  await gateway.call('GET', `${INVOICES}?${new URLSearchParams(query)}&status=OPEN&status=PAID`)
  expect(gateway.invoices.asked.invoices.list.at(-1)).toEqual({
    sellerId: gateway.sellerId,
    page: 0,
    size: 10,
    after: 9,
    invoiceNumber: 'F-1',
    statuses: [InvoiceStatus.OPEN, InvoiceStatus.PAID],
    document: '12ABC34501DE35',
    pastDue: false,
    unreachable: true,
    refunded: true,
    dueDateFrom: 1,
    dueDateTo: 2,
    closeDateFrom: 3,
    closeDateTo: 4,
    paymentDateFrom: 5,
    paymentDateTo: 6,
    createdFrom: 7,
    createdTo: 8,
  })
})

test('a bound that is a day includes the whole day in São Paulo', async () => {
  await gateway.call('GET', `${INVOICES}?dueDateFrom=2026-12-10&dueDateTo=2026-12-10`)
  expect(gateway.invoices.asked.invoices.list.at(-1)).toMatchObject({
    dueDateFrom: Date.parse('2026-12-10T00:00:00-03:00'),
    dueDateTo: Date.parse('2026-12-10T23:59:59.999-03:00'),
  })
})

test.each([
  ['status=DRAFT', '#/status/0'],
  ['document=123', '#/document'],
  ['pastDue=yes', '#/pastDue'],
  ['unreachable=yes', '#/unreachable'],
  ['dueDateFrom=today', '#/dueDateFrom'],
  ['closeDateTo=-1', '#/closeDateTo'],
  ['closeDateTo=2026-02-30', '#/closeDateTo'],
  ['refunded=maybe', '#/refunded'],
  ['paymentDateTo=1.5', '#/paymentDateTo'],
  ['invoiceNumber=', '#/invoiceNumber'],
  ['size=0', '#/size'],
])('%s is refused at %s', async (query, pointer) => {
  const { status, body } = await gateway.call('GET', `${INVOICES}?${query}`)
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'VALIDATION_FAILED', pointer])
})

test('another seller’s invoice is 404 everywhere', async () => {
  const foreign = { token: gateway.other.token }
  const theirs = pathFor(gateway.other.sellerId)
  const { body: made } = await gateway.call('POST', theirs, { ...foreign, body: newInvoice })
  const answers = [
    await gateway.call('POST', theirs, { body: newInvoice }),
    await gateway.call('GET', at(made.id)),
    await gateway.call('GET', at(made.id, '/items')),
    await gateway.call('GET', at(made.id, '/charges/latest')),
    await gateway.call('POST', at(made.id, '/finalize')),
    await gateway.call('POST', at(made.id, '/void')),
    await gateway.call('POST', at(made.id, '/uncollectible')),
    await gateway.call('GET', `${INVOICES}/x`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
})

test('reading and writing need their scopes', async () => {
  const reader = { token: (await gateway.tokenWith(['invoices:read'])).accessToken }
  const writer = { token: (await gateway.tokenWith(['invoices:write'])).accessToken }
  const answers = [
    await gateway.call('POST', pathFor(), { ...reader, body: newInvoice }),
    ...(await Promise.all(
      ['finalize', 'void', 'uncollectible'].map((name) => gateway.call('POST', at(1, `/${name}`), reader)),
    )),
    ...(await Promise.all(
      ['', '/items', '/charges/latest'].map((rest) => gateway.call('GET', at(1, rest), writer)),
    )),
    await gateway.call('GET', INVOICES, writer),
    await gateway.call('GET', `${INVOICES}/charges/latest?invoiceNumber=1`, writer),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
})
