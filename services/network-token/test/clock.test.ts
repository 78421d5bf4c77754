import { shiftDatabaseClock, eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import {
  activeToken,
  newCard,
  push,
  request,
  startNetworkTokens,
  until,
  type TestTokens,
} from './support/start-network-tokens'

const LIMIT = 3

describe.each(['5 minutes', '-5 minutes'])('a database whose clock is off by %s', (by) => {
  let tokens: TestTokens
  beforeAll(async () => {
    const before = await startNetworkTokens({ declinesPerMinute: LIMIT })
    await shiftDatabaseClock(before.pool, by)
    tokens = { ...before, ...(await before.startReplica()) }
  })
  afterAll(() => tokens.stop())

  test('leaves the guard against card testing unchanged', async () => {
    const sellerId = tokens.newSeller()
    for (let declined = 0; declined < LIMIT; declined++) {
      const card = newCard()
      const { token } = await request(tokens, sellerId, card)
      const issued = await eventually(() => tokens.service.tokenOf(card.lastFour))
      Object.assign(issued, { status: 'FAILED', reason: 'ISSUER_DECLINED' })
      await until(tokens, { sellerId, token }, NetworkTokenStatus.FAILED)
    }
    await expect(request(tokens, sellerId)).rejects.toMatchObject({ reason: 'RATE_LIMITED' })

    const minuteLater = `UPDATE network_tokens SET updated_at = updated_at - interval '1 minute' WHERE seller_id = $1`
    await tokens.pool.query(minuteLater, [sellerId])
    await expect(request(tokens, sellerId)).resolves.toMatchObject({ status: NetworkTokenStatus.PENDING })
  })

  test('does not delay asking about a token after a push', async () => {
    const key = await activeToken(tokens)
    key.issued.status = 'SUSPENDED'
    await push(tokens, key.issued.reference)
    await until(tokens, key, NetworkTokenStatus.INACTIVE)
  })
})
