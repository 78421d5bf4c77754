import { generateKeyPairSync } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Pair } from '@cofre/testing/certificates'
import { firstExpiries } from '../../src/accounts/account-store'
import { startWorld, type Vault, type World } from '../support/vault'
import { newSeller, putOauthAccount } from '../support/oauth'

let world: World
let vault: Vault
let pair: Pair
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  pair = await world.authority.issue('shop', { days: 20 })
})
afterAll(() => world.stop())

const refused = (detail: string) => ({
  kind: 'invalid_argument',
  reason: 'VALIDATION_FAILED',
  message: expect.stringContaining(detail),
})

test.each([
  ['a certificate that is none', () => ({ cert: 'CANARY' }), 'not a PEM certificate'],
  ['a key that is none', () => ({ key: 'CANARY' }), 'not a PEM key'],
  ['a key with a passphrase', () => ({ key: withPassphrase() }), 'passphrase'],
  [
    'a key of another certificate',
    async () => ({ key: (await world.authority.issue('other')).key }),
    'does not belong',
  ],
  ['a certificate that expired', () => world.authority.issue('shop', { days: -1 }), 'expired on'],
  ['no certificate', () => ({ cert: '' }), 'printable characters'],
])('refused: %s', async (_, change, detail) => {
  const put = putOauthAccount(vault, newSeller(), { ...pair, ...(await change()) })
  await expect(put).rejects.toMatchObject(refused(detail))
  await expect(put).rejects.not.toMatchObject({ message: expect.stringContaining('CANARY') })
})

function withPassphrase(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return String(
    privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }),
  )
}

test('line breaks are for certificates: any other credential goes into a header', async () => {
  const put = putOauthAccount(vault, newSeller(), pair, { clientSecret: 'a\nb' })
  await expect(put).rejects.toMatchObject(refused('printable characters'))
})

test('a list shows until when a certificate is good, and so does the metric, for each partner', async () => {
  const [sellerId, later] = [newSeller(), newSeller()]
  await putOauthAccount(vault, sellerId, pair)
  await putOauthAccount(vault, later, await world.authority.issue('later', { days: 90 }))
  const { accounts } = await callRpc(vault.admin, vault.admin.listAccounts, { sellerId })
  const inDays = (at = 0) => Math.round((at - Date.now()) / 86_400_000)
  expect(accounts.map(({ certificateExpiresAt }) => inDays(certificateExpiresAt))).toEqual([20])

  const expiries = await firstExpiries(vault.pool)
  expect(expiries.map(({ partner, expiresAt }) => [partner, inDays(expiresAt * 1_000)])).toEqual([
    ['disputes', 20],
  ])
})
