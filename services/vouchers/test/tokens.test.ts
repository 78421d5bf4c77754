import { unavailable } from '@cofre/platform/errors'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { createPool } from '@cofre/platform/postgres/postgres'
import { eventually, PATIENT } from '@cofre/testing/testing'
import { VoucherCardType, VoucherTokenStatus, type VoucherToken } from '@cofre/proto/vouchers/v1/vouchers'
import { destroyAllDiscarded } from '../src/sweepers/destroy-discarded'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { eventsOf } from './support/resolving'
import { CARDS, createToken, newToken, sealedCard, tokenOf, withKey } from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterEach(() => (vouchers.hooks.onCall = () => {}))
afterAll(() => vouchers.stop())

const getToken = (token: VoucherToken) => callRpc(vouchers.client, vouchers.client.getToken, token)
const deleteToken = (token: VoucherToken) => callRpc(vouchers.client, vouchers.client.deleteToken, token)
const numberOf = ({ sellerId, token }: VoucherToken) => vouchers.kept.get(`${sellerId} ${token}`)?.number
/** Counts the numbers that the vault keeps for a seller. */
const numbersOf = (sellerId: number) =>
  [...vouchers.kept.keys()].filter((name) => name.startsWith(`${sellerId} `)).length
const discarded = async (sellerId: number) => {
  const { rows } = await vouchers.pool.query('SELECT token FROM discarded_vouchers WHERE seller_id = $1', [
    sellerId,
  ])
  return rows.length
}
/** Makes the notes of a seller an hour older. */
const letAnHourPass = (sellerId: number) =>
  vouchers.pool.query(
    "UPDATE discarded_vouchers SET ask_at = ask_at - interval '1 hour' WHERE seller_id = $1",
    [sellerId],
  )

test.each(['ALELO', 'VR'] as const)(
  'a %s card becomes a token, the vault keeps its number, and its event is sent',
  async (brand) => {
    const sellerId = newSeller(vouchers)
    const token = await newToken(vouchers, sellerId, brand)
    expect(token).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      sellerId,
      cardType: VoucherCardType.MEAL,
      cardBrand: brand,
      lastFour: '3333',
      status: VoucherTokenStatus.ACTIVE,
      cardReference: '',
      reason: '',
      createdAt: expect.any(Number),
      updatedAt: token.createdAt,
    })
    expect(await getToken(token)).toEqual(token)
    expect(numberOf(token)).toBe(CARDS[brand])
    expect(await eventsOf(vouchers, token.token)).toEqual(['voucher_token.active'])
    expect(await discarded(sellerId)).toBe(0)
    const { rows } = await vouchers.pool.query(
      `SELECT (SELECT row_to_json(t) FROM voucher_tokens t WHERE token = $1)::text || (SELECT string_agg(value::text, '')
       FROM outbox WHERE key = $1) AS text`,
      [token.token],
    )
    expect(rows[0].text).not.toContain(CARDS[brand])
  },
)

test('a food card is a token of its type', async () => {
  const request = tokenOf(newSeller(vouchers), 'VR', { cardType: VoucherCardType.FOOD })
  expect(await createToken(vouchers, request)).toMatchObject({ cardType: VoucherCardType.FOOD })
})

test.each([
  ['#/cardType', { cardType: VoucherCardType.UNSPECIFIED }],
  ['#/cardBrand', { cardBrand: '' }],
  ['#/cardNumber', { card: undefined }],
])('a request without %s is refused', async (pointer, changes) => {
  const sellerId = newSeller(vouchers)
  await expect(createToken(vouchers, tokenOf(sellerId, 'ALELO', changes))).rejects.toMatchObject({
    kind: 'invalid_argument',
    extra: { errors: [{ pointer }] },
  })
})

test.each([
  ['a brand that nobody knows', 'VOUCHER_BRAND_UNSUPPORTED', '#/cardBrand', { cardBrand: 'CAJU' }],
  ['an announced brand', 'VOUCHER_BRAND_UNSUPPORTED', '#/cardBrand', { cardBrand: 'PLUXEE' }],
  ['a number of another brand', 'VOUCHER_CARD_MISMATCH', '#/cardNumber', { cardBrand: 'VR' }],
  [
    'a number that is too short',
    'VOUCHER_CARD_MISMATCH',
    '#/cardNumber',
    { card: sealedCard('506711112222333') },
  ],
  [
    'a card that the vault can’t use',
    'CARD_TOKEN_UNUSABLE',
    '#/cardNumber',
    { card: sealedCard('', { usable: false }) },
  ],
])('%s is refused, and the vault keeps nothing', async (_name, reason, pointer, changes) => {
  const sellerId = newSeller(vouchers)
  await expect(createToken(vouchers, tokenOf(sellerId, 'ALELO', changes))).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason,
    extra: { errors: [{ pointer }] },
  })
  expect([numbersOf(sellerId), await discarded(sellerId)]).toEqual([0, 0])
})

test('a card type that the brand does not have is refused', async () => {
  const replica = await vouchers.startReplica()
  const { brands } = replica.deps
  replica.deps.brands = new Map([...brands].map(([name, brand]) => [name, { ...brand, cardTypes: ['FOOD'] }]))
  const sellerId = newSeller(vouchers)
  await expect(createToken(replica, tokenOf(sellerId, 'VR'))).rejects.toMatchObject({
    reason: 'VOUCHER_CARD_MISMATCH',
    extra: { errors: [{ pointer: '#/cardType' }] },
  })
  expect([numbersOf(sellerId), await discarded(sellerId)]).toEqual([0, 0])
})

test('a seller without an account at the issuer is refused, and accepted as soon as it has one', async () => {
  const sellerId = newSeller(vouchers)
  vouchers.accounts.enabled.delete(sellerId)
  await expect(newToken(vouchers, sellerId)).rejects.toMatchObject({ reason: 'VOUCHER_BRAND_UNSUPPORTED' })
  vouchers.accounts.enabled.set(sellerId, '4711')
  expect(await newToken(vouchers, sellerId)).toMatchObject({ sellerId })
})

test('another seller’s token is neither found nor deleted', async () => {
  const token = await newToken(vouchers, newSeller(vouchers))
  const foreign = { ...token, sellerId: newSeller(vouchers) }
  await expect(getToken(foreign)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(deleteToken(foreign)).rejects.toMatchObject({ kind: 'not_found' })
  expect(numberOf(token)).toBe(CARDS.ALELO)
})

test('a repeated request is answered as before, also when its card is gone or the vault does not answer', async () => {
  const sellerId = newSeller(vouchers)
  const request = tokenOf(sellerId, 'ALELO')
  const { client } = vouchers
  const again = (changed = request) =>
    withKey('again', () => callRepeatable(client, client.createToken, changed))
  const { response } = await again()
  const gone = { ...request, card: sealedCard('', { usable: false }) }
  for (const changed of [request, gone]) expect(await again(changed)).toEqual({ response, replayed: true })
  vouchers.hooks.onCall = () => Promise.reject(unavailable('The vault is away.'))
  expect(await again()).toEqual({ response, replayed: true })
  await expect(withKey('other', () => createToken(vouchers, request))).rejects.toMatchObject({
    kind: 'unavailable',
  })
})

test('twenty requests at once with one key make one token, and only its number stays in the vault', async () => {
  const sellerId = newSeller(vouchers)
  const request = tokenOf(sellerId, 'ALELO')
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => withKey('raced', () => createToken(vouchers, request))),
  )
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.token] : []))
  expect(new Set(made).size).toBe(1)
  const { rows } = await vouchers.pool.query('SELECT token FROM voucher_tokens WHERE seller_id = $1', [
    sellerId,
  ])
  expect(rows).toEqual([{ token: made[0] }])
  await letAnHourPass(sellerId)
  await destroyAllDiscarded(vouchers.deps)
  expect([...vouchers.kept.keys()].filter((name) => name.startsWith(`${sellerId} `))).toEqual([
    `${sellerId} ${made[0]}`,
  ])
})

test('when the vault refuses a number, nothing is left of it and the request may be repeated', async () => {
  const sellerId = newSeller(vouchers)
  const request = tokenOf(sellerId, 'ALELO')
  vouchers.hooks.onCall = (rpc) => {
    if (rpc === 'keepVoucher') throw unavailable('The vault is away.')
  }
  await expect(withKey('kept', () => createToken(vouchers, request))).rejects.toMatchObject({
    kind: 'unavailable',
  })
  vouchers.hooks.onCall = () => {}
  expect(await withKey('kept', () => createToken(vouchers, request))).toMatchObject({ sellerId })
})

test('when the database is lost after the vault kept a number, the sweeper has the number destroyed', async () => {
  const sellerId = newSeller(vouchers)
  const pool = createPool({ url: vouchers.url, max: 2, name: 'doomed', ...PATIENT }, () => {})
  const replica = await vouchers.startReplica(pool)
  vouchers.hooks.onCall = (rpc) => (rpc === 'keepVoucher' ? pool.end() : undefined)
  await expect(newToken(replica, sellerId)).rejects.toBeInstanceOf(Error)
  expect([numbersOf(sellerId), await discarded(sellerId)]).toEqual([1, 1])

  await destroyAllDiscarded(vouchers.deps)
  // A slow request may still save its token.
  expect(numbersOf(sellerId)).toBe(1)
  await letAnHourPass(sellerId)
  await destroyAllDiscarded(vouchers.deps)
  expect([numbersOf(sellerId), await discarded(sellerId)]).toEqual([0, 0])
})

test('a token is deleted with its number, once', async () => {
  const token = await newToken(vouchers, newSeller(vouchers))
  const ends = await Promise.allSettled([deleteToken(token), deleteToken(token)])
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(getToken(token)).rejects.toMatchObject({ kind: 'not_found' })
  expect([numberOf(token), await discarded(token.sellerId)]).toEqual([undefined, 0])
})

test('when the vault does not answer, the token is gone and the sweeper has its number destroyed', async () => {
  const token = await newToken(vouchers, newSeller(vouchers))
  vouchers.hooks.onCall = () => Promise.reject(unavailable('The vault is away.'))
  await deleteToken(token)
  await expect(getToken(token)).rejects.toMatchObject({ kind: 'not_found' })
  expect(numberOf(token)).toBe(CARDS.ALELO)
  vouchers.hooks.onCall = () => {}
  await eventually(async () => {
    await destroyAllDiscarded(vouchers.deps)
    expect([numberOf(token), await discarded(token.sellerId)]).toEqual([undefined, 0])
  })
})
