import type { ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { SERVICE_NAMES } from '@cofre/platform/service/services'
import { Outcome, type VaultClient } from '@cofre/proto/vault/v1/vault'
import { forgetUnusedCards } from '../src/cards/network-token-store'
import { card, SALE, SELLER, startWorld, TOKEN_SALE, type Vault, type World } from './support/vault'

const DPAN = '4895370012345675'
const OTHER_DPAN = '4895370098765431'
const ID = '12345678-1234-4123-8123-123456789012'

let world: World
let vault: Vault
let owner: VaultClient
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  owner = await vault.clientAs('network-token')
})
afterAll(() => world.stop())
beforeEach(() => (world.partner.received.length = 0))

const newToken = () => randomBytes(32).toString('hex')
const answerWith = (body: unknown, status = 200) => {
  world.partner.respond = (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}
const keep = (networkToken: string, handle: string, sellerId = SELLER) =>
  callRpc(owner, owner.keepNetworkToken, { sellerId, handle, networkToken })
const destroy = (networkToken: string, sellerId = SELLER) =>
  callRpc(owner, owner.destroyNetworkToken, { sellerId, networkToken })
type Change = Partial<Parameters<VaultClient['forward']>[0]>
const forward = (networkToken: string, change: Change = {}, client = owner) =>
  callRpc(client, client.forward, {
    sellerId: SELLER,
    partner: 'token-service',
    account: '',
    method: 'GET',
    path: `/v1/network-tokens/${ID}`,
    headers: {},
    body: Buffer.alloc(0),
    handle: '',
    timeoutMs: 5_000,
    cardToken: '',
    voucherToken: '',
    networkToken,
    ...change,
  })
const found = (number = DPAN) => ({
  id: ID,
  reference: ID,
  status: 'ACTIVE',
  token: { number, expirationMonth: 11, expirationYear: 2093, lastFour: number.slice(-4) },
})
const REQUEST = Buffer.from(
  JSON.stringify({ card: { number: '{{cardNumber}}', holder: '{{holderName}}', securityCode: '{{cvv}}' } }),
)
const asking = { method: 'POST', path: '/v1/network-tokens', body: REQUEST }
const sent = () => JSON.parse(world.partner.received.at(-1)?.body || 'null')

/** A token with its number, as the network gave it. */
async function activeToken(body: object = card()) {
  const token = newToken()
  await keep(token, await vault.handleOf(body))
  answerWith(found())
  expect(await forward(token)).toMatchObject({ outcome: Outcome.ANSWERED, numberKept: true })
  return token
}

const CRYPTOGRAM = randomBytes(20).toString('base64')
async function cryptogramOf(token: string, cryptogram = CRYPTOGRAM) {
  answerWith({ cryptogram, eci: '05', expiresAt: Date.now() }, 201)
  const path = `/v1/network-tokens/${ID}/cryptograms`
  return forward(token, { method: 'POST', path, body: Buffer.from('{"reference":"R"}') })
}

describe('the card behind a network token', () => {
  test('goes to the token service, with its CVV while the handle is there, and without it afterwards', async () => {
    const token = newToken()
    const handle = await vault.handleOf(card({ cvv: '987' }))
    await keep(token, handle)
    answerWith({ id: ID, status: 'PENDING' }, 202)
    await forward(token, { ...asking, handle })
    expect(sent().card).toEqual({ number: '4111111111111111', holder: 'ANA SOUZA', securityCode: '987' })
    await forward(token, asking)
    expect(sent().card).toEqual({ number: '4111111111111111', holder: 'ANA SOUZA' })
  })

  test('may come from a stored card, and outlives it', async () => {
    const { token: stored, id } = await vault.storeNew(card())
    const token = newToken()
    await keep(token, await vault.handleOf({ cardToken: { token: stored } }))
    await vault.remove({ id })
    answerWith({}, 202)
    await forward(token, asking)
    expect(sent().card.number).toBe('4111111111111111')
  })

  test('kept again stays one row, is no stored card by any name, and serves no other seller', async () => {
    const token = newToken()
    const handle = await vault.handleOf(card())
    const kept = () =>
      world.database.pool.query(`SELECT token FROM cards WHERE kind = 'token_card' ORDER BY id DESC`)
    const before = await kept()
    await Promise.all(Array.from({ length: 10 }, () => keep(token, handle)))
    const { rows } = await kept()
    expect(rows).toHaveLength(before.rows.length + 1)
    for (const name of [token, rows[0].token]) {
      await expect(vault.describe({ token: name })).rejects.toMatchObject({ kind: 'not_found' })
      const sealed = await vault.seal({ cardToken: { token: name } })
      expect(sealed.cards[0]).toMatchObject({ usable: false, handle: '' })
    }
    const foreign = forward(token, { sellerId: SELLER + 1 })
    await expect(foreign).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
  })

  test('is destroyed when the token stays unused for an hour, and kept when the token is used', async () => {
    const [unused, used] = [newToken(), await activeToken()]
    await keep(unused, await vault.handleOf(card()))
    await world.database.pool.query(`UPDATE cards SET kept_until = kept_until - interval '2 hours'`)
    expect(await forgetUnusedCards(vault.deps.pool)).toBeGreaterThan(0)
    await expect(forward(unused)).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
    expect((await forward(used)).outcome).toBe(Outcome.ANSWERED)
  })

  test('and the network’s number are destroyed on request, which may be repeated', async () => {
    const token = await activeToken()
    const { handle } = await cryptogramOf(token)
    const before = await world.database.pool.query('SELECT FROM cards')
    await destroy(token)
    await destroy(token)
    const after = await world.database.pool.query('SELECT FROM cards')
    expect(before.rowCount).toBe((after.rowCount ?? 0) + 2)
    await expect(forward(token)).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
    await expect(vault.forward(handle)).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
  })
})

describe('an answer of the token service', () => {
  test('leaves without the number and the cryptogram; ids stay', async () => {
    const token = newToken()
    await keep(token, await vault.handleOf(card()))
    answerWith(found())
    const seen = await forward(token)
    const body = JSON.parse(seen.answer?.body.toString() ?? '')
    expect(body).toMatchObject({ id: ID, reference: ID, token: { number: '***', lastFour: '5675' } })
    const given = await cryptogramOf(token)
    expect(JSON.parse(given.answer?.body.toString() ?? '')).toMatchObject({ cryptogram: '***', eci: '05' })
    expect(JSON.stringify([seen, given, world.logged])).not.toMatch(
      new RegExp(`${DPAN}|${CRYPTOGRAM.replace(/[+/]/g, '\\$&')}`),
    )
    const { rows } = await world.database.pool.query('SELECT * FROM cards')
    expect(JSON.stringify(rows)).not.toMatch(/4895370012345675|4111111111111111/)
  })

  test('without a number, or with a malformed one, keeps none', async () => {
    const token = newToken()
    await keep(token, await vault.handleOf(card()))
    for (const number of [undefined, '12', 4895370012345675, 'x'.repeat(16)]) {
      answerWith({ ...found(), token: { ...found().token, number } })
      expect(await forward(token)).toMatchObject({ numberKept: false })
    }
    expect(await cryptogramOf(token, 'short')).toMatchObject({ handle: '' })
  })

  test('that arrives after the token was destroyed keeps nothing', async () => {
    const token = newToken()
    await keep(token, await vault.handleOf(card()))
    const answer = (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found()))
    world.partner.respond = (response) => void destroy(token).then(() => answer(response))
    expect(await forward(token)).toMatchObject({ outcome: Outcome.ANSWERED, numberKept: false })
    await expect(forward(token)).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
  })

  test('to a call without a network token keeps nothing', async () => {
    answerWith(found())
    const { answer, numberKept } = await forward('', { ...asking, handle: await vault.handleOf(card()) })
    expect(numberKept).toBe(false)
    expect(answer?.body.toString()).not.toContain(DPAN)
  })
})

describe('a sale with a cryptogram', () => {
  const sell = (handle: string, body = TOKEN_SALE) => vault.forward(handle, { body })

  test('carries the network’s number and expiration, the cryptogram and the holder', async () => {
    const token = await activeToken()
    const { handle } = await cryptogramOf(token)
    answerWith({ Payment: { CreditCard: { CardNumber: DPAN, Cryptogram: CRYPTOGRAM } } }, 201)
    const { answer } = await sell(handle)
    expect(sent().Payment.CreditCard).toEqual({
      CardNumber: DPAN,
      ExpirationDate: '11/2093',
      Cryptogram: CRYPTOGRAM,
      Holder: 'ANA SOUZA',
    })
    expect(JSON.parse(answer?.body.toString() ?? '').Payment.CreditCard).toEqual({
      CardNumber: '***',
      Cryptogram: '***',
    })
  })

  test('can be made once more with the card’s own number', async () => {
    const { handle } = await cryptogramOf(await activeToken())
    answerWith({}, 201)
    await sell(handle, Buffer.from(JSON.stringify(SALE)))
    expect(sent().Payment.CreditCard).toMatchObject({
      CardNumber: '4111111111111111',
      ExpirationDate: '12/2090',
    })
  })

  test('uses the number that the network gave last', async () => {
    const token = await activeToken()
    answerWith(found(OTHER_DPAN))
    await forward(token)
    const { handle } = await cryptogramOf(token)
    await sell(handle)
    expect(sent().Payment.CreditCard.CardNumber).toBe(OTHER_DPAN)
  })

  test('is not made with a handle of another seller, or after 15 minutes', async () => {
    const { handle } = await cryptogramOf(await activeToken())
    await expect(vault.forward(handle, { sellerId: SELLER + 1 })).rejects.toMatchObject({
      kind: 'invalid_argument',
    })
    world.clock.now = () => Date.now() + 15 * 60_000
    await expect(sell(handle)).rejects.toMatchObject({ kind: 'invalid_argument' })
    world.clock.now = Date.now
  })
})

test('a rotation reaches both numbers, and a process that did not notice it finds the new key', async () => {
  const token = await activeToken()
  const old = await world.startVault()
  const { handle } = await cryptogramOf(token)
  await vault.rotateDataKey()
  answerWith({}, 201)
  for (const one of [vault, old]) {
    await one.forward(handle, { body: TOKEN_SALE })
    expect(sent().Payment.CreditCard).toMatchObject({ CardNumber: DPAN, Cryptogram: CRYPTOGRAM })
    await one.forward(handle)
    expect(sent().Payment.CreditCard.CardNumber).toBe('4111111111111111')
  }
  const client = await old.clientAs('network-token')
  answerWith(found(OTHER_DPAN))
  expect(await forward(token, {}, client)).toMatchObject({ numberKept: true })
})

test('an answer that cannot be saved without the database is reported as unknown', async () => {
  const away = await world.startVault()
  const token = await activeToken()
  const client = await away.clientAs('network-token')
  let cut = () => {}
  const asked = new Promise<void>((resolve) => (cut = resolve))
  world.partner.respond = (response) => {
    cut()
    setTimeout(() => response.writeHead(200).end(JSON.stringify(found(OTHER_DPAN))), 100)
  }
  const pending = forward(token, {}, client)
  await asked
  const { pool } = away.deps
  Object.assign(pool, {
    query: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })),
  })
  expect(await pending).toMatchObject({ outcome: Outcome.UNKNOWN, numberKept: false })
})

describe('the callers of network tokens', () => {
  test.each([...SERVICE_NAMES.filter((name) => name !== 'network-token'), 'cofrectl'])(
    '%s neither keeps nor destroys a network token',
    async (name) => {
      const client = await vault.clientAs(name)
      const of = { sellerId: SELLER, networkToken: newToken() }
      await expect(callRpc(client, client.keepNetworkToken, { ...of, handle: 'x' })).rejects.toMatchObject({
        code: 7,
      })
      await expect(callRpc(client, client.destroyNetworkToken, of)).rejects.toMatchObject({ code: 7 })
    },
  )

  test.each([
    ['another path', { path: `/v1/network-tokens/${ID}/other` }],
    ['a path within an id', { path: '/v1/network-tokens/a/b' }],
    ['another query', { path: '/v1/network-tokens?id=1' }],
    ['more query', { path: `/v1/network-tokens?reference=${ID}&x=1` }],
    ['another method', { method: 'DELETE' }],
    ['reading from another partner', { partner: 'acquirer' }],
  ])('the owner is refused %s', async (_, change) => {
    const token = await activeToken()
    await expect(forward(token, change)).rejects.toMatchObject({ kind: 'permission_denied' })
  })
})
