import { eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { OWN_MS } from '../src/sweepers/settler'
import { newCard, request, startNetworkTokens, until, type TestTokens } from './support/start-network-tokens'

let tokens: TestTokens
beforeAll(async () => {
  tokens = await startNetworkTokens({ tokenServiceTimeoutMs: 120_000 })
  tokens.service.issue = 'ACTIVE'
})
afterAll(() => tokens.stop())

test('a token that waits long for its turn is asked for with its CVV, also where another replica has room', async () => {
  const busy = await tokens.startReplica(undefined, { settleConcurrency: 1 })
  const sellerId = tokens.newSeller()
  tokens.service.fail('request', 'hang')
  await request(busy, sellerId)
  await eventually(() => expect(tokens.service.faults.get('request')).toEqual([]))
  const card = newCard()
  const { token, createdAt } = await request(busy, sellerId, card)

  // Held anew after the time for which a new token is held.
  await eventually(async () => {
    const { rows } = await tokens.pool.query('SELECT ask_at FROM network_tokens WHERE token = $1', [token])
    expect(rows[0].ask_at.getTime()).toBeGreaterThan(createdAt + 2 * OWN_MS)
  })
  tokens.service.release()
  await until(tokens, { sellerId, token }, NetworkTokenStatus.ACTIVE)
  expect(tokens.service.tokenOf(card.lastFour).card.securityCode).toBe('987')
})
