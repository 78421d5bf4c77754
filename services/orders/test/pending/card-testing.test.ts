import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { DomainError } from '@cofre/platform/errors'
import { authorize, order, sealedCard, VISA } from '../support/orders'
import { newSeller, startOrders, withKey, type TestOrders } from '../support/start-orders'

// Cards of one BIN, by the issuer's answer.
const GUESSED = '4111111111110002'
const WITHOUT_MONEY = '4111111111110010'
const OVER_LIMIT = '4111111111110028'
const ISSUER_AWAY = '4111111111110036'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  const { declines } = orders.acquirer
  declines.set(GUESSED.slice(-4), { code: '14' })
  declines.set(WITHOUT_MONEY.slice(-4), { code: '51' })
  declines.set(OVER_LIMIT.slice(-4), { code: '61' })
  declines.set(ISSUER_AWAY.slice(-4), { code: '91' })
})
afterAll(() => orders.stop())

/** Pays with a card, and says what became of it. */
async function pay(sellerId: number, number: string): Promise<'paid' | 'declined' | 'refused'> {
  try {
    const { status } = await authorize(orders, order(sellerId, { cards: [number] }))
    return status === ChargeStatus.DENIED ? 'declined' : 'paid'
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'RATE_LIMITED') return 'refused'
    throw error
  }
}

test('a thousand payers without money within a minute refuse nobody', async () => {
  const sellerId = await newSeller(orders)
  const numbers = [WITHOUT_MONEY, WITHOUT_MONEY, WITHOUT_MONEY, OVER_LIMIT, ISSUER_AWAY]
  for (let sent = 0; sent < 1_000; sent += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => pay(sellerId, numbers[at % numbers.length] ?? VISA)),
    )
    expect(new Set(answers)).toEqual(new Set(['declined']))
    // All within the minute, however long the machine takes.
    await orders.pool.query('UPDATE payments SET denied_at = now() WHERE seller_id = $1', [sellerId])
  }
  expect(await pay(sellerId, VISA)).toBe('paid')
}, 120_000)

test('two hundred guesses are stopped within twenty, and the wait is said', async () => {
  const sellerId = await newSeller(orders)
  const answers: string[] = []
  for (let tried = 0; tried < 200; tried += 1) answers.push(await pay(sellerId, GUESSED))
  const reached = answers.filter((answer) => answer === 'declined').length
  expect(reached).toBe(10)
  expect(answers.slice(10)).toEqual(Array(190).fill('refused'))

  const limited = withKey('limited', () => authorize(orders, order(sellerId)))
  await expect(limited).rejects.toMatchObject({
    kind: 'rate_limited',
    reason: 'RATE_LIMITED',
    extra: { retryAfterSeconds: expect.any(Number) },
  })
  const other = sealedCard('5555555555554444', { card: { ...sealedCard('5555555555554444').card! } })
  expect(await authorize(orders, order(sellerId, { cards: [other] }))).toMatchObject({
    status: ChargeStatus.AUTHORIZED,
  })
  expect(await pay(await newSeller(orders), VISA)).toBe('paid')
  await orders.pool.query(
    "UPDATE payments SET denied_at = denied_at - interval '1 minute' WHERE seller_id = $1 AND denied_at IS NOT NULL",
    [sellerId],
  )
  const again = withKey('limited', () => authorize(orders, order(sellerId)))
  expect(await again).toMatchObject({ status: ChargeStatus.AUTHORIZED })
}, 120_000)

test('guesses among honest declines are stopped once they are half of the latest ones', async () => {
  const sellerId = await newSeller(orders)
  const answers: string[] = []
  // Every other decline is a guess.
  for (let tried = 0; tried < 25; tried += 1) {
    answers.push(await pay(sellerId, tried % 2 === 0 ? WITHOUT_MONEY : GUESSED))
  }
  expect(answers.indexOf('refused')).toBe(20)

  // One in four is what honest payers do: they mistype their cards too.
  const honest = await newSeller(orders)
  for (let tried = 0; tried < 60; tried += 1) {
    expect(await pay(honest, tried % 4 === 0 ? GUESSED : WITHOUT_MONEY)).toBe('declined')
  }
})
