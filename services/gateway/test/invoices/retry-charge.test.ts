import { AutomaticChargeStatus, Invoice, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

let last = 700
function made(status: AutomaticChargeStatus, amount = 9_900): string {
  const id = (last += 1)
  const { sellerId } = gateway
  const automaticCharge = { status, attempts: 5 }
  gateway.invoices.invoices.set(
    id,
    Invoice.fromPartial({ id, sellerId, status: InvoiceStatus.CLOSED, amount, automaticCharge }),
  )
  return `/api/v2/invoices/${id}/automatic-charge/retry`
}

test('one more try answers the charge, and where it can be read', async () => {
  const { status, headers, body } = await gateway.call('POST', made(AutomaticChargeStatus.GIVEN_UP))
  expect([status, body.status, body.transactions]).toEqual([
    201,
    'PAID',
    [expect.objectContaining({ status: 'SUCCEEDED' })],
  ])
  expect(headers.get('location')).toContain(`/api/v2/invoices/${body.invoiceId}/charges/latest`)
})

test('a try whose outcome is not known says when to ask again', async () => {
  const { status, headers } = await gateway.call('POST', made(AutomaticChargeStatus.GIVEN_UP, 9_999))
  expect([status, headers.get('retry-after')]).toEqual([201, '2'])
})

test('what is not to be charged is refused, and another seller’s is not found', async () => {
  const over = await gateway.call('POST', made(AutomaticChargeStatus.STOPPED))
  expect([over.status, over.body.code]).toEqual([422, 'INVALID_INVOICE_STATE'])
  const { token } = gateway.other
  expect((await gateway.call('POST', made(AutomaticChargeStatus.GIVEN_UP), { token })).status).toBe(404)
})

test('a repeat with its key gets the first answer', async () => {
  const path = made(AutomaticChargeStatus.GIVEN_UP)
  const headers = { 'Idempotency-Key': 'retry-1' }
  const first = await gateway.call('POST', path, { headers })
  const again = await gateway.call('POST', path, { headers })
  expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
    201,
    first.body,
    'true',
  ])
})
