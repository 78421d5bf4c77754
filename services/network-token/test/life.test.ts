import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import {
  activeToken,
  eventsOf,
  get,
  push,
  request,
  SECRET,
  startNetworkTokens,
  until,
  withKey,
  type TestTokens,
} from './support/start-network-tokens'

let tokens: TestTokens
beforeAll(async () => {
  tokens = await startNetworkTokens()
})
afterAll(() => tokens.stop())

const { ACTIVE, INACTIVE } = NetworkTokenStatus
type Key = { sellerId: number; token: string }

const deactivate = ({ sellerId, token }: Key, client = tokens.client) =>
  callRpc(client, client.deactivateToken, { sellerId, token })
const cryptogram = ({ sellerId, token }: Key, reference: string = randomUUID()) =>
  callRpc(tokens.orders, tokens.orders.obtainCryptogram, { sellerId, token, reference, amount: 100 })
const describeActive = ({ sellerId, token }: Key) =>
  callRpc(tokens.orders, tokens.orders.describeActiveToken, { sellerId, token })

test('a token requested with a stored card is found by that card while it is ACTIVE, by its seller alone', async () => {
  const invoices = await tokens.clientAs('invoices')
  const sellerId = tokens.newSeller()
  const cardToken = 'c'.repeat(64)
  const find = (asked: { sellerId: number; cardToken: string }) =>
    callRpc(invoices, invoices.findTokenOfCard, asked)
  await request(tokens, sellerId, undefined, cardToken)
  await expect(find({ sellerId, cardToken })).rejects.toMatchObject({ kind: 'not_found' })
  const { token } = await activeToken(tokens, sellerId, cardToken)
  expect(await find({ sellerId, cardToken })).toMatchObject({ token })
  for (const other of [
    { sellerId: tokens.newSeller(), cardToken },
    { sellerId, cardToken: '' },
  ]) {
    await expect(find(other)).rejects.toMatchObject({ kind: 'not_found' })
  }
  await deactivate({ sellerId, token })
  await expect(find({ sellerId, cardToken })).rejects.toMatchObject({ kind: 'not_found' })
})

describe('a cryptogram', () => {
  test('of an ACTIVE token is a new one for each transaction', async () => {
    const key = await activeToken(tokens)
    const one = await cryptogram(key, 'ORDER1')
    const other = await cryptogram(key, 'ORDER2')

    expect(key.issued.cryptograms).toEqual([
      { reference: 'ORDER1', amount: 100, value: one.handle },
      { reference: 'ORDER2', amount: 100, value: other.handle },
    ])
    expect(one).toMatchObject({
      usable: true,
      source: 'CARD_SOURCE_NETWORK_TOKEN',
      card: { lastFour: key.card.lastFour },
    })
    expect(await describeActive(key)).toMatchObject({
      cardIsCurrent: true,
      merchantId: tokens.enabled.get(key.sellerId),
    })
  })

  test('is refused for a PENDING token, an unknown token, and another seller’s token', async () => {
    const sellerId = tokens.newSeller()
    const pending = await request(tokens, sellerId)
    const refused = (reason: string) => ({ kind: 'failed_precondition', reason })
    const others = [
      { sellerId, token: 'a'.repeat(64) },
      { ...(await activeToken(tokens)), sellerId },
    ]
    for (const key of [{ sellerId, token: pending.token }, ...others]) {
      await expect(cryptogram(key)).rejects.toMatchObject(refused('NETWORK_TOKEN_NOT_ACTIVE'))
      const reason = others.includes(key) ? 'CARD_TOKEN_UNUSABLE' : 'NETWORK_TOKEN_NOT_ACTIVE'
      await expect(describeActive(key)).rejects.toMatchObject(refused(reason))
    }
  })

  test.each(['http_500', 'answer_lost', 'hang'] as const)(
    'that cannot be obtained (%s) is UNAVAILABLE',
    async (fault) => {
      const key = await activeToken(tokens)
      tokens.service.fail('cryptogram', fault)
      await expect(cryptogram(key)).rejects.toMatchObject({ kind: 'unavailable' })
      tokens.service.release()
      expect((await cryptogram(key)).handle).not.toBe('')
    },
  )

  test.each([404, 422])(
    'that a proxy refuses (%i) is UNAVAILABLE, and the token stays ACTIVE',
    async (status) => {
      const key = await activeToken(tokens)
      tokens.service.fail('cryptogram', { status, body: { message: 'no route' } })
      await expect(cryptogram(key)).rejects.toMatchObject({ kind: 'unavailable' })
      expect((await cryptogram(key)).handle).not.toBe('')
    },
  )

  test('refused by the network makes us ask about the token, which becomes INACTIVE', async () => {
    const key = await activeToken(tokens)
    key.issued.status = 'SUSPENDED'
    await expect(cryptogram(key)).rejects.toMatchObject({ reason: 'NETWORK_TOKEN_NOT_ACTIVE' })
    await until(tokens, key, INACTIVE)
  })
})

describe('deactivating', () => {
  test('ends the token here and at the network, and destroys its numbers', async () => {
    const key = await activeToken(tokens)
    expect(await deactivate(key)).toMatchObject({ status: INACTIVE, reason: '' })

    await eventually(() => expect(key.issued.status).toBe('DELETED'))
    await eventually(() => expect(tokens.kept.has(key.token)).toBe(false))
    await eventually(async () => {
      const { rows } = await tokens.pool.query(
        'SELECT ask_at, cleanup FROM network_tokens WHERE token = $1',
        [key.token],
      )
      expect(rows).toEqual([{ ask_at: null, cleanup: null }])
    }, 30_000)
    expect((await eventsOf(tokens, key.token)).map(({ type }) => type)).toEqual([
      'network_token.active',
      'network_token.inactive',
    ])
  })

  test('repeated, with the same key or twenty times at once, answers the same and publishes one event', async () => {
    const key = await activeToken(tokens)
    const name = randomUUID()
    const first = await withKey(name, () => deactivate(key))
    expect(await withKey(name, () => deactivate(key))).toEqual(first)
    const all = await Promise.all(Array.from({ length: 20 }, () => deactivate(key)))

    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([INACTIVE]))
    expect(await eventsOf(tokens, key.token)).toHaveLength(2)
  })

  test.each([404, 422])(
    'is not done when a proxy refuses the call (%i): the network is asked again',
    async (status) => {
      const key = await activeToken(tokens)
      tokens.service.fail('close', { status, body: { message: 'no route' } })
      expect(await deactivate(key)).toMatchObject({ status: INACTIVE })
      await eventually(() => expect(key.issued.status).toBe('DELETED'))
      await eventually(() => expect(tokens.kept.has(key.token)).toBe(false))
    },
  )

  test.each(['lost_undone', 'answer_lost', 'http_500', 'hang'] as const)(
    'reaches the network even when the call meets %s',
    async (fault) => {
      const key = await activeToken(tokens)
      tokens.service.fail('close', fault)
      expect(await deactivate(key)).toMatchObject({ status: INACTIVE })
      await eventually(() => expect(key.issued.status).toBe('DELETED'))
      await eventually(() => expect(tokens.kept.has(key.token)).toBe(false))
      tokens.service.release()
    },
  )

  test('is finished by another replica when the process dies', async () => {
    const key = await activeToken(tokens)
    const doomed = await tokens.startReplica()
    tokens.service.fail('close', 'hang')
    const cut = deactivate(key, doomed.client)
    await eventually(() => expect(tokens.service.faults.get('close')).toEqual([]))
    await doomed.deps.pool.end()
    tokens.service.release()
    await cut
    await eventually(() => expect(key.issued.status).toBe('DELETED'))
    await eventually(() => expect(tokens.kept.has(key.token)).toBe(false))
  })

  test('is refused for a PENDING token, and does not find another seller’s token', async () => {
    const { token, sellerId } = await request(tokens, tokens.newSeller())
    await expect(deactivate({ sellerId, token })).rejects.toMatchObject({
      reason: 'NETWORK_TOKEN_NOT_ACTIVE',
    })
    await expect(deactivate({ sellerId: 1, token })).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('a change at the network', () => {
  test('is adopted when a push reports it: suspended, restored, deleted', async () => {
    const key = await activeToken(tokens)
    const told = async (status: 'SUSPENDED' | 'ACTIVE' | 'DELETED', shown: NetworkTokenStatus) => {
      key.issued.status = status
      await push(tokens, key.issued.reference)
      return until(tokens, key, shown)
    }
    await told('SUSPENDED', INACTIVE)
    await told('ACTIVE', ACTIVE)
    await told('SUSPENDED', INACTIVE)
    await told('DELETED', INACTIVE)

    await eventually(() => expect(tokens.kept.has(key.token)).toBe(false))
    expect((await eventsOf(tokens, key.token)).map(({ type, sequence }) => [sequence, type])).toEqual([
      [1, 'network_token.active'],
      [2, 'network_token.inactive'],
      [3, 'network_token.active'],
      [4, 'network_token.inactive'],
    ])
  })

  test('to another card shows its last four digits, the expiration as sent, and outdates the kept card', async () => {
    const key = await activeToken(tokens)
    key.issued.card.lastFour = '7777'
    await push(tokens, key.issued.reference)

    const seen = await eventually(async () => {
      const token = await get(tokens, key)
      expect(token.card?.lastFour).toBe('7777')
      return token
    })
    expect(seen).toMatchObject({ status: ACTIVE, card: { expirationYear: 2049, expirationMonth: 12 } })
    expect(await describeActive(key)).toMatchObject({ cardIsCurrent: false })
    expect(await eventsOf(tokens, key.token)).toHaveLength(1)
  })

  test('is found without a push', async () => {
    const watchful = await startNetworkTokens({ watchEveryMs: 100 })
    const key = await activeToken(watchful)
    key.issued.status = 'DELETED'
    await until(watchful, key, INACTIVE)
    await watchful.stop()
  })
})

describe('a push', () => {
  test('is refused unless the token service signed it', async () => {
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    for (const refused of [push(tokens, 'r', other), push(tokens, 'r', SECRET, false)]) {
      await expect(refused).rejects.toMatchObject({ kind: 'unauthenticated' })
    }
  })

  test('about an unknown token, or without a valid reference, is accepted and changes nothing', async () => {
    await expect(push(tokens, randomUUID())).resolves.toEqual({})
    await expect(push(tokens, 'not a reference')).resolves.toEqual({})
  })

  test('that lies is not believed: the token is asked about, and stays as it is', async () => {
    const key = await activeToken(tokens)
    const before = tokens.service.calls.length
    await push(tokens, key.issued.reference)
    await eventually(() => expect(tokens.service.calls.length).toBeGreaterThan(before))
    expect(await get(tokens, key)).toMatchObject({ status: ACTIVE })
  })
})
