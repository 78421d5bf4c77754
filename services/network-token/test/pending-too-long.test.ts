import { eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import {
  eventsOf,
  newCard,
  request,
  startNetworkTokens,
  until,
  type TestTokens,
} from './support/start-network-tokens'

const { FAILED } = NetworkTokenStatus

describe('a token that stays pending too long', () => {
  let lasting: TestTokens
  beforeAll(async () => {
    // Time enough for a busy machine to bring each call to the token service: lost calls are tested elsewhere.
    lasting = await startNetworkTokens({ tokenServiceTimeoutMs: 10_000 })
  })
  afterAll(() => lasting.stop())

  /** Ages a token, as if it had been requested an hour ago. */
  const age = (token: string) =>
    lasting.pool.query(
      `UPDATE network_tokens SET created_at = created_at - interval '1 hour' WHERE token = $1`,
      [token],
    )

  test('is FAILED with TIMEOUT, and is closed at the network', async () => {
    const card = newCard()
    const sellerId = lasting.newSeller()
    const { token } = await request(lasting, sellerId, card)
    await eventually(() => expect(lasting.service.tokenOf(card.lastFour).status).toBe('PENDING'))
    await age(token)

    expect(await until(lasting, { sellerId, token }, FAILED)).toMatchObject({ reason: 'TIMEOUT' })
    await eventually(() => expect(lasting.service.tokenOf(card.lastFour).status).toBe('DELETED'))
    await eventually(() => expect(lasting.kept.has(token)).toBe(false))
    expect(await eventsOf(lasting, token)).toMatchObject([{ token: { reason: 'TIMEOUT' } }])
  })

  test('is found and closed there even when the answer was lost and no query has succeeded since', async () => {
    const card = newCard()
    const sellerId = lasting.newSeller()
    lasting.service.fail('request', 'answer_lost')
    lasting.service.fail('query', ...Array.from({ length: 12 }, () => 'http_500' as const))
    const { token } = await request(lasting, sellerId, card)
    await eventually(() => expect(lasting.service.faults.get('query')?.length).toBeLessThan(12))
    await age(token)

    expect(await until(lasting, { sellerId, token }, FAILED)).toMatchObject({ reason: 'TIMEOUT' })
    await eventually(() => expect(lasting.service.tokenOf(card.lastFour).status).toBe('DELETED'))
    await eventually(() => expect(lasting.kept.has(token)).toBe(false))
  })

  test('and was never requested leaves nothing behind', async () => {
    const sellerId = lasting.newSeller()
    await lasting.service.stop()
    const issued = lasting.service.tokens.length
    const { token } = await request(lasting, sellerId)
    await age(token)

    expect(await until(lasting, { sellerId, token }, FAILED)).toMatchObject({ reason: 'TIMEOUT' })
    // If an attempt was on its way just then, the token service is asked first.
    await lasting.service.start()
    await eventually(() => expect(lasting.kept.has(token)).toBe(false))
    expect(lasting.service.tokens).toHaveLength(issued)
  })
})
