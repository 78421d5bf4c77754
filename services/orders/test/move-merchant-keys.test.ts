import { randomBytes, randomUUID } from 'node:crypto'
import { createLog } from '@cofre/platform/telemetry/log'
import { sealSecret } from '@cofre/platform/secret-box'
import { moveMerchantKeys } from '../src/establishment/move-merchant-keys'
import { authorize, order } from './support/orders'
import { startOrders, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())
afterEach(async () => {
  orders.accounts.cutOff(Infinity)
  await orders.pool.query('UPDATE establishments SET merchant_key = NULL')
})

const establishmentKey = randomBytes(32)
const KEY = 'a1B2'.repeat(10)

type Old = {
  sellerId?: number
  affiliateId?: number
  merchantId?: string
  networkTokens?: boolean
  key?: string
}

/** An establishment as the older version wrote it. */
async function old(changes: Old = {}) {
  const { sellerId = 1 + randomBytes(4).readUInt32BE(), affiliateId = null, networkTokens = false } = changes
  const { merchantId = randomUUID() as string, key = KEY } = changes
  const sealed = sealSecret(establishmentKey, key, `establishment:${sellerId}:${merchantId}`)
  await orders.pool.query(
    `INSERT INTO establishments (seller_id, affiliate_id, merchant_id, merchant_key, network_tokens)
     VALUES ($1, $2, $3, $4, $5)`,
    [sellerId, affiliateId, merchantId, sealed, networkTokens],
  )
  return { sellerId, merchantId }
}

const move = (changes: Partial<Parameters<typeof moveMerchantKeys>[0]> = {}) =>
  moveMerchantKeys({
    pool: orders.pool,
    log: createLog('orders', 'silent'),
    vault: orders.vault,
    establishmentKey,
    ...changes,
  })
const keysLeft = async () =>
  (await orders.pool.query('SELECT FROM establishments WHERE merchant_key IS NOT NULL')).rowCount
const broughtTo = (partner: string, merchantId: string) => orders.accounts.get(partner, merchantId)

test('every key goes to the vault, for the acquirer and its token service, and none stays', async () => {
  const { sellerId, merchantId } = await old({ networkTokens: true })
  const plain = await old({ key: 'c3D4'.repeat(10) })
  await move()

  const account = { sellerId, name: merchantId, credentials: { merchantId, merchantKey: KEY } }
  expect(broughtTo('acquirer', merchantId)).toEqual({
    ...account,
    partner: 'acquirer',
    preference: undefined,
  })
  expect(broughtTo('token-service', merchantId)).toEqual({
    ...account,
    partner: 'token-service',
    preference: 0,
  })
  // Tokens made before it was disabled still need it. No new token is made with it.
  expect(broughtTo('token-service', plain.merchantId)).toMatchObject({
    credentials: { merchantKey: 'c3D4'.repeat(10) },
    preference: undefined,
  })
  expect(await keysLeft()).toBe(0)
  expect((await authorize(orders, order(sellerId))).payments).toHaveLength(1)
})

test('an account of several stores keeps its place: that of the default store, else the lowest', async () => {
  const { sellerId, merchantId } = await old({ affiliateId: 12, networkTokens: true })
  await old({ sellerId, merchantId, affiliateId: 7, networkTokens: true })
  await old({ sellerId, merchantId, affiliateId: 3, networkTokens: false })
  await move()
  expect(broughtTo('token-service', merchantId)).toMatchObject({ preference: 8 })
})

test('of two keys of one account, the vault takes the key of the newer establishment', async () => {
  const { sellerId, merchantId } = await old()
  await old({ sellerId, merchantId, affiliateId: 1, key: 'new0'.repeat(10) })
  await move()
  expect(broughtTo('acquirer', merchantId)?.credentials).toMatchObject({ merchantKey: 'new0'.repeat(10) })
})

test('a move that is cut off between any two accounts is finished by the next start', async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => old({ networkTokens: true })))
  for (let before = 0; before < 6; before += 1) {
    orders.accounts.cutOff(before)
    await expect(move()).rejects.toThrow()
  }
  orders.accounts.cutOff(Infinity)
  await move()
  for (const { merchantId } of made) {
    expect(broughtTo('acquirer', merchantId)?.credentials).toMatchObject({ merchantKey: KEY })
    expect(broughtTo('token-service', merchantId)?.credentials).toMatchObject({ merchantKey: KEY })
  }
  expect(await keysLeft()).toBe(0)
})

test('a move that is cut off before a key is deleted here leads to the same result', async () => {
  const { merchantId } = await old()
  const kept = await orders.pool.query(
    'SELECT id, merchant_key FROM establishments WHERE merchant_key IS NOT NULL',
  )
  await move()
  const [{ id, merchant_key: sealed }] = kept.rows
  await orders.pool.query('UPDATE establishments SET merchant_key = $2 WHERE id = $1', [id, sealed])
  await move()
  expect(broughtTo('acquirer', merchantId)?.credentials).toMatchObject({ merchantKey: KEY })
  expect(await keysLeft()).toBe(0)
})

test('two replicas that start at once lead to the same result', async () => {
  const { merchantId } = await old()
  await Promise.all([move(), move()])
  expect(broughtTo('acquirer', merchantId)?.credentials).toMatchObject({ merchantKey: KEY })
  expect(await keysLeft()).toBe(0)
})

test('without the key, or with a wrong one, the start fails and the stored keys stay', async () => {
  const { merchantId } = await old()
  await expect(move({ establishmentKey: undefined })).rejects.toThrow('ESTABLISHMENT_KEY_FILE is missing')
  await expect(move({ establishmentKey: randomBytes(32) })).rejects.toThrow('does not open the merchant key')
  expect(broughtTo('acquirer', merchantId)).toBeUndefined()
  expect(await keysLeft()).toBe(1)
})

test('with nothing left to move, no key is needed', async () => {
  await move({ establishmentKey: undefined })
})
