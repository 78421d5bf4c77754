import { currentCall, newCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { callRepeatable } from '@cofre/platform/grpc/client'
import type { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import { directCharge } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

/** The path that the reference shows. */
const path = () => `/api/v2/sellers/${gateway.sellerId}/orders/credit-card/charge`
const send = (key: string) =>
  gateway.call('POST', path(), { body: directCharge(), headers: { 'idempotency-key': key } })

/** Acts as a gateway of an older version, which knows only the path that was called. */
const sendOlder = async (idempotency: IdempotencyKey, request: AuthorizeOrderRequest) => {
  const orders = await gateway.ordersThrough(gateway.servers.orders)
  return runCall({ ...newCall({ timeoutMs: 10_000 }), idempotency }, () =>
    callRepeatable(orders, orders.authorizeOrder, request),
  )
}

test('an older gateway knows a request by its documented path, and this one knows the older gateway’s', async () => {
  let fingerprint = ''
  gateway.orders.hooks.before = async () => void (fingerprint = currentCall()?.idempotency?.fingerprint ?? '')
  const { body: made } = await send('newer-first')
  const [request] = gateway.orders.asked.authorize
  if (!request) throw new Error('orders was asked nothing')
  const older = (key: string) => sendOlder({ key, method: 'POST', path: path(), fingerprint }, request)

  expect(await older('newer-first')).toMatchObject({ response: { id: made.id }, replayed: true })

  const { response } = await older('older-first')
  const repeat = await send('older-first')
  expect([repeat.body.id, repeat.headers.get('idempotency-replayed')]).toEqual([response.id, 'true'])
})
