import { Outcome } from '@cofre/proto/vault/v1/vault'
import type { Pair } from '@cofre/testing/certificates'
import { eventually } from '@cofre/testing/testing'
import {
  apiCalls,
  askCase,
  CLIENT_SECRET,
  giveTokens,
  newSeller,
  OUTCOME,
  putOauthAccount,
} from '../support/oauth'
import { startWorld, type Vault, type World } from '../support/vault'

let world: World
let vault: Vault
let pair: Pair
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  pair = await world.authority.issue('shop-1')
})
afterAll(() => world.stop())

async function sellerWithAccount(change: Parameters<typeof putOauthAccount>[3] = {}) {
  const sellerId = newSeller()
  await putOauthAccount(vault, sellerId, pair, change)
  return sellerId
}

const bearers = () => apiCalls(world).map(({ headers }) => headers.authorization)

test('a call carries a token that the account’s client credentials and certificate were given', async () => {
  const given = giveTokens(world)
  const sellerId = await sellerWithAccount()
  expect(await askCase(vault, sellerId, { headers: { authorization: 'Bearer mine' } })).toMatchObject(
    OUTCOME.answered,
  )

  const [asked, called] = world.partner.received
  expect(asked).toMatchObject({ method: 'POST', path: '/oauth/token', certificate: 'shop-1' })
  expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'cofre',
    client_secret: CLIENT_SECRET,
  })
  expect(called).toMatchObject({ path: '/api/cases/7', certificate: 'shop-1' })
  expect(called?.headers.authorization).toBe('Bearer canary-token-1')
  expect(given.asked).toBe(1)
})

test('a bank may want the credentials as HTTP Basic, with a scope, and times in a query', async () => {
  giveTokens(world)
  const sellerId = await sellerWithAccount({ partner: 'pix-bank' })
  const path = '/pix?inicio=2026-11-27T00%3A00%3A00Z&fim=2026-11-28T00%3A00%3A00-03%3A00'
  expect(await askCase(vault, sellerId, { partner: 'pix-bank', path })).toMatchObject(OUTCOME.answered)

  const [asked, called] = world.partner.received
  const basic = Buffer.from(asked?.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
  expect(basic.split(':').map(decodeURIComponent)).toEqual(['cofre', CLIENT_SECRET])
  expect(asked?.body).toBe('grant_type=client_credentials&scope=cob.read+cob.write')
  expect(called).toMatchObject({ method: 'GET', path })
})

test('a token is used until shortly before its end, by every replica, and by one that starts later', async () => {
  const given = giveTokens(world)
  const sellerId = await sellerWithAccount()
  await askCase(vault, sellerId)
  await askCase(vault, sellerId)
  await askCase(await world.startVault(), sellerId)
  expect(given.asked).toBe(1)
  expect(bearers()).toEqual(Array(3).fill('Bearer canary-token-1'))

  await vault.pool.query("UPDATE access_tokens SET usable_until = now() - interval '1 second'")
  await askCase(await world.startVault(), sellerId)
  expect(given.asked).toBe(2)
})

test('a token whose life is over is not used any more', async () => {
  const given = giveTokens(world, { expiresIn: '1' })
  const sellerId = await sellerWithAccount()
  await askCase(vault, sellerId)
  await eventually(async () => {
    await askCase(vault, sellerId)
    expect(given.asked).toBeGreaterThan(1)
  })
})

test('twenty calls of one moment share one token request', async () => {
  const given = giveTokens(world)
  const sellerId = await sellerWithAccount()
  const answers = await Promise.all(Array.from({ length: 20 }, () => askCase(vault, sellerId)))
  expect(answers.map(({ outcome }) => outcome)).toEqual(Array(20).fill(Outcome.ANSWERED))
  expect(given.asked).toBe(1)
  expect(apiCalls(world)).toHaveLength(20)
})

test('a call answered 401 with a kept token gets a new one and is made once more', async () => {
  const given = giveTokens(world)
  const sellerId = await sellerWithAccount()
  await askCase(vault, sellerId)
  given.admits = (token) => token === 'canary-token-2'
  const answers = await Promise.all(Array.from({ length: 5 }, () => askCase(vault, sellerId)))

  expect(answers.map(({ answer }) => answer?.status)).toEqual(Array(5).fill(200))
  expect(given.asked).toBe(2)
})

test('a call answered 401 again is not made a third time, and a new token that is refused is an answer', async () => {
  const given = giveTokens(world)
  const sellerId = await sellerWithAccount()
  await askCase(vault, sellerId)
  given.admits = () => false
  expect(await askCase(vault, sellerId)).toMatchObject({ ...OUTCOME.answered, answer: { status: 401 } })
  expect(bearers().slice(1)).toEqual(['Bearer canary-token-1', 'Bearer canary-token-2'])

  const another = await sellerWithAccount()
  world.partner.received.length = 0
  expect(await askCase(vault, another)).toMatchObject({ answer: { status: 401 } })
  expect(bearers()).toHaveLength(1)
})

test.each([
  ['refuses the client', 401],
  ['fails', 500],
])('nothing is sent when the token endpoint %s', async (_, tokenStatus) => {
  const given = giveTokens(world, { tokenStatus })
  const sellerId = await sellerWithAccount()
  expect(await askCase(vault, sellerId)).toMatchObject({
    ...OUTCOME.notSent,
    reason: `no access token: the token endpoint answered ${tokenStatus}`,
  })
  expect(apiCalls(world)).toEqual([])

  given.tokenStatus = 200
  expect(await askCase(vault, sellerId)).toMatchObject(OUTCOME.answered)
})

test('nothing is sent when the token endpoint is away, or ends while a refused token is renewed', async () => {
  const elsewhere = await sellerWithAccount({ partner: 'tokens-elsewhere' })
  const asked = { partner: 'tokens-elsewhere' }
  expect(await askCase(vault, elsewhere, asked)).toMatchObject({
    ...OUTCOME.notSent,
    reason: 'no access token: ECONNREFUSED',
  })

  const given = giveTokens(world)
  const sellerId = await sellerWithAccount()
  await askCase(vault, sellerId)
  Object.assign(given, { admits: () => false, tokenStatus: 503 })
  const body = Buffer.from('{}')
  const sent = await askCase(vault, sellerId, { method: 'POST', path: '/cases', body })
  expect(sent).toMatchObject({
    ...OUTCOME.notSent,
    reason: 'no access token: the token endpoint answered 503',
  })
})

test('replaced credentials bring a token and a certificate of their own within a second', async () => {
  giveTokens(world)
  const sellerId = await sellerWithAccount()
  await askCase(vault, sellerId)
  await putOauthAccount(vault, sellerId, await world.authority.issue('shop-2'), { clientSecret: 'another' })
  await eventually(async () => {
    await askCase(vault, sellerId)
    expect(world.partner.received.at(-1)).toMatchObject({ path: '/api/cases/7', certificate: 'shop-2' })
  })
  expect(bearers().at(-1)).toBe('Bearer canary-token-2')
})

test('each account is known by its own certificate, and removing one destroys its token', async () => {
  giveTokens(world)
  const [one, two] = [newSeller(), newSeller()]
  await putOauthAccount(vault, one, pair)
  await putOauthAccount(vault, two, await world.authority.issue('shop-of-two'))
  await Promise.all([askCase(vault, one), askCase(vault, two)])
  const certificates = world.partner.received.map(({ certificate }) => certificate)
  expect(certificates.filter((name) => name === 'shop-of-two')).toHaveLength(2)
  expect(certificates.filter((name) => name === 'shop-1')).toHaveLength(2)

  const count = () =>
    vault.pool.query(
      'SELECT count(*)::int AS kept FROM access_tokens t JOIN accounts a ON a.id = t.account_id WHERE seller_id = $1',
      [two],
    )
  expect((await count()).rows).toEqual([{ kept: 1 }])
  await vault.pool.query('DELETE FROM accounts WHERE seller_id = $1', [two])
  expect((await count()).rows).toEqual([{ kept: 0 }])
})

test('a rotation of the data keys drops tokens, and the next call gets another', async () => {
  const given = giveTokens(world)
  const sellerId = await sellerWithAccount()
  await askCase(vault, sellerId)
  await vault.rotateDataKey()
  expect((await vault.pool.query('SELECT FROM access_tokens')).rows).toEqual([])
  expect(await askCase(await world.startVault(), sellerId)).toMatchObject(OUTCOME.answered)
  expect(given.asked).toBe(2)
})

test('client secret, key and token are in no answer, log or row', async () => {
  const given = giveTokens(world)
  const sellerId = await sellerWithAccount()
  const secret = pair.key.split('\n')[1] ?? ''
  const said = {
    sent: CLIENT_SECRET,
    token: 'canary-token-1',
    nested: [`Bearer canary-token-1`],
    key: pair.key,
  }
  given.answer = { status: 400, body: JSON.stringify(said) }
  const { answer } = await askCase(vault, sellerId)
  expect(JSON.parse(answer?.body.toString() ?? '')).toEqual({
    sent: '***',
    token: '***',
    nested: ['***'],
    key: '***',
  })

  const rows = await vault.pool.query(
    'SELECT t::text FROM accounts t UNION ALL SELECT t::text FROM access_tokens t',
  )
  const everything = `${world.logged.join('')}${JSON.stringify(rows.rows)}`
  expect(everything).toContain('shop')
  for (const canary of [CLIENT_SECRET, 'canary-token', secret]) expect(everything).not.toContain(canary)
})
