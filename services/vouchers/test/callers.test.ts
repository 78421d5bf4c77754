import { callRpc } from '@cofre/platform/grpc/client'
import { VouchersAdminClient, VouchersClient } from '@cofre/proto/vouchers/v1/vouchers'
import { startVouchers, type TestVouchers } from './support/start-vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterAll(() => vouchers.stop())

test('only the gateway sends sellers’ requests, and only cofrectl closes payments', async () => {
  const { network, address, client, admin } = vouchers
  const byOrders = await network.clientOf(VouchersClient, address, 'orders')
  const byGateway = await network.clientOf(VouchersAdminClient, address, 'gateway')
  const refused = 'not allowed to call'
  await expect(callRpc(byOrders, byOrders.listBrands, {})).rejects.toThrow(refused)
  await expect(callRpc(byGateway, byGateway.listPendingPayments, {})).rejects.toThrow(refused)
  expect(await callRpc(client, client.listBrands, {})).toMatchObject({ brands: expect.anything() })
  expect(await callRpc(admin, admin.listPendingPayments, {})).toMatchObject({ more: false })
})
