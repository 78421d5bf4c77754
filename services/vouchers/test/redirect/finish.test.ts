import { unavailable } from '@cofre/platform/errors'
import { whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { readCard } from '../../src/redirect/continue-redirect'
import { resolveTokens } from '../../src/sweepers/resolve-tokens'
import { finish, redirected, stateOf } from '../support/redirect'
import { startVouchers, type TestVouchers } from '../support/start-vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterEach(() => {
  vouchers.hooks.onCall = () => {}
  vouchers.issuer.recover()
})
afterAll(() => vouchers.stop())

const UNAVAILABLE = { kind: 'unavailable', reason: 'SERVICE_UNAVAILABLE' }
/** Makes the vault refuse to keep codes. */
const vaultAway = () => {
  vouchers.hooks.onCall = (rpc) => {
    if (rpc.toLowerCase().includes('keepauthorizationcode')) throw unavailable('The vault is away.')
  }
}
const HOLD = 'SELECT FROM voucher_tokens WHERE token = $1 FOR UPDATE'
const askNow = (token: string) =>
  vouchers.pool.query('UPDATE voucher_tokens SET ask_at = to_timestamp(0) WHERE token = $1', [token])

test('while the vault is away the state stays unused: the same link is good once the vault is back', async () => {
  const { key, back } = await redirected(vouchers)
  vaultAway()
  await expect(finish(vouchers, back)).rejects.toMatchObject(UNAVAILABLE)
  await askNow(key.token)
  await resolveTokens(vouchers.deps)
  expect(await stateOf(vouchers, key)).toMatchObject({ status: 'PENDING', phase: 'SENT' })
  vouchers.hooks.onCall = () => {}
  expect(await finish(vouchers, back)).toBe('AUTHORIZED')
})

test('a state that the vault’s absence left unused expires in its time', async () => {
  const { key, back } = await redirected(vouchers)
  vaultAway()
  await expect(finish(vouchers, back)).rejects.toMatchObject(UNAVAILABLE)
  await vouchers.pool.query(
    "UPDATE voucher_tokens SET expires_at = now() - interval '1 minute' WHERE token = $1",
    [key.token],
  )
  await askNow(key.token)
  await resolveTokens(vouchers.deps)
  expect(await stateOf(vouchers, key)).toMatchObject({ status: 'EXPIRED', reason: 'AUTHORIZATION_EXPIRED' })
})

test('the same link twice at once is good: the second page shows that it is being checked', async () => {
  const { key, back } = await redirected(vouchers)
  vouchers.issuer.fail('grant', 'done_late')
  const held = vouchers.issuer.whenHeld()
  // Both have read the token before one of them takes its code.
  const both = await whileHeld(vouchers.pool, [HOLD, [key.token]], async () => {
    const finishing = [finish(vouchers, back), finish(vouchers, back)]
    await whenWaiting(vouchers.pool, 2)
    return finishing
  })
  await held
  expect(await Promise.race(both)).toBe('BEING_CHECKED')
  vouchers.issuer.release()
  expect(new Set(await Promise.all(both))).toEqual(new Set(['AUTHORIZED', 'BEING_CHECKED']))
  expect(await finish(vouchers, back)).toBe('AUTHORIZED')
})

test('of two codes that come with one link at once, one is good', async () => {
  const { key, back } = await redirected(vouchers)
  const both = await whileHeld(vouchers.pool, [HOLD, [key.token]], async () => {
    const first = finish(vouchers, back)
    await whenWaiting(vouchers.pool, 1)
    const other = finish(vouchers, { ...back, code: 'code-of-nobody' })
    await whenWaiting(vouchers.pool, 2)
    return [first, other]
  })
  expect(await Promise.all(both)).toEqual(['AUTHORIZED', 'LINK_UNUSABLE'])
})

test('the page of an answer from another issuer gets the same answer when it is reloaded', async () => {
  const { key, back } = await redirected(vouchers)
  const foreign = { ...back, iss: 'https://sso.example.net' }
  expect(await finish(vouchers, foreign)).toBe('CODE_REFUSED')
  expect(await finish(vouchers, foreign)).toBe('CODE_REFUSED')
  expect(await finish(vouchers, back)).toBe('LINK_UNUSABLE')
  expect(await stateOf(vouchers, key)).toMatchObject({ status: 'FAILED', reason: 'CODE_REFUSED' })
})

test('a code that the provider does not know ends the token; the page is the same when it is reloaded', async () => {
  const { key, back } = await redirected(vouchers)
  const invented = { ...back, code: 'code-of-nobody' }
  expect(await finish(vouchers, invented)).toBe('CODE_REFUSED')
  expect(await finish(vouchers, invented)).toBe('CODE_REFUSED')
  expect(await finish(vouchers, back)).toBe('LINK_UNUSABLE')
  expect(await stateOf(vouchers, key)).toMatchObject({ status: 'FAILED', reason: 'CODE_REFUSED' })
})

test('two pages at once with an invented code show the same, and one token ends', async () => {
  const { key, back } = await redirected(vouchers)
  const invented = { ...back, code: 'code-of-nobody' }
  const both = await Promise.all([finish(vouchers, invented), finish(vouchers, invented)])
  expect(both.every((each) => each === 'CODE_REFUSED' || each === 'BEING_CHECKED')).toBe(true)
  expect(await finish(vouchers, invented)).toBe('CODE_REFUSED')
  expect(await stateOf(vouchers, key)).toMatchObject({ status: 'FAILED', reason: 'CODE_REFUSED' })
})

test.each([
  ['answer_lost', 'unknown'],
  [{ status: 200, body: { keys: [] } }, 'untrusted'],
] as const)('an ID token without the provider’s keys (%j) is %s', async (fault, result) => {
  const told = jest.spyOn(vouchers.deps.log, 'info')
  const { back } = await redirected(vouchers)
  vouchers.issuer.fail('keys', fault)
  expect(await finish(vouchers, back)).toBe('UNAVAILABLE')
  expect(told).toHaveBeenCalledWith(expect.objectContaining({ result }), 'authorization code exchanged')
  told.mockRestore()
})

test('a card of an unknown product does not hide the one that pays', async () => {
  const { back } = await redirected(vouchers)
  const data = [
    { card_id: 'f/1', product: 'fuel' },
    { card_id: 'c-1', product: 'meal', last4: '1234' },
  ]
  vouchers.issuer.fail('card', { status: 200, body: { data } })
  expect(await finish(vouchers, back)).toBe('AUTHORIZED')
})

test.each([[[]], [[{ card_id: 'f/1', product: 'fuel' }]]])(
  'a list of cards without one that pays, %j, ends the token',
  async (data) => {
    const { back } = await redirected(vouchers)
    vouchers.issuer.fail('card', { status: 200, body: { data } })
    expect(await finish(vouchers, back)).toBe('REFUSED')
  },
)

test.each(['<html>', {}, { data: [{ card_id: 'c-1', product: 'meal', last4: 1234 }] }])(
  'a list of cards that nobody understands, %j, is read again',
  async (body) => {
    const { key, back } = await redirected(vouchers)
    vouchers.issuer.fail('card', { status: 200, body })
    expect(await finish(vouchers, back)).toBe('BEING_CHECKED')
    await askNow(key.token)
    await resolveTokens(vouchers.deps)
    expect(await stateOf(vouchers, key)).toMatchObject({ status: 'ACTIVE' })
  },
)

test('a holder who comes back at the last moment has time for the card to be read', async () => {
  const { key, back } = await redirected(vouchers)
  await vouchers.pool.query('UPDATE voucher_tokens SET expires_at = $2 WHERE token = $1', [
    key.token,
    new Date(Date.now() + 60_000),
  ])
  vouchers.issuer.fail('card', 'http_500', 'http_500')
  expect(await finish(vouchers, back)).toBe('BEING_CHECKED')
  const { rows } = await vouchers.pool.query('SELECT expires_at FROM voucher_tokens WHERE token = $1', [
    key.token,
  ])
  expect(rows[0].expires_at.getTime()).toBeGreaterThan(Date.now() + 60_000)
  for (const state of [{ status: 'PENDING', phase: 'CARD' }, { status: 'ACTIVE' }]) {
    await askNow(key.token)
    await resolveTokens(vouchers.deps)
    expect(await stateOf(vouchers, key)).toMatchObject(state)
  }
})

describe('a card that could not be read before its access token ran out', () => {
  const unread = async () => {
    const { key, back } = await redirected(vouchers)
    vouchers.issuer.fail('card', 'http_500')
    expect(await finish(vouchers, back)).toBe('BEING_CHECKED')
    vouchers.issuer.provider.access.clear()
    await askNow(key.token)
    return key
  }
  const renewals = () => vouchers.issuer.calls.filter((call) => call === 'POST /connect/token').length

  test('is read with a renewed one', async () => {
    const key = await unread()
    const before = renewals()
    await resolveTokens(vouchers.deps)
    expect(await stateOf(vouchers, key)).toMatchObject({ status: 'ACTIVE' })
    expect(renewals() - before).toBe(1)
  })

  test('is read after one renewal, when two replicas look at once', async () => {
    const key = await unread()
    const before = renewals()
    await Promise.all([readCard(vouchers.deps, key), readCard(vouchers.deps, key)])
    expect(await stateOf(vouchers, key)).toMatchObject({ status: 'ACTIVE' })
    expect(renewals() - before).toBe(1)
  })

  test('comes to nothing when the provider no longer takes the grant', async () => {
    const key = await unread()
    vouchers.issuer.provider.live.clear()
    await resolveTokens(vouchers.deps)
    expect(await stateOf(vouchers, key)).toMatchObject({ status: 'FAILED', reason: 'PROVIDER_ERROR' })
  })

  test('stays as it is while the provider is away, and is read later', async () => {
    const key = await unread()
    vouchers.issuer.fail('grant', 'http_500')
    await resolveTokens(vouchers.deps)
    expect(await stateOf(vouchers, key)).toMatchObject({ status: 'PENDING', phase: 'CARD' })
    await askNow(key.token)
    await resolveTokens(vouchers.deps)
    expect(await stateOf(vouchers, key)).toMatchObject({ status: 'ACTIVE' })
  })
})
