import { callRpc } from '@cofre/platform/grpc/client'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import {
  activeToken,
  newCard,
  request,
  startNetworkTokens,
  type TestTokens,
} from './support/start-network-tokens'

let tokens: TestTokens
let sellerId: number
beforeAll(async () => {
  tokens = await startNetworkTokens()
})
beforeEach(() => {
  sellerId = tokens.newSeller()
})
afterAll(() => tokens.stop())

const { ACTIVE, PENDING, FAILED, INACTIVE } = NetworkTokenStatus

const list = (filter: object = {}) => {
  const none = { lastFour: undefined, createdFrom: undefined, createdTo: undefined, after: undefined }
  return callRpc(tokens.client, tokens.client.listTokens, {
    sellerId,
    page: 0,
    size: 10,
    statuses: [],
    ...none,
    ...filter,
  })
}
const found = async (filter: object = {}) => (await list(filter)).tokens.map(({ token }) => token)
/** Tokens of the seller, oldest first. */
const made = async (count: number) => {
  const all = []
  for (let left = count; left > 0; left--) all.push(await request(tokens, sellerId, newCard()))
  return all
}
const become = (token: string, status: string) =>
  tokens.pool.query(
    `UPDATE network_tokens SET status = $2::network_token_status, ask_at = NULL, version = version + 1,
       reason = CASE WHEN $2 = 'FAILED' THEN 'TIMEOUT'::network_token_reason END WHERE token = $1`,
    [token, status],
  )

test('a seller’s tokens are listed, newest first, and nobody else’s', async () => {
  const [first, second] = await made(2)
  await request(tokens, tokens.newSeller(), newCard())
  const { tokens: listed, ...end } = await list()
  expect(listed.map(({ token }) => token)).toEqual([second?.token, first?.token])
  expect(listed[1]).toMatchObject({ sellerId, card: { brand: 'VISA', holderName: 'ANA SOUZA' } })
  const place = expect.stringMatching(/^\d{16}$/)
  expect(end).toEqual({ total: 2, totalIsLowerBound: false, more: false, place })
})

test('they are found by status, last four digits and time', async () => {
  const failed = await activeToken(tokens, sellerId)
  const ended = await activeToken(tokens, sellerId)
  const active = await activeToken(tokens, sellerId)
  await become(failed.token, 'FAILED')
  await become(ended.token, 'INACTIVE')
  expect(await found({ statuses: [ACTIVE] })).toEqual([active.token])
  expect(await found({ statuses: [FAILED, INACTIVE] })).toEqual([ended.token, failed.token])
  expect(await found({ statuses: [PENDING] })).toEqual([])
  expect(await found({ lastFour: ended.card.lastFour })).toEqual([ended.token])
  expect(await found({ lastFour: 'x' })).toEqual([])
  const { createdAt } = (await list({ lastFour: failed.card.lastFour })).tokens[0] ?? { createdAt: NaN }
  expect(await found({ createdFrom: createdAt, createdTo: createdAt })).toContain(failed.token)
  expect(await found({ createdTo: createdAt - 1 })).toEqual([])
})

test('a suspended token is listed as INACTIVE, as it is shown', async () => {
  const active = await activeToken(tokens, sellerId)
  active.issued.status = 'SUSPENDED'
  await tokens.pool.query(
    `UPDATE network_tokens SET status = 'SUSPENDED', version = version + 1,
       ask_at = now() + interval '1 hour' WHERE token = $1`,
    [active.token],
  )
  expect((await list({ statuses: [INACTIVE] })).tokens).toMatchObject([
    { token: active.token, status: INACTIVE },
  ])
  expect(await found({ statuses: [ACTIVE] })).toEqual([])
})

test('pages are reached by number and by the last token of the page before', async () => {
  const all = (await made(3)).map(({ token }) => token).reverse()
  expect(await list({ size: 2 })).toMatchObject({ total: 3, more: true })
  expect(await found({ size: 2 })).toEqual(all.slice(0, 2))
  expect(await found({ size: 2, page: 1 })).toEqual(all.slice(2))
  expect(await found({ size: 2, after: all[1] })).toEqual(all.slice(2))
})

test.each([
  ['a size of none', { size: 0 }],
  ['a size that is too large', { size: 101 }],
  ['a negative page', { page: -1 }],
  ['an unknown token to follow', { after: 'f'.repeat(64) }],
])('%s is refused', async (_what, filter) => {
  await expect(list(filter)).rejects.toMatchObject({ kind: 'invalid_argument', reason: 'VALIDATION_FAILED' })
})
