import { randomBytes, randomUUID } from 'node:crypto'
import { DomainError, unavailable } from '@cofre/platform/errors'
import { callRpc, CLIENT_OPTIONS } from '@cofre/platform/grpc-client'
import { clientCredentials } from '@cofre/platform/tls'
import {
  ChargeStatus,
  NetworkTokenAccountsClient,
  TransactionStatus,
  type AuthorizeOrderRequest,
  type Charge,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { authorize, capture, order, VISA } from './support/orders'
import type { SmallToken } from './support/small-network-tokens'
import { get, settled, startOrders, withKey, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())
afterEach(() => orders.acquirer.declines.clear())

type Options = { retryWithCard?: boolean; affiliateId?: number; sellerId?: number; networkTokens?: boolean }

/** An establishment enabled for network tokens; of a new seller unless one is given. */
async function establish({
  retryWithCard = false,
  affiliateId,
  sellerId,
  networkTokens = true,
}: Options = {}) {
  const account = {
    sellerId: sellerId ?? 1 + randomBytes(4).readUInt32BE(),
    affiliateId,
    merchantId: randomUUID() as string,
    merchantKey: 'K'.repeat(40),
    networkTokens,
    retryWithCard,
  }
  await callRpc(orders.admin, orders.admin.createEstablishment, account)
  return account
}

type Owner = { sellerId: number; merchantId: string }

/** A network token of a seller's; its card decides what a retry with the card comes to. */
function token({ sellerId, merchantId }: Owner, changes: Partial<SmallToken> = {}) {
  const name = randomBytes(32).toString('hex')
  const made = {
    sellerId,
    merchantId,
    card: VISA,
    cardIsCurrent: true,
    active: true,
    cryptograms: [],
    ...changes,
  }
  orders.networkTokens.set(name, made)
  return { name, made }
}

function orderOf(sellerId: number, names: string[], changes: Partial<AuthorizeOrderRequest> = {}) {
  const { payments: _none, ...made } = order(sellerId, changes)
  const payments = names.map((networkToken) => {
    return { amount: made.amount / names.length, installments: 1, card: undefined, networkToken }
  })
  return { ...made, payments } as AuthorizeOrderRequest
}

const soldCard = (charge: Charge) =>
  orders.acquirer.paymentOf(charge.payments[0]).sale.Payment.CreditCard as Record<string, unknown>
const OF_TOKEN = '0111'
const NOT_ACTIVE = { kind: 'failed_precondition', reason: 'NETWORK_TOKEN_NOT_ACTIVE' }

describe('a payment with a network token', () => {
  test.each([false, true])(
    'carries its number, its expiration and a cryptogram (direct: %s)',
    async (direct) => {
      const seller = await establish()
      const { name, made } = token(seller)
      const charge = await authorize(orders, orderOf(seller.sellerId, [name], { capture: direct }))

      expect(charge.status).toBe(direct ? ChargeStatus.CAPTURED : ChargeStatus.AUTHORIZED)
      const reference = charge.payments[0]?.acquirer?.orderNumber ?? ''
      expect(soldCard(charge)).toMatchObject({
        CardNumber: '4895370000000111',
        ExpirationDate: '11/2033',
        Cryptogram: `cryptogram of ${reference}`,
        Holder: 'Ana Conceicao de Souza',
        Brand: 'Visa',
      })
      expect(soldCard(charge)).not.toHaveProperty('SecurityCode')
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

  test('has another cryptogram for each transaction, and a card may be beside it', async () => {
    const seller = await establish()
    const { name, made } = token(seller)
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

  test('repeated with its key is answered as before, with no further cryptogram, also when it has ended', async () => {
    const seller = await establish()
    const { name, made } = token(seller)
    const key = randomUUID()
    const first = await withKey(key, () => authorize(orders, orderOf(seller.sellerId, [name])))
    made.active = false
    expect(await withKey(key, () => authorize(orders, orderOf(seller.sellerId, [name])))).toEqual(first)
    expect(made.cryptograms).toHaveLength(1)
  })

  test('twenty times at once with one key is made once', async () => {
    const seller = await establish()
    const { name, made } = token(seller)
    const key = randomUUID()
    const asked = Array.from({ length: 20 }, () =>
      withKey(key, () => authorize(orders, orderOf(seller.sellerId, [name]))),
    )
    await Promise.allSettled(asked)
    expect(made.cryptograms).toHaveLength(1)
  })

  test('is verified with it where nothing is to be paid', async () => {
    const seller = await establish()
    const { name } = token(seller)
    const charge = await authorize(orders, orderOf(seller.sellerId, [name], { amount: 0 }))
    expect(charge.status).toBe(ChargeStatus.AUTHORIZED)
    expect(orders.acquirer.verifications.at(-1)).toMatchObject({ CardNumber: '4895370000000111' })
  })
})

describe('is refused, and nothing is stored', () => {
  test.each<[string, (owner: Owner) => string]>([
    ['a token that is not active', (owner) => token(owner, { active: false }).name],
    ['an unknown one', () => 'f'.repeat(64)],
    ["another seller's", (owner) => token({ ...owner, sellerId: owner.sellerId + 1 }).name],
  ])('%s', async (_, make) => {
    const seller = await establish()
    const request = orderOf(seller.sellerId, [make(seller)])
    await expect(authorize(orders, request)).rejects.toMatchObject({
      ...NOT_ACTIVE,
      extra: { errors: [{ pointer: '#/payments/0/networkToken/token' }] },
    })
    await expect(authorize(orders, { ...request, capture: true })).rejects.toMatchObject({
      ...NOT_ACTIVE,
      extra: { errors: [{ pointer: '#/networkToken/token' }] },
    })
    const { rows } = await orders.pool.query('SELECT FROM charges WHERE seller_id = $1', [seller.sellerId])
    expect(rows).toEqual([])
  })

  test('by the account: a token charges through the one that it was made for, and no other', async () => {
    const store = await establish({ affiliateId: 7 })
    const other = await establish({ sellerId: store.sellerId, networkTokens: false })
    const { name } = token(store)
    const charge = await authorize(orders, orderOf(store.sellerId, [name]))
    const { rows } = await orders.pool.query(
      'SELECT merchant_id FROM charges c JOIN establishments e ON e.id = establishment_id WHERE c.id = $1',
      [charge.id],
    )
    expect(rows).toEqual([{ merchant_id: store.merchantId }])
    const elsewhere = authorize(orders, orderOf(store.sellerId, [name], { affiliateId: 8 }))
    await expect(elsewhere).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' })
    const both = orderOf(store.sellerId, [name, token(other).name])
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
    const seller = await establish()
    const { name, made } = token(seller, { fault })
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
    expect(rows).toEqual([{ status: 'failed' }])

    delete made.fault
    expect((await withKey(key, () => authorize(orders, request))).status).toBe(ChargeStatus.AUTHORIZED)
  })
})

describe('declined for a reason of the token itself', () => {
  const decline = (code: string, adviceCode?: string) =>
    orders.acquirer.declines.set(OF_TOKEN, { code, ...(adviceCode ? { adviceCode } : {}) })

  test.each([
    ['57', undefined],
    ['05', '04'],
  ])(
    '(%s, advice %s) it is tried once more with the card, and both attempts are on show',
    async (code, advice) => {
      decline(code, advice)
      const seller = await establish({ retryWithCard: true })
      const { name, made } = token(seller)
      const charge = await authorize(orders, orderOf(seller.sellerId, [name], { capture: true }))

      expect(charge).toMatchObject({ status: ChargeStatus.CAPTURED, capturedAmount: 10_000 })
      const [first, second, captured] = charge.transactions
      expect(first).toMatchObject({
        status: TransactionStatus.FAILED,
        source: CardSource.NETWORK_TOKEN,
        returnCode: code,
      })
      expect(second).toMatchObject({ status: TransactionStatus.SUCCEEDED, source: CardSource.CARD })
      expect(captured).toMatchObject({ status: TransactionStatus.SUCCEEDED })
      expect(charge.payments[0]).toMatchObject({
        source: CardSource.CARD,
        decline: undefined,
        acquirer: { orderNumber: second?.orderNumber },
      })
      expect(second?.orderNumber).not.toBe(first?.orderNumber)
      expect(soldCard(charge)).toMatchObject({ CardNumber: VISA, ExpirationDate: '12/2031' })
      expect(soldCard(charge)).not.toHaveProperty('Cryptogram')
      expect(made.cryptograms).toHaveLength(1)
      expect(await get(orders, charge)).toEqual(charge)
    },
  )

  test.each<[string, boolean, Partial<SmallToken>, string]>([
    ['where the seller has not asked for it', false, {}, '57'],
    ['where the kept card is not the one behind the token', true, { cardIsCurrent: false }, '57'],
    ['where the decline is about the card', true, {}, '51'],
  ])('it is not tried again %s', async (_, retryWithCard, change, code) => {
    decline(code)
    const seller = await establish({ retryWithCard })
    const sold = orders.acquirer.payments.length
    const charge = await authorize(orders, orderOf(seller.sellerId, [token(seller, change).name]))
    expect(charge).toMatchObject({
      status: ChargeStatus.DENIED,
      payments: [{ decline: { acquirerCode: code } }],
    })
    expect(orders.acquirer.payments).toHaveLength(sold + 1)
  })

  test('and then of the card too, the charge is DENIED once', async () => {
    decline('57')
    orders.acquirer.declines.set('1111', { code: '51' })
    const seller = await establish({ retryWithCard: true })
    const charge = await authorize(orders, orderOf(seller.sellerId, [token(seller).name]))
    expect(charge).toMatchObject({
      status: ChargeStatus.DENIED,
      payments: [{ decline: { acquirerCode: '51' } }],
    })
    expect(charge.transactions.map(({ status }) => status)).toEqual([
      TransactionStatus.FAILED,
      TransactionStatus.FAILED,
    ])
    const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE key = $1', [String(charge.id)])
    expect(rows).toEqual([{ type: 'charge.denied' }])
  })

  test.each(['answer_lost', 'lost_undone'] as const)(
    'and the second answer is lost (%s): asked about, not sent again',
    async (fault) => {
      decline('57')
      const seller = await establish({ retryWithCard: true })
      const { name } = token(seller)
      orders.acquirer.fail('sale', { status: 201, body: declined57() }, fault)
      const charge = await authorize(orders, orderOf(seller.sellerId, [name]))
      expect(charge.status).toBe(ChargeStatus.PENDING)
      const done = fault === 'answer_lost' ? ChargeStatus.AUTHORIZED : ChargeStatus.FAILED
      const known = await settled(orders, charge, ({ status }) => expect(status).toBe(done))
      const [first, second] = known.transactions
      expect(first?.status).toBe(TransactionStatus.FAILED)
      expect(second?.orderNumber).toBe(known.payments[0]?.acquirer?.orderNumber)
      expect(orders.acquirer.ofOrder(second?.orderNumber)).toHaveLength(fault === 'answer_lost' ? 1 : 0)
    },
  )

  test('and the acquirer is not reached then, the first answer stands', async () => {
    const seller = await establish({ retryWithCard: true })
    const { name } = token(seller)
    orders.acquirer.fail('sale', { status: 201, body: declined57() }, { status: 429, body: {} })
    const charge = await authorize(orders, orderOf(seller.sellerId, [name]))
    expect(charge).toMatchObject({
      status: ChargeStatus.DENIED,
      payments: [{ decline: { acquirerCode: '57' } }],
    })
  })

  const declined57 = () => ({ Payment: { Status: 3, ReturnCode: '57', PaymentId: randomUUID() } })
})

describe('the account for network tokens', () => {
  const find = async (sellerId: number, merchantId?: string, caller = 'network-token') => {
    const credentials = clientCredentials(await orders.tlsFor(caller))
    const client = new NetworkTokenAccountsClient(`localhost:${orders.port}`, credentials, CLIENT_OPTIONS)
    try {
      return await callRpc(client, client.findAccount, { sellerId, merchantId })
    } finally {
      client.close()
    }
  }

  test('is the default one where it is enabled, else a store’s; a named one is found whatever it is enabled for', async () => {
    const store = await establish({ affiliateId: 7 })
    const { sellerId } = store
    expect((await find(sellerId)).merchantId).toBe(store.merchantId)
    const plain = await establish({ sellerId, networkTokens: false })
    expect((await find(sellerId)).merchantId).toBe(store.merchantId)
    expect(await find(sellerId, plain.merchantId)).toEqual({
      merchantId: plain.merchantId,
      merchantKey: 'K'.repeat(40),
    })
  })

  test('of a seller without one there is none, and nobody else may ask', async () => {
    const { sellerId } = await establish({ networkTokens: false })
    await expect(find(sellerId)).rejects.toMatchObject({ reason: 'NO_NETWORK_TOKEN_ESTABLISHMENT' })
    await expect(find(sellerId, undefined, 'gateway')).rejects.toMatchObject({ code: 7 })
  })
})
