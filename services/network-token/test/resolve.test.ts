import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DomainError } from '@cofre/platform/errors'
import { eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import {
  eventsOf,
  get,
  newCard,
  request,
  startNetworkTokens,
  until,
  withKey,
  type TestTokens,
} from './support/start-network-tokens'
import type { Fault } from './support/small-token-service'

let tokens: TestTokens
beforeAll(async () => {
  tokens = await startNetworkTokens()
  tokens.service.issue = 'ACTIVE'
})
afterAll(() => tokens.stop())

const { PENDING, ACTIVE } = NetworkTokenStatus
/** The long form: TOKENS_AT_ONCE=1000. */
const MANY = Number(process.env['TOKENS_AT_ONCE'] ?? 150)

describe('exactly one token exists at the token service', () => {
  const met: Record<string, Fault[]> = {
    'whose answer is lost': ['answer_lost'],
    'that does not do it and cuts': ['lost_undone'],
    'that answers nothing in time': ['hang'],
    'that fails': ['http_500', 'http_500'],
    'that did it and fails': ['done_500'],
    'that turns us away for a while': [
      { status: 401, body: {} },
      { status: 429, body: {} },
    ],
    'that answers what nobody understands': [{ status: 202, body: { ok: true } }],
  }
  const asked = new Map<string, { card: ReturnType<typeof newCard>; sellerId: number; token: string }>()
  // All run at once, since most are requested again only after the deadline of the first request.
  beforeAll(async () => {
    const ask = async (what: string, faults: Fault[]) => {
      const card = newCard()
      const sellerId = tokens.newSeller()
      tokens.service.cardFaults.set(card.lastFour, [...faults])
      const { token } = await request(tokens, sellerId, card)
      asked.set(what, { card, sellerId, token })
    }
    await Promise.all(Object.entries(met).map(([what, faults]) => ask(what, faults)))
  })

  test.each(Object.keys(met))('when the request meets one %s', async (what) => {
    const { card, ...key } = asked.get(what) as NonNullable<ReturnType<typeof asked.get>>

    await until(tokens, key, ACTIVE)
    expect(tokens.service.cardFaults.get(card.lastFour)).toEqual([])
    expect(tokens.service.tokenOf(card.lastFour).status).toBe('ACTIVE')
    expect(await eventsOf(tokens, key.token)).toHaveLength(1)
  })

  test('when it is down at first', async () => {
    const card = newCard()
    const sellerId = tokens.newSeller()
    await tokens.service.stop()
    const { token } = await request(tokens, sellerId, card)
    await eventually(async () => {
      const { rows } = await tokens.pool.query('SELECT asks FROM network_tokens WHERE token = $1', [token])
      expect(rows[0].asks).toBeGreaterThan(1)
    })
    expect(await get(tokens, { sellerId, token })).toMatchObject({ status: PENDING })
    await tokens.service.start()

    await until(tokens, { sellerId, token }, ACTIVE)
    expect(tokens.service.tokenOf(card.lastFour).status).toBe('ACTIVE')
  })

  test('when several replicas look at once, and one died in the middle of the request', async () => {
    const card = newCard()
    const sellerId = tokens.newSeller()
    const doomed = await tokens.startReplica()
    tokens.service.cardFaults.set(card.lastFour, ['hang'])
    const { token } = await request(doomed, sellerId, card)
    await eventually(() => expect(tokens.service.cardFaults.get(card.lastFour)).toEqual([]))
    await doomed.deps.pool.end()
    const other = await tokens.startReplica()

    await until(other, { sellerId, token }, ACTIVE)
    expect(tokens.service.tokenOf(card.lastFour).card.securityCode).toBeUndefined()
    tokens.service.release()
  })

  test('when the process dies before it has sent the request', async () => {
    const card = newCard()
    const sellerId = tokens.newSeller()
    const { token } = await request(tokens, sellerId, card)
    await until(tokens, { sellerId, token }, ACTIVE)
    await tokens.pool.query(
      `UPDATE network_tokens SET status = 'PENDING', partner_id = NULL, dispatch_deadline = NULL,
         ask_at = now() - interval '1 second'
       WHERE token = $1`,
      [token],
    )
    await until(tokens, { sellerId, token }, ACTIVE)
    expect(tokens.service.tokenOf(card.lastFour).status).toBe('ACTIVE')
  })
})

test('a key in flight when the process died is free again, and the card kept for it is not used', async () => {
  const key = randomUUID()
  const sellerId = tokens.newSeller()
  const doomed = await tokens.startReplica()
  await doomed.deps.pool.end()
  const card = newCard()
  await expect(withKey(key, () => request(doomed, sellerId, card))).rejects.toThrow()
  const { token } = await withKey(key, () => request(tokens, sellerId, card))

  await until(tokens, { sellerId, token }, ACTIVE)
  // The card that the dead replica kept has no number, and the vault forgets it.
  const kept = [...tokens.kept.values()].filter((one) => one.card.endsWith(card.lastFour))
  expect(kept.filter(({ number }) => number !== undefined)).toHaveLength(1)
})

test('many requests at once all resolve', async () => {
  const sellerId = tokens.newSeller()
  const startedAt = Date.now()
  // Repeats with the same key, as a caller does when a busy machine had no time for the request.
  const askUntilAnswered = async (card = newCard(), key = randomUUID()) => {
    for (;;) {
      try {
        return await withKey(key, () => request(tokens, sellerId, card))
      } catch (error) {
        if (!['unavailable', 'conflict'].includes((error as DomainError).kind)) throw error
        await pause(500)
      }
    }
  }
  const asked = await Promise.all(Array.from({ length: MANY }, () => askUntilAnswered()))
  const answeredMs = Date.now() - startedAt
  const countOpen = async () => {
    const { rows } = await tokens.pool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM network_tokens WHERE seller_id = $1 AND status <> 'ACTIVE'`,
      [sellerId],
    )
    return rows[0]?.open ?? NaN
  }
  // However long a busy machine takes for all of them, the number of open tokens keeps falling.
  for (let open = await countOpen(); open > 0;) {
    const before = open
    await eventually(async () => expect((open = await countOpen())).toBeLessThan(before))
  }
  console.info(`${MANY} requests: answered in ${answeredMs} ms, resolved in ${Date.now() - startedAt} ms`)

  expect(new Set(asked.map(({ token }) => token)).size).toBe(MANY)
  const references = tokens.service.tokens.map(({ reference }) => reference)
  expect(new Set(references).size).toBe(references.length)
})
