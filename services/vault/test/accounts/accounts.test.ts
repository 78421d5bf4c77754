import { callRpc } from '@cofre/platform/grpc/client'
import { Outcome } from '@cofre/proto/vault/v1/vault'
import { randomBytes } from 'node:crypto'
import { statementsIn } from '@cofre/testing/statements'
import { card, startWorld, type Vault, type World } from '../support/vault'

let world: World
let vault: Vault
/** Another replica. */
let other: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  other = await world.startVault()
})
afterAll(() => world.stop())
beforeEach(() => (world.partner.received.length = 0))

const KEY = 'canary-key-'.repeat(4).slice(0, 40)
const newSeller = () => 1 + randomBytes(4).readUInt32BE()

type Change = { merchantKey?: string; preference?: number | undefined; partner?: string }
const accountOf = (sellerId: number, name: string, change: Change = {}) => {
  const { merchantKey = KEY, preference, partner = 'with-accounts' } = change
  return { sellerId, partner, name, credentials: { merchantId: name, merchantKey }, preference }
}
const put = (sellerId: number, name: string, change: Change = {}) =>
  callRpc(vault.admin, vault.admin.putAccount, accountOf(sellerId, name, change))

const capture = (sellerId: number, account: string, by = vault) =>
  by.forward('', {
    sellerId,
    account,
    partner: 'with-accounts',
    method: 'PUT',
    path: '/1/sales/1b2c/capture?amount=100',
    headers: { RequestId: 'r-1', MerchantKey: 'of the caller' },
    body: Buffer.alloc(0),
  })
const lastHeaders = () => world.partner.received.at(-1)?.headers

test('a call carries the credentials of the account that it names, and never those of its caller', async () => {
  const sellerId = newSeller()
  await put(sellerId, 'm-1')
  await put(sellerId, 'm-2', { merchantKey: 'another-key' })

  expect((await capture(sellerId, 'm-1')).outcome).toBe(Outcome.ANSWERED)
  expect(lastHeaders()).toMatchObject({ merchantid: 'm-1', merchantkey: KEY, requestid: 'r-1' })
  await capture(sellerId, 'm-2')
  expect(lastHeaders()).toMatchObject({ merchantid: 'm-2', merchantkey: 'another-key' })
})

test('a card and the credentials go out together', async () => {
  const sellerId = newSeller()
  await put(sellerId, 'm-1')
  const handle = await vault.handleOf(card(), sellerId)
  await vault.forward(handle, { sellerId, account: 'm-1', partner: 'with-accounts' })

  expect(lastHeaders()).toMatchObject({ merchantid: 'm-1', merchantkey: KEY })
  expect(world.partner.received[0]?.body).toContain('4111111111111111')
})

test('another address of the partner is called with the same account', async () => {
  const sellerId = newSeller()
  await put(sellerId, 'm-1')
  world.partner.respond = (response) => {
    const body = {
      MerchantOrderId: '5',
      CreditCard: { CardNumber: '4111111111111111' },
      Holder: '4111111111111111',
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const path = '/1/sales?merchantOrderId=5'
  const asked = { sellerId, account: 'm-1', partner: 'queries', method: 'GET', path, body: Buffer.alloc(0) }
  const { answer } = await vault.forward('', asked)

  expect(lastHeaders()).toMatchObject({ merchantid: 'm-1', merchantkey: KEY })
  expect(answer?.body.toString()).not.toContain('4111111111111111')
})

test('a body with a place for a card is not sent without a card', async () => {
  const sellerId = newSeller()
  await put(sellerId, 'm-1')
  const sale = vault.forward('', { sellerId, account: 'm-1', partner: 'with-accounts' })

  await expect(sale).rejects.toMatchObject({ kind: 'invalid_argument' })
  expect(world.partner.received).toEqual([])
})

test('a call that names no account is made with the default one', async () => {
  const sellerId = newSeller()
  await put(sellerId, 'm-only-by-name')
  await put(sellerId, 'm-third', { preference: 3 })
  await put(sellerId, 'm-first', { preference: 0 })
  await capture(sellerId, '')

  expect(lastHeaders()).toMatchObject({ merchantid: 'm-first' })
  const tokens = await vault.clientAs('network-token')
  const found = { sellerId, partner: 'with-accounts' }
  expect(await callRpc(tokens, tokens.findAccount, found)).toEqual({ name: 'm-first' })
  await put(sellerId, 'm-first')
  expect(await callRpc(tokens, tokens.findAccount, found)).toEqual({ name: 'm-third' })
})

test.each([
  ['a seller without an account', 'm-1', {}],
  ['an account of another name', 'm-2', { name: 'm-1' }],
  ['an account of another partner', 'm-1', { name: 'm-1', partner: 'acquirer' }],
  ['an account without one of the credentials', 'm-1', { name: 'm-1', credentials: { merchantId: 'm-1' } }],
])('nothing is sent for %s: NO_ESTABLISHMENT', async (_, account, change) => {
  const sellerId = newSeller()
  if ('name' in change) {
    await vault.keepUnchecked({ ...accountOf(sellerId, 'm-1'), ...change })
  }
  await put(newSeller(), account)

  await expect(capture(sellerId, account)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'NO_ESTABLISHMENT',
  })
  expect(world.partner.received).toEqual([])
})

test('a replaced key is used by every replica within a second, without a restart', async () => {
  const sellerId = newSeller()
  await put(sellerId, 'm-1')
  await Promise.all([capture(sellerId, 'm-1'), capture(sellerId, 'm-1', other)])
  await put(sellerId, 'm-1', { merchantKey: 'replaced' })
  const used = []
  const now = performance.now.bind(performance)
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 1_000)
  for (const replica of [vault, other]) {
    await capture(sellerId, 'm-1', replica)
    used.push(lastHeaders()?.merchantkey)
  }
  clock.mockRestore()
  expect(used).toEqual(['replaced', 'replaced'])
})

test('many calls of a seller read the account once', async () => {
  const sellerId = newSeller()
  await put(sellerId, 'm-1')
  const asked = await statementsIn(
    () => Promise.all(Array.from({ length: 20 }, () => capture(sellerId, 'm-1'))),
    'FROM accounts',
  )
  expect(asked).toHaveLength(1)
})

test('credentials are stored sealed, bound to seller, partner and name', async () => {
  const [sellerId, thief] = [newSeller(), newSeller()]
  await put(sellerId, 'm-1')
  const { rows } = await world.database.pool.query('SELECT * FROM accounts WHERE seller_id = $1', [sellerId])
  expect(rows[0].sealed.toString('latin1')).not.toContain(KEY)
  await world.database.pool.query(
    `INSERT INTO accounts (seller_id, partner, name, sealed, data_key_id) VALUES ($1, 'with-accounts', 'm-1', $2, $3)`,
    [thief, rows[0].sealed, rows[0].data_key_id],
  )
  await expect(capture(thief, 'm-1')).rejects.toThrow('internal error')
  expect(world.logged.join('')).not.toContain(KEY)
})

test('a rotation of the data key seals every account under the new one', async () => {
  const sellerId = newSeller()
  await put(sellerId, 'm-1')
  await world.database.pool.query("DELETE FROM accounts WHERE name = 'm-1' AND seller_id <> $1", [sellerId])
  const { accountsEncrypted, dataKeyId } = await vault.rotateDataKey()
  const { rows } = await world.database.pool.query('SELECT DISTINCT data_key_id AS id FROM accounts')

  expect(accountsEncrypted).toBeGreaterThan(0)
  expect(rows).toEqual([{ id: dataKeyId }])
  // A replica that knows only the destroyed key still stores and opens accounts.
  await callRpc(other.admin, other.admin.putAccount, accountOf(sellerId, 'm-9'))
  expect((await capture(sellerId, 'm-1', other)).outcome).toBe(Outcome.ANSWERED)
  expect((await capture(sellerId, 'm-9', other)).outcome).toBe(Outcome.ANSWERED)
})

test.each([
  ['a credential that no header carries', { credentials: { merchantKey: 'a\r\nb' } }],
  ['no credential', { credentials: {} }],
  ['no name', { name: '' }],
  ['a bad partner', { partner: 'No Partner' }],
])('an account with %s is refused', async (_, change) => {
  const asked = { ...accountOf(1, 'm-1'), ...change }
  await expect(callRpc(vault.admin, vault.admin.putAccount, asked)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
  })
})

test.each([
  ['lacks one', { merchantId: 'm-1' }, 'merchantKey missing'],
  ['has one too many', { merchantId: 'm-1', merchantKey: 'new-key', apiKey: 'new-key' }, 'apiKey unknown'],
  ['has another', { merchantId: 'm-1', chave: 'new-key' }, 'merchantKey missing; chave unknown'],
  [
    'is of another case',
    { merchantid: 'm-1', merchantKey: 'new-key' },
    'merchantId missing; merchantid unknown',
  ],
])('an account that %s is refused by its faults, and the old one is kept', async (_, credentials, faults) => {
  const sellerId = newSeller()
  await put(sellerId, 'm-1')
  const asked = { ...accountOf(sellerId, 'm-1'), credentials }
  await expect(callRpc(vault.admin, vault.admin.putAccount, asked)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    message: `An account at with-accounts has the credentials merchantId, merchantKey: ${faults}.`,
  })

  await capture(sellerId, 'm-1')
  expect(lastHeaders()).toMatchObject({ merchantid: 'm-1', merchantkey: KEY })
})

test.each([
  [
    'none of that name',
    'nobody',
    /They name disputes, identity, pix-bank, tokens-elsewhere, with-accounts\.$/,
  ],
  [
    'one without accounts',
    'acquirer',
    /They name disputes, identity, pix-bank, tokens-elsewhere, with-accounts\.$/,
  ],
  ['another address of one', 'queries', 'Calls to queries are made with the accounts at with-accounts.'],
])('an account at a partner that has none is refused: %s', async (_, partner, message) => {
  const asked = accountOf(newSeller(), 'm-1', { partner })
  const refused = callRpc(vault.admin, vault.admin.putAccount, asked)
  await expect(refused).rejects.toMatchObject({ kind: 'not_found', message: expect.stringMatching(message) })
})

test('a service that calls no partner finds no account', async () => {
  const notifier = await vault.clientAs('notifier')
  const asked = callRpc(notifier, notifier.findAccount, accountOf(newSeller(), 'm-1'))
  await expect(asked).rejects.toMatchObject({ code: 7 })
})
