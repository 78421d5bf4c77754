import { randomBytes, randomUUID } from 'node:crypto'
import { unlessItWaits, whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { eventually } from '@cofre/testing/testing'
import type { NetworkToken } from '../../src/token/network-token'
import { insertToken, leaseTokens } from '../../src/token/network-token-store'
import { resolveToken } from '../../src/token/resolve-token'
import {
  newCard,
  request,
  startNetworkTokens,
  URL_OF_SELLER,
  type TestTokens,
} from '../support/start-network-tokens'

const DAY_MS = 86_400_000

let tokens: TestTokens
beforeAll(async () => {
  tokens = await startNetworkTokens()
})
afterAll(() => tokens.stop())

/** A token that was saved a moment ago, and that no sweeper asks for before `askAt`. */
async function savedToken(askAt = Date.now() + DAY_MS): Promise<NetworkToken & { handle: string }> {
  const { card, handle, lastFour } = newCard()
  const at = Date.now()
  const shown = { bin: '411111', lastFour, brand: 'VISA', holderName: 'ANA SOUZA' }
  const token: NetworkToken = {
    token: randomBytes(32).toString('hex'),
    sellerId: tokens.newSeller(),
    merchantId: randomUUID(),
    reference: randomUUID(),
    partnerId: null,
    status: 'PENDING',
    reason: null,
    card: { ...shown, expirationYear: card!.expirationYear, expirationMonth: card!.expirationMonth },
    cardToken: null,
    cardIsCurrent: true,
    notificationUrl: URL_OF_SELLER,
    dispatchDeadline: null,
    cleanup: null,
    askAt,
    version: 1,
    sequence: 0,
    createdAt: at,
    updatedAt: at,
  }
  await tokens.deps.numbers.keep({ ...token, handle })
  await insertToken(tokens.pool as never, token)
  return { ...token, handle }
}

const holding = ({ token }: { token: string }): [string, unknown[]] => [
  'SELECT FROM network_tokens WHERE token = $1 FOR UPDATE',
  [token],
]

test('a token that another sweeper has in hand is left to it, and the others are taken without waiting', async () => {
  // Later than any sweeper here looks, and sooner than the lease below.
  const [held, free] = [await savedToken(Date.now() + 1_000_000), await savedToken(Date.now() + 1_000_000)]
  const lease = { at: Date.now() + 2_000_000, firstMs: DAY_MS, maxMs: DAY_MS, batch: 100, inHand: [] }
  const taken = await whileHeld(tokens.pool, holding(held), () =>
    unlessItWaits(tokens.pool, leaseTokens(tokens.pool, lease)),
  )
  expect(taken).toEqual([{ token: free.token, sellerId: free.sellerId }])
})

test('when two callers request a token at the same moment, one request leaves', async () => {
  const token = await savedToken()
  const requests = () => tokens.service.calls.filter((call) => call === 'POST /v1/network-tokens').length
  const before = requests()
  const both = await whileHeld(tokens.pool, holding(token), async () => {
    const asking = [1, 2].map(() => resolveToken(tokens.deps, token, token.handle))
    await whenWaiting(tokens.pool, 2)
    return asking
  })
  await Promise.all(both)
  expect(requests() - before).toBe(1)
})

test('the card is kept when it is unknown whether its token was saved', async () => {
  await tokens.pool.query(
    `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
     CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON network_tokens DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION cut()`,
  )
  const card = newCard()
  await expect(request(tokens, tokens.newSeller(), card)).rejects.toThrow()
  await tokens.pool.query('DROP FUNCTION cut CASCADE')
  // Once the vault answers this call, it has received every earlier one.
  await tokens.deps.numbers.keep({ sellerId: 1, token: 'another', handle: newCard().handle })
  const kept = [...tokens.kept.values()].filter((each) => each.card.endsWith(card.lastFour))
  expect(kept).toHaveLength(1)
})

test('a token that failed and was cleaned up is not asked about again', async () => {
  const token = await savedToken(Date.now())
  const row = async () => {
    const { rows } = await tokens.pool.query(
      'SELECT status, cleanup, ask_at FROM network_tokens WHERE token = $1',
      [token.token],
    )
    return rows[0]
  }
  const issued = await eventually(() => tokens.service.tokenOf(token.card.lastFour))
  Object.assign(issued, { status: 'FAILED', reason: 'CARD_EXPIRED' })
  await eventually(async () => {
    expect(await row()).toEqual({ status: 'FAILED', cleanup: null, ask_at: null })
  }, 30_000)
})
