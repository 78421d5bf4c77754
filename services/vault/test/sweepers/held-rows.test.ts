import { randomBytes } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { unlessItWaits, whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { destroyNetworkToken } from '../../src/cards/network-token'
import { forgetUnusedCards } from '../../src/cards/network-token-store'
import { card, SELLER, startWorld, type Vault, type World } from '../support/vault'

const ID = '12345678-1234-4123-8123-123456789012'

let world: World
let vault: Vault
let owner: VaultClient
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  owner = await vault.clientAs('network-token')
})
afterAll(() => world.stop())

/** Fetches a token's number from the token service. */
function fetchNumber(networkToken: string) {
  const token = { number: '4895370012345675', expirationMonth: 11, expirationYear: 2093 }
  world.partner.respond = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: ID, token }))
  }
  return callRpc(owner, owner.forward, {
    sellerId: SELLER,
    partner: 'token-service',
    account: '',
    method: 'GET',
    path: `/v1/network-tokens/${ID}`,
    headers: {},
    body: Buffer.alloc(0),
    handle: '',
    timeoutMs: 5_000,
    cardToken: '',
    voucherToken: '',
    networkToken,
  })
}

async function newToken(): Promise<string> {
  const networkToken = randomBytes(32).toString('hex')
  const handle = await vault.handleOf(card())
  await callRpc(owner, owner.keepNetworkToken, { sellerId: SELLER, handle, networkToken })
  return networkToken
}

test('a number that comes while its token is being destroyed is not kept', async () => {
  const networkToken = await newToken()
  // A card that is not in use yet would be waited for before its number comes.
  await world.database.pool.query('UPDATE cards SET kept_until = NULL')
  const { pool } = world.database
  const [fetching] = await withTransaction(pool, async (tx) => {
    await destroyNetworkToken(tx as never, SELLER, networkToken)
    const fetched = fetchNumber(networkToken)
    await unlessItWaits(pool, fetched)
    return [fetched]
  })
  // The call is refused, or its number is dropped.
  await fetching.catch(() => undefined)
  const { rows } = await world.database.pool.query("SELECT kind FROM cards WHERE kind = 'token_number'")
  expect(rows).toEqual([])
})

test('a number that comes while nothing is being destroyed is kept', async () => {
  expect(await fetchNumber(await newToken())).toMatchObject({ numberKept: true })
  const { rowCount } = await world.database.pool.query("SELECT FROM cards WHERE kind = 'token_number'")
  expect(rowCount).toBe(1)
})

test('a card that comes into use at the moment of its destruction stays', async () => {
  const networkToken = await newToken()
  const { pool } = world.database
  await pool.query("UPDATE cards SET kept_until = now() - interval '1 minute' WHERE kept_until IS NOT NULL")
  const use = 'UPDATE cards SET kept_until = NULL WHERE kept_until IS NOT NULL'
  const { forgotten } = await whileHeld(pool, [use, []], async () => {
    const forgetting = forgetUnusedCards(vault.deps.pool)
    await whenWaiting(pool, 1)
    return { forgotten: forgetting }
  })
  expect(await forgotten).toBe(0)
  expect(await fetchNumber(networkToken)).toMatchObject({ numberKept: true })
})
