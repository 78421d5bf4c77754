import { currentCall } from '@cofre/platform/grpc/call-context'
import { VoucherCardType } from '@cofre/proto/vouchers/v1/vouchers'
import { openLine } from '@cofre/testing/tcp-line'
import { directCharge, order, voucherPayment } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.stop())

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
type Sent = { path?: string; body?: object; method?: string; headers?: Record<string, string> }
const send = ({ method = 'POST', path = AUTHORIZE, body = order(), headers = {} }: Sent = {}) =>
  gateway.call(method, path, { body, headers })
const withKey = { headers: { 'idempotency-key': 'k' } }

/** Lets the orders service take the next write, and then cuts its connection. */
async function loseAnswers() {
  const line = await openLine({ host: '127.0.0.1', port: gateway.servers.orders.port })
  Object.assign(gateway.deps.services, { orders: await gateway.ordersThrough(line) })
  gateway.orders.hooks.before = line.cut
}

/** Makes the database of a service fail, before or after the service asked its partner. */
function loseDatabase(dispatched: boolean, service: 'orders' | 'vouchers' = 'orders') {
  gateway[service].hooks.before = async () => {
    Object.assign(currentCall()?.dispatch ?? {}, { begun: dispatched })
    throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
  }
}

test('a lost answer is 504, to be repeated with its key; with the service gone it is 503', async () => {
  await loseAnswers()
  const { status, headers, body } = await send(withKey)
  expect([status, body.code, body.retryable, headers.get('retry-after')]).toEqual([
    504,
    'OUTCOME_UNKNOWN',
    true,
    '1',
  ])
  expect(body.detail).toMatch(/same Idempotency-Key/)
  const again = await send(withKey)
  expect([again.status, again.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
})

test('without a key the answer says to look the request up, not to repeat it', async () => {
  await loseAnswers()
  const { status, headers, body } = await send()
  expect([status, body.retryable, headers.get('retry-after')]).toEqual([504, false, null])
  expect(body.detail).toMatch(/orderReference/)
})

test.each([
  ['before', false, 503, 'SERVICE_UNAVAILABLE'],
  ['after', true, 504, 'OUTCOME_UNKNOWN'],
])('a database that fails %s the dispatch', async (_, dispatched, status, code) => {
  const { body: made } = await send()
  loseDatabase(dispatched)
  for (const sent of [
    {},
    { path: '/v2/orders/credit-card/charge', body: directCharge() },
    { path: `/api/v2/charges/${made.id}/capture`, body: {} },
    { path: `/api/v2/charges/${made.id}/refund`, body: {} },
  ]) {
    const answer = await send(sent)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  }
})

test.each([
  ['before', false, 503, 'SERVICE_UNAVAILABLE'],
  ['after', true, 504, 'OUTCOME_UNKNOWN'],
])('a database of the vouchers that fails %s the dispatch', async (_, dispatched, status, code) => {
  const { sellerId } = gateway
  const { token } = gateway.vouchers.addToken({ sellerId, cardType: VoucherCardType.MEAL, cardBrand: 'VR' })
  const path = `/api/v2/sellers/${sellerId}/vouchers/payments`
  const { body: paid } = await send({ path, body: voucherPayment(token) })
  loseDatabase(dispatched, 'vouchers')
  for (const sent of [
    { path, body: voucherPayment(token) },
    { path: `${path}/${paid.id}/cancel`, body: {} },
  ]) {
    const answer = await send(sent)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  }
})

test('a lost answer to a write that moves no money is 504 too: its repeat might write twice', async () => {
  const { body: made } = await send()
  const replace = { method: 'PUT', path: `/api/v2/charges/${made.id}/metadata`, body: { a: 1 } }
  await loseAnswers()
  expect(await send({ ...replace, ...withKey })).toMatchObject({
    status: 504,
    body: { code: 'OUTCOME_UNKNOWN', retryable: true },
  })
})
