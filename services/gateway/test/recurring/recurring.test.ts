import { EmailLanguage, Invoice } from '@cofre/proto/invoices/v1/invoices'
import {
  BillingFrequency,
  CollectionMethod,
  OnPaymentFailure,
  type RecurringInvoice,
} from '@cofre/proto/invoices/v1/recurring'
import { startGateway, type Gateway } from '../support/gateway'

const RECURRING = '/api/v2/recurring-invoices'
const BASE = 'https://pay.example.com'
const ITEM = { productId: 1, quantity: 1, unitPriceInCents: 9_900 }
const PLAN = {
  customerId: 5,
  billingCycleStartDate: 1_801_364_400_000,
  isBillingCycleStartDateOverridden: true,
  daysUntilDue: 5,
  billingFrequency: 'MONTHLY',
  collectionMethod: 'CHARGE_AUTOMATICALLY',
  orderReference: 'PLAN 77/a',
  nextCycleDueDate: 1_801_796_400_000,
  cardId: 41,
  onPaymentFailure: 'UNCOLLECTIBLE',
  cardPaysFineAndInterest: true,
  language: 'en',
  notificationUrl: 'https://shop.example.com/hooks/invoices',
  recurringItems: [ITEM],
  extraItems: [{ ...ITEM, cycle: 2 }],
  splits: [{ recipientId: 12, amountInCents: 1_500, liable: false, chargeProcessingFee: true }],
  fine: { percentageBps: 200, startsAfterDays: 1 },
  interest: { monthlyPercentageBps: 100, startsAfterDays: 1 },
  discounts: [{ daysBeforeDueDate: 5, percentage: 2.5 }],
}
const BOOKLET = {
  customerId: 5,
  billingFrequency: 'WEEKLY',
  chargesByBooklet: 12,
  recurringItem: ITEM,
}

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const asked = () => gateway.invoices.asked.recurring
const sellerPath = (name: string) => `/api/v2/sellers/${gateway.sellerId}/${name}`
const create = (over: object = {}, headers = {}) =>
  gateway.call('POST', sellerPath('recurring-invoices'), { body: { ...PLAN, ...over }, headers })

test('a permission of Pix Automático has an address of its own, once it was asked for', async () => {
  const { body } = await create()
  const at = `${RECURRING}/${body.id}/pix-permission`
  expect((await gateway.call('GET', at)).status).toBe(404)
  const asking = await gateway.call('POST', at)
  expect([asking.status, asking.headers.get('location')]).toEqual([201, `${BASE}${at}`])
  expect((await gateway.call('GET', at)).body).toEqual(asking.body)
  const again = await gateway.call('POST', at)
  expect([again.status, again.headers.get('location'), again.body]).toEqual([
    200,
    `${BASE}${at}`,
    asking.body,
  ])
})

test('a recurring invoice is passed on whole, with its seller’s name, and answered as requested', async () => {
  const { status, headers, body } = await create()
  expect(status).toBe(201)
  const { recurringItems, extraItems, ...said } = PLAN
  expect(body).toMatchObject({ ...said, recurringItem: null, chargesByBooklet: null })
  expect(body.recurringItems).toMatchObject(recurringItems)
  expect(body.extraItems).toMatchObject(extraItems)
  const self = `${BASE}${RECURRING}/${body.id}`
  expect(headers.get('location')).toBe(self)
  expect(headers.get('link')).toBe(
    `<${self}>; rel="self", <${self}/subscription>; rel="subscription", <${self}/invoices>; rel="invoices"`,
  )
  expect(asked().create.at(-1)).toMatchObject({
    sellerId: gateway.sellerId,
    sellerName: 'Loja',
    language: EmailLanguage.ENGLISH,
    startDateOverridden: true,
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY,
    onPaymentFailure: OnPaymentFailure.UNCOLLECTIBLE,
    cardPaysFineAndInterest: true,
    cardId: 41,
  })
  expect((await gateway.call('GET', `${RECURRING}/${body.id}`)).body).toEqual(body)
})

test('a booklet is answered with its item, finished, and with a link to its slips', async () => {
  const { status, headers, body } = await gateway.call('POST', sellerPath('booklet'), { body: BOOKLET })
  expect([status, body.kind, body.status]).toEqual([201, 'BOOKLET', 'FINISHED'])
  expect(body).toMatchObject({
    ...BOOKLET,
    collectionMethod: 'SEND_INVOICE',
    language: 'pt-BR',
    isBillingCycleStartDateOverridden: false,
    recurringItems: [ITEM],
    extraItems: [],
  })
  expect(headers.get('link')).toContain(`<${BASE}${RECURRING}/${body.id}/booklet>; rel="booklet"`)
  expect(asked().booklet.at(-1)).toMatchObject({ sellerName: 'Loja', language: EmailLanguage.PORTUGUESE })

  const page = await gateway.call('GET', `${RECURRING}/${body.id}/booklet`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain(
    "default-src 'none'; style-src 'sha256-c29sZQ=='",
  )
  expect(asked().draw.at(-1)).toMatchObject({ sellerName: 'Loja' })
})

test.each<[string, string, object, string]>([
  ['recurring-invoices', 'a language', { ...PLAN, language: 'fr' }, '#/language ENUM'],
  ['recurring-invoices', 'a frequency', { ...PLAN, billingFrequency: 'DAILY' }, '#/billingFrequency ENUM'],
  ['recurring-invoices', 'no item', { ...PLAN, recurringItems: [] }, '#/recurringItems LENGTH'],
  [
    'recurring-invoices',
    'a cycle',
    { ...PLAN, extraItems: [{ ...ITEM, cycle: 0 }] },
    '#/extraItems/0/cycle MIN',
  ],
  ['booklet', 'no charges', { ...BOOKLET, chargesByBooklet: 0 }, '#/chargesByBooklet MIN'],
  ['booklet', 'too many charges', { ...BOOKLET, chargesByBooklet: 121 }, '#/chargesByBooklet MAX'],
  ['booklet', 'no item', { ...BOOKLET, recurringItem: undefined }, '#/recurringItem REQUIRED'],
])('%s with %s that is wrong is refused with a pointer to it', async (path, _what, body, fault) => {
  const answer = await gateway.call('POST', sellerPath(path), { body })
  const faults = answer.body.errors.map(
    (each: Record<string, string>) => `${each['pointer']} ${each['code']}`,
  )
  expect([answer.status, answer.body.code, faults]).toEqual([400, 'VALIDATION_FAILED', [fault]])
})

test('a plan that reaches nobody says so where it is read and in the list', async () => {
  const { body } = await create()
  expect(body.warnings).toEqual([])
  const warning = { pointer: '#/customerId', code: 'NOBODY_TO_MAIL', detail: 'names nobody' }
  const made = gateway.invoices.recurring.get(body.id)
  gateway.invoices.recurring.set(body.id, { ...made, warnings: [warning] } as RecurringInvoice)
  expect((await gateway.call('GET', `${RECURRING}/${body.id}`)).body.warnings).toEqual([warning])
  const { content } = (await gateway.call('GET', RECURRING)).body
  expect(content.find(({ id }: { id: number }) => id === body.id).warnings).toEqual([warning])
})

test('a recurring invoice is paused, resumed and cancelled, after which it no longer changes', async () => {
  const { id } = (await create()).body
  const move = async (action: string) => {
    const { status, body } = await gateway.call('POST', `${RECURRING}/${id}/${action}`)
    return [status, status === 200 ? body.status : body.code]
  }
  expect(await move('pause')).toEqual([200, 'PAUSED'])
  expect(await move('resume')).toEqual([200, 'ACTIVE'])
  expect(await move('cancel')).toEqual([200, 'CANCELLED'])
  expect(await move('pause')).toEqual([422, 'INVALID_INVOICE_STATE'])
})

test('a booklet is voided: its open invoices are named, with the reason of one that stays', async () => {
  const { id } = (await gateway.call('POST', sellerPath('booklet'), { body: BOOKLET })).body
  const at = `${RECURRING}/${id}/void`
  expect(await gateway.call('POST', at)).toMatchObject({ status: 200, body: [] })
  for (const number of [901, 902]) {
    const invoiceNumber = String(number)
    const made = Invoice.fromPartial({
      id: number,
      recurringInvoiceId: id,
      invoiceNumber,
      balanceAmount: 9_980,
    })
    gateway.invoices.invoices.set(number, made)
  }
  const { status, body } = await gateway.call('POST', at)
  expect([status, body]).toEqual([
    200,
    [
      { invoiceId: 901, invoiceNumber: '901', balanceInCents: 9_980, error: null },
      {
        invoiceId: 902,
        invoiceNumber: '902',
        balanceInCents: 9_980,
        error: { code: 'PAYMENT_PENDING', detail: expect.any(String) },
      },
    ],
  ])
  const plan = await gateway.call('POST', `${RECURRING}/${(await create()).body.id}/void`)
  expect([plan.status, plan.body.code]).toEqual([422, 'INVALID_INVOICE_STATE'])
})

test('a repeat with its key gets the first answer', async () => {
  const headers = { 'Idempotency-Key': 'plan-1' }
  const first = await create({}, headers)
  const second = await create({}, headers)
  expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([
    201,
    first.body,
    'true',
  ])
  const other = await create({ daysUntilDue: 6 }, headers)
  expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('filters are passed on; an unknown filter is refused', async () => {
  await create()
  const query = `status=ACTIVE,PAUSED&billingFrequency=MONTHLY&document=123.456.789-09&orderReference=PLAN%2077%2Fa&size=2`
  const { status, body } = await gateway.call('GET', `${RECURRING}?${query}`)
  expect([status, body.size]).toEqual([200, 2])
  expect(body.content[0]).not.toHaveProperty('recurringItems')
  expect(asked().list.at(-1)).toMatchObject({
    sellerId: gateway.sellerId,
    document: '12345678909',
    orderReference: 'PLAN 77/a',
    frequency: BillingFrequency.MONTHLY,
    size: 2,
  })
  const unknown = await gateway.call('GET', `${RECURRING}?state=ACTIVE`)
  expect([unknown.status, unknown.body.code]).toEqual([400, 'UNKNOWN_FIELD'])
})

test('schedule, invoices and invoices by order reference can be read; another seller’s are 404', async () => {
  const { id } = (await create()).body
  const schedule = await gateway.call('GET', `${RECURRING}/${id}/subscription`)
  expect([schedule.status, schedule.body.nextCycles[0]?.amountInCents]).toEqual([200, 9_900])
  expect((await gateway.call('GET', `${RECURRING}/${id}/invoices`)).body.content).toEqual([])
  const reference = encodeURIComponent(PLAN.orderReference)
  expect((await gateway.call('GET', `${RECURRING}/reference/${reference}/invoices`)).status).toBe(200)
  expect(asked().cycles.at(-1)).toMatchObject({ orderReference: PLAN.orderReference })
  expect((await gateway.call('GET', `${RECURRING}/reference/none/invoices`)).status).toBe(404)
  const generated = await gateway.call('POST', `${RECURRING}/${id}/boleto/generate-bulk`)
  expect([generated.status, generated.body]).toEqual([200, []])

  const { token } = gateway.other
  for (const path of ['', '/subscription', '/invoices', '/booklet']) {
    expect((await gateway.call('GET', `${RECURRING}/${id}${path}`, { token })).status).toBe(404)
  }
  for (const path of ['cancel', 'pause', 'resume', 'boleto/generate-bulk', 'void']) {
    expect((await gateway.call('POST', `${RECURRING}/${id}/${path}`, { token })).status).toBe(404)
  }
})

test('the billing clock is read and moved', async () => {
  const { status, body } = await gateway.call('POST', '/api/v2/sandbox/clock/advance', {
    body: { to: 1_900_000_000_000 },
  })
  expect([status, body]).toEqual([
    200,
    { now: 1_900_000_000_000, invoicesBilled: 2, chargesTried: 1, emailsSent: 3 },
  ])
  expect((await gateway.call('GET', '/api/v2/sandbox/clock')).body).toEqual({ now: expect.any(Number) })
})
