import { Outcome } from '@cofre/proto/vault/v1/vault'
import { SELLER, startWorld, type Vault, type World } from './support/vault'
import {
  answerWith,
  bodyOf,
  CLIENT_SECRET,
  given,
  jsonBytes,
  lastCall,
  lastForm,
  newToken,
  putClient,
  voucherCalls,
  type VoucherCalls,
} from './support/vouchers'

const CODE = 'code/with+what=forms&escape'

let world: World
let vault: Vault
let vouchers: VoucherCalls
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  vouchers = await voucherCalls(vault)
  await putClient(vault)
})
afterAll(() => world.stop())
beforeEach(() => world.partner.forget())

const unusable = { kind: 'failed_precondition', reason: 'CARD_TOKEN_UNUSABLE' }
const answered = { outcome: Outcome.ANSWERED }
/** A voucher token with an access token and a refresh token. */
async function granted(accessToken = 'access-1', refreshToken: string | undefined = 'refresh-1') {
  const token = newToken()
  await vouchers.keepCode(token, CODE)
  answerWith(world, given(accessToken, refreshToken))
  expect(await vouchers.exchange(token)).toMatchObject({ ...answered, grantKept: true })
  return token
}

/** The access token that the issuer is sent. */
async function accessTokenOf(token: string) {
  answerWith(world, {})
  await vouchers.payAsHolder(token)
  return lastCall(world).headers.authorization
}

describe('an authorization code', () => {
  test('is exchanged in a form with the client’s secret; the tokens stay here and the rest is returned', async () => {
    const token = newToken()
    await vouchers.keepCode(token, CODE)
    answerWith(world, given('access-1', 'refresh-1'))
    const exchanged = await vouchers.exchange(token)

    expect(lastCall(world)).toMatchObject({
      method: 'POST',
      path: '/connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(lastForm(world)).toEqual({
      grant_type: 'authorization_code',
      client_id: 'shop',
      code: CODE,
      client_secret: CLIENT_SECRET,
    })
    expect(exchanged).toMatchObject({ ...answered, grantKept: true, numberKept: false, handle: '' })
    expect(bodyOf(exchanged)).toEqual({ ...given('***', '***') })
  })

  test('is spent once exchanged, and a late one changes nothing', async () => {
    const token = await granted()
    await vouchers.keepCode(token, CODE)
    await vouchers.keepCode(token, 'another')
    await expect(vouchers.exchange(token)).rejects.toMatchObject(unusable)
    expect(await accessTokenOf(token)).toBe('Bearer access-1')
  })

  test('kept ten times at once stays one row, and another code replaces it until one is exchanged', async () => {
    const token = newToken()
    await Promise.all(Array.from({ length: 10 }, () => vouchers.keepCode(token, CODE)))
    await vouchers.keepCode(token, 'another')
    const { rows } = await world.database.pool.query('SELECT version FROM grants WHERE voucher_token = $1', [
      token,
    ])
    expect(rows).toEqual([{ version: 2 }])
    await vouchers.exchange(token)
    expect(lastForm(world).code).toBe('another')
  })

  test('that the provider refuses stays, and the refusal is returned', async () => {
    const token = newToken()
    await vouchers.keepCode(token, CODE)
    answerWith(world, { error: 'invalid_grant', access_token: 'not-given' }, 400)
    const refused = await vouchers.exchange(token)
    expect(refused).toMatchObject({ ...answered, grantKept: false })
    expect(refused.answer?.status).toBe(400)
    expect(bodyOf(refused)).toEqual({ error: 'invalid_grant', access_token: '***' })
    await expect(vouchers.payAsHolder(token)).rejects.toMatchObject(unusable)
    expect(await vouchers.exchange(token)).toMatchObject(answered)
  })

  test.each(['', 'a b', 'a\r\nb', 'é', 'x'.repeat(8193)])('is not %j', async (code) => {
    await expect(vouchers.keepCode(newToken(), code)).rejects.toMatchObject({
      kind: 'invalid_argument',
      reason: 'VALIDATION_FAILED',
    })
  })

  test('is kept only with a token of 64 hexadecimal digits', async () => {
    await expect(vouchers.keepCode('abc', CODE)).rejects.toMatchObject({ kind: 'invalid_argument' })
  })
})

describe('an access token', () => {
  test('goes out as the bearer, in place of what the caller sends, and is hidden in the answer', async () => {
    const token = await granted('access-of-ana')
    answerWith(world, { data: [{ card_id: 'c-1', note: 'token access-of-ana' }] })
    const paid = await vouchers.payAsHolder(token, {
      method: 'GET',
      path: '/v2/cards',
      body: Buffer.alloc(0),
      headers: { authorization: 'Bearer forged', Authorization: 'Bearer forged', requestid: 'r-1' },
    })
    expect(lastCall(world).headers).toMatchObject({ authorization: 'Bearer access-of-ana', requestid: 'r-1' })
    expect(bodyOf(paid)).toEqual({ data: [{ card_id: 'c-1', note: '***' }] })
  })

  test('is refreshed; a new refresh token replaces the old one', async () => {
    const token = await granted()
    answerWith(world, given('access-2', 'refresh-2'))
    expect(await vouchers.refresh(token)).toMatchObject({ ...answered, grantKept: true })
    expect(lastForm(world)).toMatchObject({ refresh_token: 'refresh-1', client_secret: CLIENT_SECRET })
    expect(await accessTokenOf(token)).toBe('Bearer access-2')
    await vouchers.refresh(token)
    expect(lastForm(world).refresh_token).toBe('refresh-2')
  })

  test('that comes without a new refresh token leaves the old one', async () => {
    const token = await granted()
    answerWith(world, given('access-2'))
    await vouchers.refresh(token)
    await vouchers.refresh(token)
    expect(lastForm(world).refresh_token).toBe('refresh-1')
  })

  test.each([
    ['no text', 7],
    ['what no header carries', 'a\r\nx: y'],
    ['empty', ''],
  ])('that is %s is not kept, and is hidden', async (_, accessToken) => {
    const token = await granted()
    answerWith(world, { access_token: accessToken })
    const refreshed = await vouchers.refresh(token)
    expect(refreshed).toMatchObject({ ...answered, grantKept: false })
    expect(bodyOf(refreshed)).toEqual({ access_token: '***' })
    expect(await accessTokenOf(token)).toBe('Bearer access-1')
  })

  test('in the answer to a call without a voucher token is kept nowhere, and is hidden', async () => {
    answerWith(world, given('access-9', 'refresh-9'))
    const asked = await vouchers.pay('', {
      partner: 'identity',
      path: '/connect/token',
      body: jsonBytes({ grant_type: 'client_credentials' }),
    })
    expect(asked).toMatchObject({ ...answered, grantKept: false })
    expect(bodyOf(asked)).toEqual(given('***', '***'))
  })
})

describe('nothing is sent', () => {
  test('with a voucher token that has no grant, or lacks the part that the call needs', async () => {
    const none = newToken()
    const withCode = newToken()
    await vouchers.keepCode(withCode, CODE)
    for (const call of [
      () => vouchers.exchange(none),
      () => vouchers.refresh(none),
      () => vouchers.payAsHolder(none),
      () => vouchers.payAsHolder(''),
      () => vouchers.refresh(withCode),
      () => vouchers.payAsHolder(withCode),
      () => vouchers.exchange(withCode, { sellerId: SELLER + 1 }),
    ]) {
      await expect(call()).rejects.toMatchObject({ kind: 'failed_precondition' })
    }
    expect(world.partner.received).toEqual([])
  })

  test('with a place for a code but no voucher token named', async () => {
    await expect(vouchers.exchange('')).rejects.toMatchObject({ kind: 'invalid_argument' })
    expect(world.partner.received).toEqual([])
  })

  test.each([
    ['a list', { scope: ['a'] }],
    ['an object', { scope: { a: 1 } }],
    ['null', { scope: null }],
  ])('with %s in a form', async (_, body) => {
    const token = newToken()
    await vouchers.keepCode(token, CODE)
    await expect(vouchers.exchange(token, { body: jsonBytes(body) })).rejects.toMatchObject({
      kind: 'invalid_argument',
    })
    expect(world.partner.received).toEqual([])
  })

  test('with an account that lacks the credential of the body', async () => {
    const bare = { sellerId: SELLER, partner: 'identity', name: 'bare', credentials: { other: 'x' } }
    await vault.keepUnchecked(bare)
    const token = newToken()
    await vouchers.keepCode(token, CODE)
    await expect(vouchers.exchange(token, { account: 'bare' })).rejects.toMatchObject({
      reason: 'NO_ESTABLISHMENT',
    })
    expect(world.partner.received).toEqual([])
  })
})

test('a route may have a query parameter of two words', async () => {
  const token = await granted()
  const get = { method: 'GET', body: Buffer.alloc(0) }
  await vouchers.payAsHolder(token, { ...get, path: '/v2/transactions?order_ref=R-1' })
  expect(lastCall(world).path).toBe('/v2/transactions?order_ref=R-1')
  await expect(
    vouchers.payAsHolder(token, { ...get, path: '/v2/transactions?orderref=R-1' }),
  ).rejects.toMatchObject({ kind: 'permission_denied' })
})

test('a destroyed voucher token has no grant, and can be destroyed again', async () => {
  const token = await granted()
  await vouchers.destroy(token)
  await vouchers.destroy(token)
  await expect(vouchers.payAsHolder(token)).rejects.toMatchObject(unusable)
  const { rows } = await world.database.pool.query('SELECT id FROM grants WHERE voucher_token = $1', [token])
  expect(rows).toEqual([])
})
