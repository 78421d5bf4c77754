import { dayOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { ListChargesRequest } from '@cofre/proto/orders/v1/orders'
import { ChargeReportsClient } from '@cofre/proto/orders/v1/reports'
import { charge, paid, startPixOrders, type PixOrders } from './start-pix-orders'

let pix: PixOrders
beforeAll(async () => {
  pix = await startPixOrders()
})
afterAll(() => pix.stop())

test('a paid order is found by its end-to-end id, and counts among the approvals by Pix of its day', async () => {
  await charge(pix)
  const { id, sellerId, createdAt, payments } = await paid(pix, await charge(pix))
  const endToEndId = payments[0]?.acquirer?.paymentId
  const search = ListChargesRequest.fromPartial({ sellerId, size: 10, endToEndId })
  expect((await callRpc(pix.client, pix.client.listCharges, search)).charges).toMatchObject([{ id }])

  const reports = await pix.network.clientOf(ChargeReportsClient, pix.address, 'gateway')
  const [from, to] = [dayOf(createdAt), dayOf(Date.now())]
  const { days } = await callRpc(reports, reports.sumDays, { sellerId, from, to })
  expect(days[0]).toMatchObject({ approvedPix: { count: 1, amount: 12_345 }, approved: { count: 0 } })
})
