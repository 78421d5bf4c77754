import { randomUUID } from 'node:crypto'
import { eventually } from '@cofre/testing/testing'
import { ChargeStatus, TransactionStatus } from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { resolvePending } from './support/resolve-pending'
import { authorize, VISA } from './support/orders'
import type { StandInToken } from '@cofre/testing/stand-ins/network-tokens'
import { get, passDeadlines, resolved, startOrders, type TestOrders } from './support/start-orders'
import { establish, giveToken, orderOf, soldCard } from './support/token-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())
afterEach(() => orders.acquirer.declines.clear())

const OF_TOKEN = '0111'

describe('a payment that is declined because of its token', () => {
  const decline = (code: string, adviceCode?: string) =>
    orders.acquirer.declines.set(OF_TOKEN, { code, ...(adviceCode ? { adviceCode } : {}) })

  test.each([
    ['57', undefined],
    ['05', '04'],
  ])(
    '(%s, advice %s) is tried once more with the card, and both attempts are on show',
    async (code, advice) => {
      decline(code, advice)
      const seller = await establish(orders, { retryWithCard: true })
      const { name, made } = giveToken(orders, seller)
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
      expect(soldCard(orders, charge)).toMatchObject({ CardNumber: VISA, ExpirationDate: '12/2049' })
      expect(soldCard(orders, charge)).not.toHaveProperty('Cryptogram')
      expect(made.cryptograms).toHaveLength(1)
      expect(await get(orders, charge)).toEqual(charge)
    },
  )

  test.each<[string, boolean, Partial<StandInToken>, string]>([
    ['where the seller has not asked for it', false, {}, '57'],
    ['where the kept card is not the one behind the token', true, { cardIsCurrent: false }, '57'],
    ['where the decline is about the card', true, {}, '51'],
  ])('is not tried again %s', async (_, retryWithCard, change, code) => {
    decline(code)
    const seller = await establish(orders, { retryWithCard })
    const sold = orders.acquirer.payments.length
    const charge = await authorize(orders, orderOf(seller.sellerId, [giveToken(orders, seller, change).name]))
    expect(charge).toMatchObject({
      status: ChargeStatus.DENIED,
      payments: [{ decline: { acquirerCode: code } }],
    })
    expect(orders.acquirer.payments).toHaveLength(sold + 1)
  })

  test('is DENIED once when the card is declined too', async () => {
    decline('57')
    orders.acquirer.declines.set('1111', { code: '51' })
    const seller = await establish(orders, { retryWithCard: true })
    const charge = await authorize(orders, orderOf(seller.sellerId, [giveToken(orders, seller).name]))
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
    'whose second answer is lost (%s) is asked about, not sent again',
    async (fault) => {
      decline('57')
      const seller = await establish(orders, { retryWithCard: true })
      const { name } = giveToken(orders, seller)
      orders.acquirer.fail('sale', { status: 201, body: declined57() }, fault)
      const charge = await authorize(orders, orderOf(seller.sellerId, [name]))
      expect(charge.status).toBe(ChargeStatus.PENDING)
      const done = fault === 'answer_lost' ? ChargeStatus.AUTHORIZED : ChargeStatus.FAILED
      if (fault === 'lost_undone') await passDeadlines(orders, charge)
      const known = await resolved(orders, charge, ({ status }) => expect(status).toBe(done))
      const [first, second] = known.transactions
      expect(first?.status).toBe(TransactionStatus.FAILED)
      expect(second?.orderNumber).toBe(known.payments[0]?.acquirer?.orderNumber)
      expect(orders.acquirer.ofOrder(second?.orderNumber)).toHaveLength(fault === 'answer_lost' ? 1 : 0)
    },
  )

  test('is DENIED, and nothing is sent again, when the sweeper learns of the decline first', async () => {
    decline('57')
    const seller = await establish(orders, { retryWithCard: true })
    const { name } = giveToken(orders, seller)
    const sold = orders.acquirer.payments.length
    orders.acquirer.fail('sale', 'late')
    const asked = authorize(orders, orderOf(seller.sellerId, [name]))
    await eventually(async () => {
      await resolvePending(orders.deps)
      const { rows } = await orders.pool.query('SELECT status FROM charges WHERE seller_id = $1', [
        seller.sellerId,
      ])
      expect(rows).toEqual([{ status: 'DENIED' }])
    })
    orders.acquirer.release()
    expect(await asked).toMatchObject({ status: ChargeStatus.DENIED, transactions: [{}] })
    expect(orders.acquirer.payments).toHaveLength(sold + 1)
  })

  test('keeps the first decline when the acquirer is not reached for the retry', async () => {
    const seller = await establish(orders, { retryWithCard: true })
    const { name } = giveToken(orders, seller)
    orders.acquirer.fail('sale', { status: 201, body: declined57() }, { status: 429, body: {} })
    const charge = await authorize(orders, orderOf(seller.sellerId, [name]))
    expect(charge).toMatchObject({
      status: ChargeStatus.DENIED,
      payments: [{ decline: { acquirerCode: '57' } }],
    })
  })

  const declined57 = () => ({ Payment: { Status: 3, ReturnCode: '57', PaymentId: randomUUID() } })
})
