import { callRpc } from '@cofre/platform/grpc/client'
import { Outcome } from '@cofre/proto/vault/v1/vault'
import { eventually } from '@cofre/testing/testing'
import { startWorld, type Vault, type World } from '../support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())

const bank = (sellerId: number, name: string) => ({
  sellerId,
  partner: 'bank',
  name,
  credentials: { chave: 'canary-key' },
})
const remove = (sellerId: number, partner: string, name: string) =>
  callRpc(vault.admin, vault.admin.removeAccount, { sellerId, partner, name })

test('an agreement with the bank belongs to one seller, until that seller’s account is removed', async () => {
  await vault.keepUnchecked(bank(1, '3000001'))
  await vault.keepUnchecked(bank(1, '3000001'))
  await expect(vault.keepUnchecked(bank(3, '3000001'))).rejects.toMatchObject({
    kind: 'conflict',
    reason: 'AGREEMENT_TAKEN',
  })
  await vault.keepUnchecked(bank(3, '3000003'))
  await remove(1, 'bank', '3000001')
  await vault.keepUnchecked(bank(3, '3000001'))
  const listed = await callRpc(vault.admin, vault.admin.listAccounts, { sellerId: 1 })
  expect(listed.accounts).toEqual([])
})

test('a Pix key belongs to one seller, and is no agreement', async () => {
  const pix = (sellerId: number, name: string) => ({ ...bank(sellerId, name), partner: 'pix' })
  await vault.keepUnchecked(pix(7, '3000007'))
  await expect(vault.keepUnchecked(pix(9, '3000007'))).rejects.toMatchObject({ reason: 'AGREEMENT_TAKEN' })
  await vault.keepUnchecked(bank(9, '3000007'))
})

test('sellers may share the name of an account at another partner', async () => {
  for (const sellerId of [1, 3])
    await vault.keepUnchecked({ ...bank(sellerId, 'shared'), partner: 'identity' })
})

test('no call is made with a removed account, and one that is not there is NOT_FOUND', async () => {
  const account = { sellerId: 5, partner: 'with-accounts', name: 'm-1' }
  const credentials = { merchantId: 'm-1', merchantKey: 'canary-key' }
  await callRpc(vault.admin, vault.admin.putAccount, { ...account, credentials })
  const call = async () => {
    const request = {
      method: 'PUT',
      path: '/1/sales/1b2c/capture?amount=100',
      headers: {},
      body: Buffer.alloc(0),
    }
    return vault.forward('', { sellerId: 5, account: 'm-1', partner: 'with-accounts', ...request })
  }
  expect((await call()).outcome).toBe(Outcome.ANSWERED)
  await remove(5, 'with-accounts', 'm-1')
  await eventually(() => expect(call()).rejects.toMatchObject({ reason: 'NO_ESTABLISHMENT' }))
  await expect(remove(5, 'with-accounts', 'm-1')).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})
