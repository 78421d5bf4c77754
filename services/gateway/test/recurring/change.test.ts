import { CollectionMethod } from '@cofre/proto/invoices/v1/recurring'
import { startGateway, type Gateway } from '../support/gateway'

const RECURRING = '/api/v2/recurring-invoices'
const ITEM = { productId: 1, quantity: 1, unitPriceInCents: 9_900 }
const PLAN = {
  customerId: 5,
  billingFrequency: 'MONTHLY',
  collectionMethod: 'CHARGE_AUTOMATICALLY',
  cardId: 41,
  recurringItems: [ITEM],
  extraItems: [{ ...ITEM, cycle: 2 }],
}
const DAY = 1_804_129_200_000

let gateway: Gateway
let path: string
beforeAll(async () => {
  gateway = await startGateway()
})
beforeEach(async () => {
  const made = await gateway.call('POST', `/api/v2/sellers/${gateway.sellerId}/recurring-invoices`, {
    body: PLAN,
  })
  path = `${RECURRING}/${made.body.id}`
})
afterAll(() => gateway.stop())

const asked = () => gateway.invoices.asked.recurring.update.at(-1)
const change = (body: object, headers = {}) => gateway.call('PATCH', path, { body, headers })

test('only what is sent is passed on, and the answer is what a read shows', async () => {
  const { status, body } = await change({ cardId: 42 })
  expect([status, body.cardId, body.nextCardId]).toEqual([200, 42, 42])
  expect(asked()).toMatchObject({ cardId: 42, unnameCard: false })
  expect(asked()).toMatchObject({
    collectionMethod: undefined,
    nextCycleDate: undefined,
    recurringItems: undefined,
    extraItems: undefined,
  })
  expect((await gateway.call('GET', path)).body).toEqual(body)
})

test('day, method and items are passed on whole; extra items are removed in words', async () => {
  const price = { ...ITEM, unitPriceInCents: 10_900 }
  const sent = {
    nextCycleDate: DAY,
    collectionMethod: 'SEND_INVOICE',
    recurringItems: [price],
    noExtraItems: true,
  }
  const { status, body } = await change(sent)
  expect([status, body.collectionMethod, body.nextCycleDate]).toEqual([200, 'SEND_INVOICE', DAY])
  expect(asked()).toMatchObject({
    collectionMethod: CollectionMethod.SEND_INVOICE,
    nextCycleDate: DAY,
    recurringItems: { items: [price] },
    extraItems: { items: [] },
  })
  await change({ chargesKeptCard: true })
  expect(asked()).toMatchObject({ unnameCard: true, cardId: undefined })
})

test.each([
  [{ customerId: 6 }, 'UNKNOWN_FIELD', '#/customerId', 'UNKNOWN_FIELD'],
  [{ billingFrequency: 'WEEKLY' }, 'UNKNOWN_FIELD', '#/billingFrequency', 'UNKNOWN_FIELD'],
  [{ cardId: 'x' }, 'VALIDATION_FAILED', '#/cardId', 'TYPE'],
  [{ collectionMethod: 'BY_DOVE' }, 'VALIDATION_FAILED', '#/collectionMethod', 'ENUM'],
  [{ cardId: 42, chargesKeptCard: true }, 'VALIDATION_FAILED', '#/chargesKeptCard', 'CONFLICT'],
  [
    { extraItems: [{ ...ITEM, cycle: 2 }], noExtraItems: true },
    'VALIDATION_FAILED',
    '#/noExtraItems',
    'CONFLICT',
  ],
  [{ recurringItems: [{ ...ITEM, quantity: 0 }] }, 'VALIDATION_FAILED', '#/recurringItems/0/quantity', 'MIN'],
])('%j is refused', async (body, code, pointer, fault) => {
  const { status, body: problem } = await change(body)
  expect([status, problem.code]).toEqual([400, code])
  expect(problem.errors).toMatchObject([{ pointer, code: fault }])
})

test('a plan that is over is refused, and another seller’s is not found', async () => {
  expect((await gateway.call('PATCH', path, { body: {}, token: gateway.other.token })).status).toBe(404)
  await gateway.call('POST', `${path}/cancel`)
  const { status, body } = await change({ cardId: 42 })
  expect([status, body.code]).toEqual([422, 'INVALID_INVOICE_STATE'])
})

test('a repeat with its key gets the first answer', async () => {
  const headers = { 'Idempotency-Key': 'change-1' }
  const first = await change({ cardId: 42 }, headers)
  await change({ cardId: 43 })
  const again = await change({ cardId: 42 }, headers)
  expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
    200,
    first.body,
    'true',
  ])
  expect((await change({ cardId: 44 }, headers)).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
})
