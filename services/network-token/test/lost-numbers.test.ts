import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import {
  activeToken,
  eventsOf,
  get,
  push,
  startNetworkTokens,
  until,
  type TestTokens,
} from './support/start-network-tokens'

let tokens: TestTokens
beforeAll(async () => {
  tokens = await startNetworkTokens()
})
afterAll(() => tokens.stop())

const { INACTIVE } = NetworkTokenStatus
type Key = { sellerId: number; token: string }

const cryptogram = ({ sellerId, token }: Key) =>
  callRpc(tokens.orders, tokens.orders.obtainCryptogram, {
    sellerId,
    token,
    reference: randomUUID(),
    amount: 100,
  })

const endedOnce = async (key: Key) => {
  await eventually(async () =>
    expect((await eventsOf(tokens, key.token)).map(({ type }) => type)).toEqual([
      'network_token.active',
      'network_token.inactive',
    ]),
  )
  expect(await get(tokens, key)).toMatchObject({ status: INACTIVE })
}

test('a token whose numbers are gone from the vault ends when a cryptogram is asked for', async () => {
  const key = await activeToken(tokens)
  tokens.kept.delete(key.token)
  const asked = await Promise.allSettled([cryptogram(key), cryptogram(key)])
  for (const each of asked) expect(each).toMatchObject({ reason: { reason: 'NETWORK_TOKEN_NOT_ACTIVE' } })
  await endedOnce(key)
})

test.each(['ACTIVE', 'SUSPENDED'] as const)(
  'a token whose numbers are gone from the vault ends when it is asked about, %s until then',
  async (status) => {
    const key = await activeToken(tokens)
    key.issued.status = status
    await push(tokens, key.issued.reference)
    await until(tokens, key, NetworkTokenStatus[status === 'ACTIVE' ? 'ACTIVE' : 'INACTIVE'])
    tokens.kept.delete(key.token)
    await push(tokens, key.issued.reference)
    await endedOnce(key)
    await eventually(async () => {
      const { rows } = await tokens.pool.query(
        'SELECT status, ask_at, cleanup FROM network_tokens WHERE token = $1',
        [key.token],
      )
      expect(rows).toEqual([{ status: 'INACTIVE', ask_at: null, cleanup: null }])
    })
  },
)
