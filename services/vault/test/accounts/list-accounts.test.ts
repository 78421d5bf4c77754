import { callRpc } from '@cofre/platform/grpc/client'
import { startWorld, type World } from '../support/vault'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('a seller’s accounts are listed with the names of their credentials, never a value', async () => {
  const { admin, keepUnchecked } = await world.startVault()
  const put = (sellerId: number, name: string) => {
    const credentials = { merchantId: name, merchantKey: 'canary-key' }
    return callRpc(admin, admin.putAccount, { sellerId, partner: 'with-accounts', name, credentials })
  }
  const from = Date.now() - 60_000
  await put(9, 'm-2')
  const old = { sellerId: 9, partner: 'identity', name: 'm-1', credentials: { other: 'canary-key' } }
  await keepUnchecked(old)
  await put(8, 'm-3')
  const listed = await callRpc(admin, admin.listAccounts, { sellerId: 9 })

  const updatedAt = expect.any(Number)
  const lacking = { credentials: ['other'], missingCredentials: ['clientSecret'], updatedAt }
  const whole = { credentials: ['merchantId', 'merchantKey'], missingCredentials: [], updatedAt }
  expect(listed).toEqual({
    accounts: [
      { partner: 'identity', name: 'm-1', ...lacking },
      { partner: 'with-accounts', name: 'm-2', ...whole },
    ],
    more: false,
  })
  expect(JSON.stringify(listed)).not.toContain('canary')
  for (const account of listed.accounts) expect(account.updatedAt).toBeGreaterThan(from)
  expect(await callRpc(admin, admin.listAccounts, { sellerId: 7 })).toEqual({ accounts: [], more: false })
})
