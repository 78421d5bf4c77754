import { callRpc } from '@cofre/platform/grpc/client'
import {
  ChargeStatus,
  type AuthorizeOrderRequest,
  type CardAuthentication,
} from '@cofre/proto/orders/v1/orders'
import { authorize, DECLINED, order, sealedCard, VISA, withPayment } from '../support/orders'
import {
  newSeller,
  passDeadlines,
  resolved,
  startOrders,
  withKey,
  type TestOrders,
} from '../support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '51' })
})
afterAll(() => orders.stop())

// As in Cielo's own sample: 20 bytes, in base64 that no program would write.
const VALUE = 'AAABB2gHA1B5EFNjWQcDAAAAAAB='
const SAME_BYTES = 'AAABB2gHA1B5EFNjWQcDAAAAAAA='
const REFERENCE = 'd5c1e0a4-6f1f-4f0e-8f6c-0b7e2f2f6c11'

function authenticated(
  sellerId: number,
  changes: Partial<CardAuthentication> = {},
  brand = 'VISA',
): AuthorizeOrderRequest {
  const card = sealedCard(VISA, { card: { ...sealedCard(VISA).card!, brand } })
  const authentication = { eci: '05', version: '2.2.0', authenticationValue: VALUE, referenceId: '' }
  return withPayment(order(sellerId, { capture: true, cards: [card] }), {
    authentication: { ...authentication, ...changes },
  })
}

test('an authentication goes to the acquirer, and only the hash of its value is kept', async () => {
  const sellerId = await newSeller(orders)
  const charge = await authorize(orders, authenticated(sellerId, { referenceId: REFERENCE }))
  expect(charge.status).toBe(ChargeStatus.CAPTURED)
  expect(orders.acquirer.paymentOf(charge.payments[0]).sale.Payment).toMatchObject({
    Authenticate: true,
    ExternalAuthentication: { Eci: '05', Cavv: VALUE, Version: '2.2.0', ReferenceID: REFERENCE },
  })
  const { rows } = await orders.pool.query(
    `SELECT authentication_eci, authentication_version, length(authentication_value_hash) AS hash
     FROM payments WHERE charge_id = $1`,
    [charge.id],
  )
  expect(rows).toEqual([{ authentication_eci: '05', authentication_version: '2.2.0', hash: 64 }])
  const told = await orders.pool.query('SELECT * FROM outbox WHERE seller_id = $1', [sellerId])
  expect(told.rows).toHaveLength(1)
  const stored = await orders.pool.query('SELECT * FROM payments WHERE charge_id = $1', [charge.id])
  expect(JSON.stringify([charge, told.rows, stored.rows])).not.toContain(VALUE)
})

test('a payer who was not authenticated moves no liability', async () => {
  const changes = { eci: '7', authenticationValue: '', version: '2.1.0' }
  const charge = await authorize(orders, authenticated(await newSeller(orders), changes))
  const { Payment } = orders.acquirer.paymentOf(charge.payments[0]).sale
  expect(Payment).toMatchObject({ Authenticate: false })
  expect(Payment.ExternalAuthentication).toEqual({ Eci: '07', Version: '2.1.0' })
})

describe('an answer shows the acquirer’s treatment of an authentication:', () => {
  afterEach(() => {
    orders.acquirer.eci = undefined
  })

  test.each([
    ['taken as it was sent', '5', '05', false],
    ['as less than was sent', '07', '07', true],
    ['not told', undefined, '', false],
    ['told in no words of ours', 'n/a', '', false],
  ])('%s', async (_how, answered, acquirerEci, downgraded) => {
    orders.acquirer.eci = answered
    const {
      sellerId,
      id: chargeId,
      payments,
    } = await authorize(orders, authenticated(await newSeller(orders)))
    const effect = { eci: '05', acquirerEci, downgraded }
    expect(payments[0]?.authentication).toEqual(effect)
    const read = await callRpc(orders.client, orders.client.getCharge, { sellerId, chargeId })
    expect(read.payments[0]?.authentication).toEqual(effect)
  })

  test('an ECI that proves nothing cannot be downgraded; a charge without an authentication shows none', async () => {
    orders.acquirer.eci = '07'
    const none = { eci: '07', authenticationValue: '' }
    const unproven = await authorize(orders, authenticated(await newSeller(orders), none))
    const effect = { eci: '07', acquirerEci: '07', downgraded: false }
    expect(unproven.payments[0]?.authentication).toEqual(effect)
    const plain = await authorize(orders, order(await newSeller(orders)))
    expect(plain.payments[0]?.authentication).toBeUndefined()
  })

  test('a sale whose answer was lost shows a downgrade once it is found', async () => {
    orders.acquirer.eci = '07'
    const sellerId = await newSeller(orders)
    orders.acquirer.fail('sale', 'answer_lost')
    const charge = await authorize(orders, authenticated(sellerId))
    expect(charge.payments[0]?.authentication).toMatchObject({ acquirerEci: '', downgraded: false })
    const effect = { eci: '05', acquirerEci: '07', downgraded: true }
    await resolved(orders, charge, ({ payments }) => expect(payments[0]?.authentication).toEqual(effect))
  })
})

test.each<[string, Partial<CardAuthentication>]>([
  ['/eci', { eci: '005' }],
  ['/eci', { eci: '' }],
  ['/version', { version: '1.0.2' }],
  ['/version', { version: '2' }],
  ['/authenticationValue', { authenticationValue: '' }],
  ['/authenticationValue', { authenticationValue: VALUE.slice(1) }],
  ['/authenticationValue', { authenticationValue: `${VALUE.slice(0, 26)}=A` }],
  ['/authenticationValue', { authenticationValue: `-${VALUE.slice(1)}` }],
  ['/referenceId', { referenceId: 'd5c1e0a4' }],
])('a fault in %s is refused: %j', async (member, changes) => {
  const refusal = authorize(orders, authenticated(await newSeller(orders), changes))
  await expect(refusal).rejects.toMatchObject({
    kind: 'invalid_argument',
    extra: { errors: [{ pointer: `#/threeDSecure${member}` }] },
  })
  const { message } = await refusal.catch((error) => error)
  expect(message).not.toContain(VALUE.slice(1, 20))
})

test('an authentication beside Data Only, for an amount of 0, or on two payments is refused', async () => {
  const sellerId = await newSeller(orders)
  const request = authenticated(sellerId)
  const dataOnly = { eci: '07', version: '2.2.0', referenceId: REFERENCE }
  const { authentication } = request.payments[0]!
  const refused: AuthorizeOrderRequest[] = [
    { ...request, dataOnly },
    withPayment(order(sellerId, { amount: 0 }), { authentication }),
    withPayment(order(sellerId, { cards: [VISA, VISA] }), { authentication }),
  ]
  for (const each of refused) {
    await expect(authorize(orders, each)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  }
})

test.each([
  ['VISA', '02'],
  ['ELO', '00'],
  ['MASTERCARD', '05'],
  // Data Only authenticates nobody.
  ['MASTERCARD', '04'],
  ['DINERS', '05'],
])('%s has no ECI %s', async (brand, eci) => {
  const request = authenticated(await newSeller(orders), { eci }, brand)
  await expect(authorize(orders, request)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'AUTHENTICATION_UNUSABLE',
    extra: { errors: [{ pointer: '#/threeDSecure/eci' }] },
  })
})

test('a repeated request gets the first answer; another charge cannot use its authentication', async () => {
  const sellerId = await newSeller(orders)
  const request = authenticated(sellerId)
  const first = await withKey('first', () => authorize(orders, request))
  expect(await withKey('first', () => authorize(orders, request))).toEqual(first)
  for (const authenticationValue of [VALUE, SAME_BYTES]) {
    const replayed = authenticated(sellerId, { authenticationValue })
    await expect(withKey('second', () => authorize(orders, replayed))).rejects.toMatchObject({
      reason: 'AUTHENTICATION_UNUSABLE',
      extra: { errors: [{ pointer: '#/threeDSecure/authenticationValue' }] },
    })
  }
  const { rows } = await orders.pool.query('SELECT FROM charges WHERE seller_id = $1', [sellerId])
  expect(rows).toHaveLength(1)
  // The same value counts as unused for another seller: a refusal must not reveal the values of others.
  await authorize(orders, authenticated(await newSeller(orders)))
})

test('a declined payment uses up its authentication', async () => {
  const sellerId = await newSeller(orders)
  const { authentication } = authenticated(sellerId).payments[0]!
  const declined = withPayment(order(sellerId, { cards: [DECLINED] }), { authentication })
  expect((await authorize(orders, declined)).status).toBe(ChargeStatus.DENIED)
  await expect(authorize(orders, authenticated(sellerId))).rejects.toMatchObject({
    reason: 'AUTHENTICATION_UNUSABLE',
  })
})

test('of ten charges at once with one authentication, one is made', async () => {
  const sellerId = await newSeller(orders)
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => authorize(orders, authenticated(sellerId))),
  )
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.reason] : []))
  expect(refused).toEqual(Array(9).fill('AUTHENTICATION_UNUSABLE'))
})

test('a payment that was not sent, or did not reach the acquirer, leaves its authentication unused', async () => {
  const sellerId = await newSeller(orders)
  await orders.acquirer.stop()
  await expect(authorize(orders, authenticated(sellerId))).rejects.toMatchObject({ kind: 'unavailable' })
  await orders.acquirer.start()

  orders.acquirer.fail('sale', 'lost_undone')
  const pending = await authorize(orders, authenticated(sellerId))
  expect(pending.status).toBe(ChargeStatus.PENDING)
  await expect(authorize(orders, authenticated(sellerId))).rejects.toMatchObject({
    reason: 'AUTHENTICATION_UNUSABLE',
  })
  await passDeadlines(orders, pending)
  await resolved(orders, pending, ({ status }) => expect(status).toBe(ChargeStatus.FAILED))

  const paid = await callRpc(orders.client, orders.client.authorizeOrder, authenticated(sellerId))
  expect(paid.status).toBe(ChargeStatus.CAPTURED)
})
