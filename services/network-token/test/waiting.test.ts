import { eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { newCard, request, startNetworkTokens, until, type TestTokens } from './support/start-network-tokens'

/** Longer than a busy machine may stall. */
const OWN_MS = 60_000

let tokens: TestTokens
beforeAll(async () => {
  tokens = await startNetworkTokens({ tokenServiceTimeoutMs: 120_000, ownMs: OWN_MS, holdEveryMs: 10 })
  tokens.service.issue = 'ACTIVE'
})
afterAll(() => tokens.stop())

test('a token that waits long for its turn is requested with its CVV, even when another replica has room', async () => {
  const busy = await tokens.startReplica(undefined, { resolveConcurrency: 1 })
  const sellerId = tokens.newSeller()
  tokens.service.fail('request', 'hang')
  await request(busy, sellerId)
  await eventually(() => expect(tokens.service.faults.get('request')).toEqual([]))
  const card = newCard()
  const { token, createdAt } = await request(busy, sellerId, card)

  const heldUntil = async () => {
    const { rows } = await tokens.pool.query('SELECT ask_at FROM network_tokens WHERE token = $1', [token])
    return rows[0].ask_at.getTime() as number
  }
  // The hold is renewed, and renewed again.
  let before = createdAt + OWN_MS
  for (let time = 0; time < 2; time++) {
    before = await eventually(async () => {
      const anew = await heldUntil()
      expect(anew).toBeGreaterThan(before)
      return anew
    })
  }
  tokens.service.release()
  await until(tokens, { sellerId, token }, NetworkTokenStatus.ACTIVE)
  expect(tokens.service.tokenOf(card.lastFour).card.securityCode).toBe('987')
})
