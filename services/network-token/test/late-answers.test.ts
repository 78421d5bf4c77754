import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { resolveToken } from '../src/token/resolve-token'
import {
  eventsOf,
  get,
  newCard,
  push,
  request,
  startNetworkTokens,
  until,
  type TestTokens,
} from './support/start-network-tokens'

const DAY_MS = 86_400_000

let tokens: TestTokens
beforeAll(async () => {
  // A token is asked about when the test says so, and no call runs out of time.
  const never = { resolveFirstMs: DAY_MS, resolveMaxMs: DAY_MS, watchEveryMs: DAY_MS }
  tokens = await startNetworkTokens({ ...never, tokenServiceTimeoutMs: 60_000 })
  // One replica never asks about a token twice at once, so another replica asks the second time.
  await tokens.startReplica()
  tokens.service.issue = 'ACTIVE'
})
afterAll(() => tokens.stop())

const { PENDING, ACTIVE, INACTIVE } = NetworkTokenStatus
type Key = { sellerId: number; token: string }

/** Makes a token due, as when the lease of its asker runs out. */
const askAgain = ({ token }: Key) =>
  tokens.pool.query('UPDATE network_tokens SET ask_at = $2 WHERE token = $1', [token, new Date()])

/** A token that is active at the network, and that the service has not asked about yet. */
async function newToken() {
  const sellerId = tokens.newSeller()
  const card = newCard()
  const { token } = await request(tokens, sellerId, card)
  await eventually(async () => {
    const { rows } = await tokens.pool.query('SELECT partner_id FROM network_tokens WHERE token = $1', [
      token,
    ])
    expect(rows[0].partner_id).not.toBeNull()
  })
  return { sellerId, token, issued: tokens.service.tokenOf(card.lastFour) }
}

/** Asks twice about a token, which is suspended in between. Both answers are late. */
async function askTwice(key: Awaited<ReturnType<typeof newToken>>) {
  tokens.service.fail('query', 'late', 'late')
  await askAgain(key)
  await eventually(() => expect(tokens.service.late).toHaveLength(1))
  key.issued.status = 'SUSPENDED'
  await askAgain(key)
  await eventually(() => expect(tokens.service.late).toHaveLength(2))
  const [older = () => {}, newer = () => {}] = tokens.service.late.splice(0)
  return { older, newer }
}

/** How many answers about a token the service has received. */
const heard = ({ issued }: Awaited<ReturnType<typeof newToken>>) =>
  tokens.lines.filter((line) => line.includes(issued.reference) && line.includes('token queried')).length

test('an older answer that is saved first does not discard the newer one', async () => {
  const key = await newToken()
  await askAgain(key)
  await until(tokens, key, ACTIVE)
  const { older, newer } = await askTwice(key)
  const before = heard(key)
  older()
  await eventually(() => expect(heard(key)).toBe(before + 1))
  newer()
  await until(tokens, key, INACTIVE)
})

test('an older answer that comes last does not undo a newer one, even one that changed nothing', async () => {
  const key = await newToken()
  const { older, newer } = await askTwice(key)
  newer()
  await eventually(() => expect(heard(key)).toBe(1))
  older()
  // The token is asked about once more at once, and the third answer is the newest.
  await eventually(() => expect(heard(key)).toBe(3))
  expect(await get(tokens, key)).toMatchObject({ status: PENDING })
})

test('an answer that comes after the token was closed and cleaned up leaves it as it is', async () => {
  const key = await newToken()
  await askAgain(key)
  await until(tokens, key, ACTIVE)
  tokens.service.fail('query', 'late')
  const asking = runCall(newCall({ timeoutMs: 60_000 }), () => resolveToken(tokens.deps, key))
  await eventually(() => expect(tokens.service.late).toHaveLength(1))
  const { client } = tokens
  await callRpc(client, client.deactivateToken, { sellerId: key.sellerId, token: key.token })
  const askAt = async () =>
    (await tokens.pool.query('SELECT ask_at FROM network_tokens WHERE token = $1', [key.token])).rows
  await eventually(async () => expect(await askAt()).toEqual([{ ask_at: null }]))

  const [answer = () => {}] = tokens.service.late.splice(0)
  answer()
  await asking
  expect(await askAt()).toEqual([{ ask_at: null }])
})

test('an answer that is on its way when a push comes is dropped, and the token is asked about again', async () => {
  const key = await newToken()
  await askAgain(key)
  await until(tokens, key, ACTIVE)
  const before = heard(key)
  tokens.service.fail('query', 'late', 'late')
  key.issued.status = 'SUSPENDED'
  await tokens.pool.query('UPDATE network_tokens SET asks = 9 WHERE token = $1', [key.token])
  await askAgain(key)
  await eventually(() => expect(tokens.service.late).toHaveLength(1))
  key.issued.status = 'ACTIVE'
  await push(tokens, key.issued.reference)
  await eventually(() => expect(tokens.service.late).toHaveLength(2))
  const { rows } = await tokens.pool.query('SELECT asks FROM network_tokens WHERE token = $1', [key.token])
  expect(rows).toEqual([{ asks: 1 }])

  const [older = () => {}, newer = () => {}] = tokens.service.late.splice(0)
  older()
  // The answer is dropped and the token asked about again at once. The next answer may come before this check.
  await eventually(() => expect(heard(key)).toBeGreaterThanOrEqual(before + 2))
  newer()
  await eventually(() => expect(heard(key)).toBeGreaterThanOrEqual(before + 3))
  expect(await get(tokens, key)).toMatchObject({ status: ACTIVE })
  const told = await eventsOf(tokens, key.token)
  expect(told.map(({ type }) => type)).toEqual(['network_token.active'])
})
