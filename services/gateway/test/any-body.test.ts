import { assert, asyncProperty, constantFrom, json, jsonValue, nat, oneof, record } from 'fast-check'
import { card, directCharge, order, voucherCard, voucherPayment } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

/** The number of bodies that are tried on each route. ANY_BODY_RUNS=1000 is the long form. */
const RUNS = Number(process.env['ANY_BODY_RUNS'] ?? 40)

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  await gateway.call('POST', '/api/v2/orders/credit-card/authorize', { body: order() })
})
afterAll(() => gateway.stop())

type Place = { holder: Record<string, unknown>; name: string }

/** Returns every member of a body, at any depth. */
function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesOf(holder[name])])
}

const strange = oneof(
  jsonValue({ maxDepth: 3 }),
  constantFrom('\0', '\uD800', '__proto__', 1e21, -0, 2 ** 53, '9'.repeat(300), [[[[]]]], { toString: 1 }),
)
const whole = order({
  orderReference: 'A',
  metadata: { a: 1 },
  customer: { ...order().customer, address: { state: 'SP' } },
})
const ROUTES: [string, string, object][] = [
  ['POST', '/api/v2/cards/tokens', card],
  ['POST', '/api/v2/orders/credit-card/authorize', whole],
  [
    'POST',
    '/api/v2/orders/credit-card/charge',
    directCharge({ notificationUrl: 'https://a.com', affiliateId: 1 }),
  ],
  ['POST', '/api/v2/sellers/1/vouchers/tokens', voucherCard],
  ['POST', '/api/v2/sellers/1/vouchers/payments', voucherPayment('a'.repeat(64))],
  ['POST', '/api/v2/charges/1/refund', { amount: 1, reason: 'x' }],
  ['PUT', '/api/v2/charges/1/metadata', { a: 1, b: '2' }],
]

test.each(ROUTES)(
  '%s %s with any value at any place is accepted or refused, and never fails on our side',
  async (method, path, good) => {
    const oneStrange = record({ at: nat(), value: strange })
    await assert(
      asyncProperty(oneStrange, async ({ at, value }) => {
        const body = structuredClone(good)
        const places = placesOf(body)
        const place = places[at % places.length]
        if (place) place.holder[place.name] = value
        const { status } = await gateway.call(method, path, {
          body,
          headers: { 'idempotency-key': `${path}${at}` },
        })
        expect([200, 201, 400, 422]).toContain(status)
      }),
      { numRuns: RUNS },
    )
  },
)

test('a refused request may be sent again with its key', async () => {
  const again = () =>
    gateway.call('POST', '/api/v2/sellers/1/vouchers/payments', {
      body: voucherPayment('b'.repeat(64)),
      headers: { 'idempotency-key': 'refused' },
    })
  const statuses = [(await again()).status, (await again()).status]
  expect(statuses).toEqual([422, 422])
})

test('any JSON is accepted or refused', async () => {
  await assert(
    asyncProperty(json(), constantFrom(...ROUTES), async (raw, [method, path]) => {
      const { status } = await gateway.call(method, path, {
        raw,
        headers: { 'content-type': 'application/json' },
      })
      expect([200, 201, 400]).toContain(status)
    }),
    { numRuns: RUNS },
  )
})
