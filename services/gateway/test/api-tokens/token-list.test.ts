import { callRpc } from '@cofre/platform/grpc/client'
import type { GatewayAdminClient } from '@cofre/proto/gateway/v1/gateway'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
let admin: GatewayAdminClient
beforeAll(async () => {
  gateway = await startGateway()
  admin = gateway.admin
})
afterAll(() => gateway.stop())

const createToken = (sellerId: number, title: string) =>
  callRpc(admin, admin.createToken, { sellerId, title, expiresOn: undefined, scopes: [], allScopes: true })

test('a long list of tokens is read to its end, newest first, page by page', async () => {
  const { pool } = gateway.deps
  const seller = await callRpc(admin, admin.createSeller, { name: 'Rede' })
  // All in one statement: their times are equal, so the order within a page is that of the ids.
  await pool.query(
    `INSERT INTO api_tokens (id, seller_id, title, scopes, kid)
     SELECT gen_random_uuid(), $1, 'ERP ' || n, '{}', 'kid' FROM generate_series(1, 1001) n`,
    [seller.id],
  )
  await createToken(seller.id, 'newest')
  const read = (after?: string) => callRpc(admin, admin.listTokens, { sellerId: seller.id, after })
  const first = await read()
  const second = await read(first.tokens.at(-1)?.id)
  const third = await read(second.tokens.at(-1)?.id)
  expect([first, second, third].map(({ tokens, more }) => [tokens.length, more])).toEqual([
    [500, true],
    [500, true],
    [2, false],
  ])
  expect(first.tokens[0]?.title).toBe('newest')
  const ids = [first, second, third].flatMap(({ tokens }) => tokens.map(({ id }) => id))
  expect(new Set(ids).size).toBe(1_002)
})

test('a page after what is no token of the seller is refused', async () => {
  const { token } = await createToken(gateway.sellerId, 'ours')
  const seller = await callRpc(admin, admin.createSeller, { name: 'Vizinha' })
  for (const after of ['', 'abc', '00000000-0000-4000-8000-000000000000', token?.id]) {
    await expect(callRpc(admin, admin.listTokens, { sellerId: seller.id, after })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      extra: { errors: [{ pointer: '#/after' }] },
    })
  }
})
