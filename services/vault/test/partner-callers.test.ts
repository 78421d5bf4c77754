import { Metadata } from '@grpc/grpc-js'
import { CALLER } from '@cofre/platform/grpc/allow-callers'
import { callRpc } from '@cofre/platform/grpc/client'
import { card, SALE, SELLER, startWorld, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())
beforeEach(() => (world.partner.received.length = 0))

/** A sale at the acquirer, whose setting names orders alone. */
const sale = async () => ({
  sellerId: SELLER,
  partner: 'acquirer',
  method: 'POST',
  path: '/1/sales',
  headers: {},
  body: Buffer.from(JSON.stringify(SALE)),
  handle: await vault.handleOf(card()),
  timeoutMs: 5_000,
  cardToken: '',
  networkToken: '',
  voucherToken: '',
  account: '',
})

test('a partner is called for a service that its setting names', async () => {
  await callRpc(vault.orders, vault.orders.forward, await sale())
  expect(world.partner.received).toHaveLength(1)
})

test('a partner is not called for another service, though that one may call other partners', async () => {
  const other = await vault.clientAs('network-token')
  await expect(callRpc(other, other.forward, await sale())).rejects.toMatchObject({
    kind: 'permission_denied',
  })
  expect(world.partner.received).toEqual([])
})

test('a service is identified by its certificate, whatever it claims', async () => {
  const other = await vault.clientAs('network-token')
  const asOrders = new Metadata()
  asOrders.set(CALLER, 'orders')
  const asked = await sale()
  const refusal = await new Promise((resolve) => other.forward(asked, asOrders, resolve))
  expect(refusal).toMatchObject({ code: 7 })
  expect(world.partner.received).toEqual([])
})
