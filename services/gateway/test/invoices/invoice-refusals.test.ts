import { newInvoice } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const create = (over: Record<string, unknown> = {}) =>
  gateway.call('POST', `/api/v2/sellers/${gateway.sellerId}/invoices`, { body: { ...newInvoice, ...over } })
const discount = (daysBeforeDueDate: number) => ({ daysBeforeDueDate, percentage: daysBeforeDueDate })
const item = (over: Record<string, unknown>) => ({ items: [{ ...newInvoice.items[0], ...over }] })

test.each<[Record<string, unknown>, string[]]>([
  [
    { customerId: undefined, dueDate: undefined, items: undefined },
    ['#/customerId REQUIRED', '#/dueDate REQUIRED', '#/items REQUIRED'],
  ],
  [{ customerId: 0 }, ['#/customerId MIN']],
  [{ dueDate: 'tomorrow' }, ['#/dueDate TYPE']],
  [{ dueDate: -1 }, ['#/dueDate MIN']],
  [{ invoiceNumber: '' }, ['#/invoiceNumber LENGTH']],
  [{ invoiceNumber: 'x'.repeat(256) }, ['#/invoiceNumber LENGTH']],
  [{ successUrl: 'javascript:alert(1)' }, ['#/successUrl FORMAT']],
  [{ notificationUrl: 'nowhere' }, ['#/notificationUrl FORMAT']],
  [{ paymentLimitDate: 1 }, ['#/paymentLimitDate BEFORE_DUE_DATE']],
  [{ items: [] }, ['#/items LENGTH']],
  [{ items: Array(501).fill(newInvoice.items[0]) }, ['#/items LENGTH']],
  [item({ quantity: 0 }), ['#/items/0/quantity MIN']],
  [item({ quantity: 1_000_001 }), ['#/items/0/quantity MAX']],
  [item({ unitPriceInCents: 1.5 }), ['#/items/0/unitPriceInCents TYPE']],
  [item({ productId: '1' }), ['#/items/0/productId TYPE']],
  [item({ quantity: 2, unitPriceInCents: 50_000_000_000 }), ['#/items MAX']],
  [{ acceptedPaymentMethods: [{ method: 'CHEQUE' }] }, ['#/acceptedPaymentMethods/0/method ENUM']],
  [
    { acceptedPaymentMethods: [{ method: 'BOLETO' }, { method: 'BOLETO' }] },
    ['#/acceptedPaymentMethods DUPLICATE'],
  ],
  [
    { acceptedPaymentMethods: [{ method: 'CREDIT_CARD', cardSettings: { maxInstallments: 13 } }] },
    ['#/acceptedPaymentMethods/0/cardSettings/maxInstallments MAX'],
  ],
  [
    { acceptedPaymentMethods: [{ method: 'BOLETO', cardSettings: { maxInstallments: 2 } }] },
    ['#/acceptedPaymentMethods/0/cardSettings OTHER_METHOD'],
  ],
  [
    {
      acceptedPaymentMethods: [
        { method: 'BOLETO', boletoSettings: { instructions: ['x'.repeat(1_500), 'y'.repeat(501)] } },
      ],
    },
    ['#/acceptedPaymentMethods/0/boletoSettings/instructions LENGTH'],
  ],
  [{ dueDate: 1_795_392_641 }, ['#/dueDate MIN']],
  [{ invoiceNumber: ' N-1 ' }, ['#/invoiceNumber FORMAT']],
  [{ invoiceNumber: 'a\u202Eb' }, ['#/invoiceNumber FORMAT']],
  [{ invoiceNumber: 'N\u200B-1' }, ['#/invoiceNumber FORMAT']],
  [{ invoiceNumber: 'N\u00AD-1' }, ['#/invoiceNumber FORMAT']],
  [{ notificationUrl: 'https://shop.example.com/\r\nX: y' }, ['#/notificationUrl FORMAT']],
  [{ successUrl: 'https://shop.example.com/"><script>' }, ['#/successUrl FORMAT']],
  [{ splits: [{ recipientId: 1, percentageBps: 10_001 }] }, ['#/splits/0/percentageBps MAX']],
  [{ fine: { percentageBps: -1 } }, ['#/fine/percentageBps MIN']],
  [{ discounts: [{ daysBeforeDueDate: 0, percentage: 100 }] }, ['#/discounts/0/percentage MAX']],
  [{ discounts: [{ daysBeforeDueDate: 0, percentage: -1 }] }, ['#/discounts/0/percentage MIN']],
  [{ discounts: [{ daysBeforeDueDate: 0, percentage: 2.505 }] }, ['#/discounts/0/percentage FORMAT']],
  [{ discounts: [{ daysBeforeDueDate: -1, amountInCents: 1 }] }, ['#/discounts/0/daysBeforeDueDate MIN']],
  [{ discounts: [{ percentage: 1 }] }, ['#/discounts/0/daysBeforeDueDate REQUIRED']],
  [{ discounts: [1, 2, 3, 4].map(discount) }, ['#/discounts LENGTH']],
  [{ interest: { dailyAmountInCents: 1, startsAfterDays: 0 } }, ['#/interest/startsAfterDays MIN']],
])('%j is refused: %j', async (over, faults) => {
  const before = gateway.invoices.asked.invoices.create.length
  const { status, body } = await create(over)
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(
    body.errors.map((each: { pointer: string; code: string }) => `${each.pointer} ${each.code}`).sort(),
  ).toEqual(faults)
  expect(gateway.invoices.asked.invoices.create).toHaveLength(before)
})

test.each([
  ['fine', { percentageBps: 0 }, undefined],
  ['fine', { amountInCents: 0, startsAfterDays: 2 }, undefined],
  ['interest', { dailyAmountInCents: 0 }, undefined],
  ['interest', { monthlyPercentageBps: 0 }, undefined],
  ['discounts', [{ daysBeforeDueDate: 1, percentage: 0 }], []],
  ['discounts', [{ daysBeforeDueDate: 1, amountInCents: 0 }], []],
] as const)('a term of 0 is none: %s %j', async (name, term, none) => {
  expect((await create({ [name]: term })).status).toBe(201)
  expect(gateway.invoices.asked.invoices.create.at(-1)?.[name]).toEqual(none)
})

test.each([
  ['#/fine', { fine: { percentageBps: 1, amountInCents: 1 } }],
  ['#/fine', { fine: {} }],
  ['#/interest', { interest: { startsAfterDays: 1 } }],
  ['#/splits/0', { splits: [{ recipientId: 1 }] }],
  ['#/discounts/0', { discounts: [{ daysBeforeDueDate: 1 }] }],
  ['#/discounts/0', { discounts: [{ daysBeforeDueDate: 1, percentage: 1, amountInCents: 1 }] }],
])('a fault at %s without exactly one unit is refused: %j', async (pointer, over) => {
  const { status, body } = await create(over)
  expect([status, body.errors[0]]).toMatchObject([400, { pointer, code: 'ONE_UNIT' }])
  expect(body.code).toBe('VALIDATION_FAILED')
})

test('the instructions of a boleto may have 2000 characters in total', async () => {
  const instructions = ['x'.repeat(1_500), 'y'.repeat(500)]
  const { status } = await create({
    acceptedPaymentMethods: [{ method: 'BOLETO', boletoSettings: { instructions } }],
  })
  expect(status).toBe(201)
})

test('a paymentLimitDate may be any moment of the due date, and no earlier', async () => {
  const dueDate = Date.parse('2027-03-01T12:00:00-03:00')
  const paymentLimitDate = Date.parse('2027-03-01T00:00:00-03:00')
  expect((await create({ dueDate, paymentLimitDate })).status).toBe(201)
  const { status, body } = await create({ dueDate, paymentLimitDate: paymentLimitDate - 1 })
  expect([status, body.errors]).toMatchObject([
    400,
    [{ pointer: '#/paymentLimitDate', code: 'BEFORE_DUE_DATE' }],
  ])
})

test.each([
  ['text/plain', 'x', 415],
  ['application/json', '{"amount": 1}', 400],
  ['application/json', '{}', 404],
])('a POST that needs no body accepts only an empty object: %s %s', async (type, raw, status) => {
  const headers = { 'content-type': type }
  const answer = await gateway.call('POST', '/api/v2/invoices/999999/finalize', { raw, headers })
  expect(answer.status).toBe(status)
})
