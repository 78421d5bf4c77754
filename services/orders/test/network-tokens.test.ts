import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { randomUUID } from 'node:crypto'
import { DomainError, unavailable } from '@cofre/platform/errors'
import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { authorize, capture, order, VISA } from './support/orders'
import { startOrders, withKey, type TestOrders } from './support/start-orders'
import { establish, giveToken, orderOf, soldCard, type Owner } from './support/token-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

describe('a payment with a network token', () => {
  test.each([false, true])(
    'carries its number, its expiration and a cryptogram (direct: %s)',
    async (direct) => {
      const seller = await establish(orders)
      const { name, made } = giveToken(orders, seller)
      const charge = await authorize(orders, orderOf(seller.sellerId, [name], { capture: direct }))

      expect(charge.status).toBe(direct ? ChargeStatus.CAPTURED : ChargeStatus.AUTHORIZED)
      const reference = charge.payments[0]?.acquirer?.orderNumber ?? ''
      expect(soldCard(orders, charge)).toMatchObject({
        CardNumber: '4895370000000111',
        ExpirationDate: '11/2049',
        Cryptogram: `cryptogram of ${reference}`,
        Holder: 'Ana Conceicao de Souza',
        Brand: 'Visa',
      })
      expect(soldCard(orders, charge)).not.toHaveProperty('SecurityCode')
      expect(made.cryptograms).toEqual([{ reference, amount: 10_000 }])
      expect(charge.payments[0]).toMatchObject({
        source: CardSource.NETWORK_TOKEN,
        card: { lastFour: '1111' },
      })
      expect(charge.transactions[0]).toMatchObject({
        source: CardSource.NETWORK_TOKEN,
        orderNumber: reference,
      })
    },
  )

  test('has another cryptogram for each transaction, and may stand beside a card', async () => {
    const seller = await establish(orders)
    const { name, made } = giveToken(orders, seller)
    const request = orderOf(seller.sellerId, [name, name])
    const [card] = order(seller.sellerId).payments
    if (!card) throw new Error('an order has a payment')
    const charge = await authorize(orders, {
      ...request,
      amount: 20_000,
      payments: [...request.payments, card],
    })

    expect(charge.status).toBe(ChargeStatus.AUTHORIZED)
    expect(new Set(made.cryptograms.map(({ reference }) => reference)).size).toBe(2)
    expect((await capture(orders, charge)).status).toBe(ChargeStatus.CAPTURED)
    expect(made.cryptograms).toHaveLength(2)
  })

  test('repeated with its key gets the first answer and no new cryptogram, even after its token ended', async () => {
    const seller = await establish(orders)
    const { name, made } = giveToken(orders, seller)
    const key = randomUUID()
    const first = await withKey(key, () => authorize(orders, orderOf(seller.sellerId, [name])))
    made.status = NetworkTokenStatus.INACTIVE
    expect(await withKey(key, () => authorize(orders, orderOf(seller.sellerId, [name])))).toEqual(first)
    expect(made.cryptograms).toHaveLength(1)
  })

  test('that is sent twenty times at once with one key is made once', async () => {
    const seller = await establish(orders)
    const { name, made } = giveToken(orders, seller)
    const key = randomUUID()
    const asked = Array.from({ length: 20 }, () =>
      withKey(key, () => authorize(orders, orderOf(seller.sellerId, [name]))),
    )
    await Promise.allSettled(asked)
    expect(made.cryptograms).toHaveLength(1)
  })

  test('of amount 0 is verified with its card: the acquirer verifies no token', async () => {
    const seller = await establish(orders)
    const { name } = giveToken(orders, seller)
    const charge = await authorize(orders, orderOf(seller.sellerId, [name], { amount: 0 }))
    expect(charge.status).toBe(ChargeStatus.AUTHORIZED)
    expect(orders.acquirer.verifications.at(-1)).toMatchObject({ CardNumber: VISA })
  })
})

describe('an order is refused and not stored with', () => {
  test.each<[string, string, (owner: Owner) => string]>([
    [
      'a token that is not active',
      'NETWORK_TOKEN_NOT_ACTIVE',
      (owner) => giveToken(orders, owner, { status: NetworkTokenStatus.INACTIVE }).name,
    ],
    ['an unknown one', 'CARD_TOKEN_UNUSABLE', () => 'f'.repeat(64)],
    [
      "another seller's",
      'CARD_TOKEN_UNUSABLE',
      (owner) => giveToken(orders, { ...owner, sellerId: owner.sellerId + 1 }).name,
    ],
  ])('%s', async (_, reason, make) => {
    const refusal = { kind: 'failed_precondition', reason }
    const seller = await establish(orders)
    const request = orderOf(seller.sellerId, [make(seller)])
    await expect(authorize(orders, request)).rejects.toMatchObject({
      ...refusal,
      extra: { errors: [{ pointer: '#/payments/0/networkToken/token' }] },
    })
    await expect(authorize(orders, { ...request, capture: true })).rejects.toMatchObject({
      ...refusal,
      extra: { errors: [{ pointer: '#/networkToken/token' }] },
    })
    const { rows } = await orders.pool.query('SELECT FROM charges WHERE seller_id = $1', [seller.sellerId])
    expect(rows).toEqual([])
  })

  test('the token of another account: only the account of the token may charge it', async () => {
    const store = await establish(orders, { affiliateId: 7 })
    const other = await establish(orders, { sellerId: store.sellerId, networkTokens: false })
    const { name } = giveToken(orders, store)
    const charge = await authorize(orders, orderOf(store.sellerId, [name]))
    const { rows } = await orders.pool.query(
      'SELECT merchant_id FROM charges c JOIN establishments e ON e.id = establishment_id WHERE c.id = $1',
      [charge.id],
    )
    expect(rows).toEqual([{ merchant_id: store.merchantId }])
    const elsewhere = (affiliateId: number) =>
      expect(authorize(orders, orderOf(store.sellerId, [name], { affiliateId }))).rejects
    await elsewhere(0).toMatchObject({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' })
    await elsewhere(8).toMatchObject({ reason: 'REFERENCE_NOT_FOUND' })
    const both = orderOf(store.sellerId, [name, giveToken(orders, other).name])
    await expect(authorize(orders, both)).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' })
  })
})

describe('without a cryptogram nothing is sent', () => {
  test.each([
    [
      'the token has ended meanwhile',
      new DomainError(...(['failed_precondition', 'NETWORK_TOKEN_NOT_ACTIVE', 'ended'] as const)),
    ],
    ['the token service does not answer', unavailable('no cryptogram')],
  ])('%s: the charge is FAILED, and the key is free', async (_, fault) => {
    const seller = await establish(orders)
    const { name, made } = giveToken(orders, seller, { fault })
    const key = randomUUID()
    const request = orderOf(seller.sellerId, [name])
    const sold = orders.acquirer.payments.length
    await expect(withKey(key, () => authorize(orders, request))).rejects.toMatchObject({
      reason: fault.reason,
    })
    expect(orders.acquirer.payments).toHaveLength(sold)
    const { rows } = await orders.pool.query('SELECT status FROM charges WHERE seller_id = $1', [
      seller.sellerId,
    ])
    expect(rows).toEqual([{ status: 'FAILED' }])

    delete made.fault
    expect((await withKey(key, () => authorize(orders, request))).status).toBe(ChargeStatus.AUTHORIZED)
  })
})
