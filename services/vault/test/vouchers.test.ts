import { callRpc } from '@cofre/platform/grpc/client'
import { SERVICE_NAMES } from '@cofre/platform/service/services'
import { CardKind, Outcome } from '@cofre/proto/vault/v1/vault'
import { card, SELLER, startWorld, voucher, type Vault, type World } from './support/vault'
import { answerWith, lastCall, newToken, voucherCalls, type VoucherCalls } from './support/vouchers'

const NUMBER = '6370360000000001'

let world: World
let vault: Vault
let vouchers: VoucherCalls
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  vouchers = await voucherCalls(vault)
})
afterAll(() => world.stop())
beforeEach(() => world.partner.forget())

const unusable = { kind: 'failed_precondition', reason: 'CARD_TOKEN_UNUSABLE' }
const invalid = { kind: 'invalid_argument' }
const sent = () => JSON.parse(lastCall(world).body).card
const rows = async () => {
  const { rows: found } = await world.database.pool.query(
    `SELECT token FROM cards WHERE kind = 'voucher' ORDER BY id`,
  )
  return found.map(({ token }) => token as string)
}
/** A voucher token with its card. */
async function kept(body: object = voucher()) {
  const token = newToken()
  await vouchers.keep(token, await vouchers.handleOf(body))
  return token
}

describe('the card behind a voucher token', () => {
  test('goes to the issuer, in the issuer’s own way of writing its expiry, without a CVV', async () => {
    const token = await kept(voucher({ cvv: '987' }))
    expect(await vouchers.pay(token)).toMatchObject({ outcome: Outcome.ANSWERED, grantKept: false })
    expect(sent()).toEqual({
      number: NUMBER,
      holder: 'ANA SOUZA',
      expiration: '12/2090',
      validity: '209012',
    })
  })

  test('goes with the CVV that was given with the token for this one payment', async () => {
    const token = await kept()
    await vouchers.pay(token, { handle: await vouchers.handleOf({ card: { token, cvv: '987' } }) })
    expect(sent()).toMatchObject({ number: NUMBER, securityCode: '987' })
    await vouchers.pay(token, { handle: await vouchers.handleOf({ card: { token } }) })
    expect(sent()).not.toHaveProperty('securityCode')
  })

  test('kept ten times at once stays one row, and is not replaced by another card', async () => {
    const before = await rows()
    const token = newToken()
    const handle = await vouchers.handleOf(voucher())
    await Promise.all(Array.from({ length: 10 }, () => vouchers.keep(token, handle)))
    await vouchers.keep(token, await vouchers.handleOf(voucher({ cardNumber: '6033890000000001' })))
    expect(await rows()).toHaveLength(before.length + 1)
    await vouchers.pay(token)
    expect(sent().number).toBe(NUMBER)
  })

  test('is no stored card by any name, and a stored card is no voucher', async () => {
    const token = await kept()
    const stored = await vault.storeNew(card())
    for (const name of [token, ...(await rows())]) {
      await expect(vault.describe({ token: name })).rejects.toMatchObject({ kind: 'not_found' })
      await expect(vault.remove({ token: name })).rejects.toMatchObject({ kind: 'not_found' })
      await expect(vault.forward('', { cardToken: name })).rejects.toMatchObject(unusable)
      expect((await vault.seal({ cardToken: { token: name } })).cards).toMatchObject([{ usable: false }])
    }
    await expect(vouchers.pay(stored.token)).rejects.toMatchObject(unusable)
    expect(world.partner.received).toEqual([])
  })

  test('belongs to its seller alone; another seller may have a token of the same name', async () => {
    const token = await kept()
    await expect(vouchers.pay(token, { sellerId: SELLER + 1 })).rejects.toMatchObject(unusable)
    await vouchers.destroy(token, SELLER + 1)
    const other = voucher({ cardNumber: '6033890000000001' })
    const handle = await vault.handleOf(other, SELLER + 1, CardKind.VOUCHER)
    await vouchers.keep(token, handle, SELLER + 1)
    await vouchers.pay(token, { sellerId: SELLER + 1 })
    expect(sent().number).toBe('6033890000000001')
    await vouchers.pay(token)
    expect(sent().number).toBe(NUMBER)
  })

  test('is kept and read by a replica that knows only a destroyed key', async () => {
    const other = await voucherCalls(await world.startVault())
    await vault.rotateDataKey()
    const token = newToken()
    await other.keep(token, await other.handleOf(voucher()))
    await vault.rotateDataKey()
    await other.pay(token)
    expect(sent().number).toBe(NUMBER)
  })

  test('is hidden in an answer that echoes it', async () => {
    const token = await kept()
    answerWith(world, { message: `card ${NUMBER}`, number: NUMBER, status: 'APPROVED' })
    const { answer } = await vouchers.pay(token)
    expect(JSON.parse(answer?.body.toString() ?? '')).toEqual({
      message: '***',
      number: '***',
      status: 'APPROVED',
    })
  })
})

describe('the vault refuses', () => {
  test.each([
    ['a payment card', () => vault.handleOf(card())],
    ['a voucher token', () => vouchers.handleOf({ card: { token: newToken(), cvv: '987' } })],
    ['nothing', async () => 'x'],
  ])('to keep %s as a voucher', async (_, handleOf) => {
    const before = await rows()
    await expect(vouchers.keep(newToken(), await handleOf())).rejects.toMatchObject(invalid)
    expect(await rows()).toEqual(before)
  })

  test('to keep a voucher of another seller, after 15 minutes, or under a malformed token', async () => {
    const handle = await vouchers.handleOf(voucher())
    await expect(vouchers.keep(newToken(), handle, SELLER + 1)).rejects.toMatchObject(invalid)
    await expect(vouchers.keep('abc', handle)).rejects.toMatchObject(invalid)
    world.clock.now = () => Date.now() + 15 * 60_000
    await expect(vouchers.keep(newToken(), handle)).rejects.toMatchObject(invalid)
    world.clock.now = Date.now
  })

  test('to pay with a voucher token that has no card, or no longer has one', async () => {
    const token = await kept()
    await vouchers.destroy(token)
    for (const name of [token, newToken(), 'abc']) {
      await expect(vouchers.pay(name)).rejects.toMatchObject(unusable)
    }
    expect(world.partner.received).toEqual([])
  })

  test.each([
    ['another voucher token', () => vouchers.handleOf({ card: { token: newToken(), cvv: '987' } })],
    ['a payment card', () => vault.handleOf(card({ cvv: '987' }))],
    ['a voucher that is not kept', () => vouchers.handleOf(voucher({ cvv: '987' }))],
  ])('to pay with a voucher token and the CVV of %s', async (_, handleOf) => {
    const token = await kept()
    await expect(vouchers.pay(token, { handle: await handleOf() })).rejects.toMatchObject(invalid)
    expect(world.partner.received).toEqual([])
  })

  test('to combine a voucher token with another token, or to take only its handle', async () => {
    const token = await kept()
    const handle = await vouchers.handleOf({ card: { token, cvv: '987' } })
    await expect(vouchers.pay(token, { cardToken: newToken() })).rejects.toMatchObject(invalid)
    await expect(vouchers.pay(token, { networkToken: newToken() })).rejects.toMatchObject(invalid)
    await expect(vouchers.pay('', { handle })).rejects.toMatchObject(invalid)
    expect(world.partner.received).toEqual([])
  })
})

test('a call without a place for a card needs none: a cancellation works after the token is destroyed', async () => {
  const token = await kept()
  await vouchers.destroy(token)
  const path = '/v1/payments/12345678-1234-4123-8123-123456789012/cancel'
  const cancelled = await vouchers.pay(token, { path, body: Buffer.alloc(0) })
  expect(cancelled).toMatchObject({ outcome: Outcome.ANSWERED })
})

test('a destroyed voucher leaves no row, can be destroyed again, and leaves the others', async () => {
  const token = await kept()
  const other = await kept()
  const before = await rows()
  await Promise.all(Array.from({ length: 5 }, () => vouchers.destroy(token)))
  await vouchers.destroy(token)
  expect(await rows()).toHaveLength(before.length - 1)
  expect(await vouchers.pay(other)).toMatchObject({ outcome: Outcome.ANSWERED })
})

test('without the database nothing is sent, and a voucher that was not kept can be kept later', async () => {
  const away = await world.startVault()
  const calls = await voucherCalls(away)
  const token = await kept()
  const another = newToken()
  const handle = await vouchers.handleOf(voucher())
  const { query } = away.deps.pool
  away.deps.pool.query = (() =>
    Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))) as typeof query
  expect(await calls.pay(token)).toMatchObject({ outcome: Outcome.NOT_SENT })
  await expect(calls.keep(another, handle)).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(calls.destroy(token)).rejects.toMatchObject({ kind: 'unavailable' })
  away.deps.pool.query = query
  expect(world.partner.received).toEqual([])
  await calls.keep(another, handle)
  expect(await calls.pay(another)).toMatchObject({ outcome: Outcome.ANSWERED })
  expect(await calls.pay(token)).toMatchObject({ outcome: Outcome.ANSWERED })
})

test('the vouchers service finds the default account of a seller at an issuer', async () => {
  const { client } = vouchers
  const asked = { sellerId: SELLER, partner: 'issuer' }
  await expect(callRpc(client, client.findAccount, asked)).rejects.toMatchObject({
    reason: 'NO_ESTABLISHMENT',
  })
  const account = { ...asked, name: 'shop-1', credentials: { apiKey: 'k' }, preference: 1 }
  await vault.keepUnchecked(account)
  expect(await callRpc(client, client.findAccount, asked)).toEqual({ name: 'shop-1' })
})

test.each([...SERVICE_NAMES.filter((name) => name !== 'vouchers'), 'cofrectl'])(
  '%s keeps and destroys no voucher',
  async (name) => {
    const client = await vault.clientAs(name)
    const of = { sellerId: SELLER, voucherToken: newToken() }
    const refused = { code: 7 }
    await expect(callRpc(client, client.keepVoucher, { ...of, handle: 'x' })).rejects.toMatchObject(refused)
    await expect(callRpc(client, client.keepAuthorizationCode, { ...of, code: 'x' })).rejects.toMatchObject(
      refused,
    )
    await expect(callRpc(client, client.destroyVoucher, of)).rejects.toMatchObject(refused)
  },
)
