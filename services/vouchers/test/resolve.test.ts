import { VoucherPaymentStatus, type VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { eventsOf, passDeadlines, resolved, resolvePayments } from './support/resolving'
import { cancel, get, newToken, pay, paymentWith, type Brand } from './support/vouchers'

// No test here lasts so long.
const GRACE_MS = 120_000

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers({ absenceGraceMs: GRACE_MS })
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => vouchers.stop())

const { PENDING, PAID, DENIED, CANCELED } = VoucherPaymentStatus
const BRANDS = ['ALELO', 'VR'] as const
/** A payment whose answer is lost. */
const lost = async (brand: Brand = 'ALELO', fault: 'answer_lost' | 'lost_undone' = 'answer_lost') => {
  vouchers.issuer.fail('pay', fault)
  return pay(vouchers, paymentWith(await newToken(vouchers, newSeller(vouchers), brand)))
}
const atIssuer = (payment: VoucherPayment) => vouchers.issuer.paymentOf(payment)
/** Lets the sweeper ask some more times, and expects the payment to stay as it was. */
const staysAsItIs = async (payment: VoucherPayment) => {
  const asked = vouchers.issuer.queriesAbout(payment)
  await resolved(vouchers, payment, () =>
    expect(vouchers.issuer.queriesAbout(payment)).toBeGreaterThan(asked + 2),
  )
  expect(await get(vouchers, payment)).toEqual(payment)
}

test.each([
  ['ALELO', '51', 'INSUFFICIENT_FUNDS'],
  ['VR', '112', 'CARD_NOT_UNLOCKED'],
] as const)('a %s payment found declined (%s) is denied with its reason', async (brand, code, name) => {
  const payment = await lost(brand)
  Object.assign(atIssuer(payment), { state: 'declined', code })
  const done = await resolved(vouchers, payment, ({ status }) => expect(status).toBe(DENIED))
  expect(done).toMatchObject({ authorizationCode: '', decline: { code: name, issuerCode: code } })
  expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.denied'])
})

test.each(BRANDS)('%s: absence proves nothing until the call can no longer arrive', async (brand) => {
  const payment = await lost(brand, 'lost_undone')
  await staysAsItIs(payment)
  await passDeadlines(vouchers, payment, 1_000)
  await staysAsItIs(payment)
  await passDeadlines(vouchers, payment, GRACE_MS + 1_000)
  const done = await resolved(vouchers, payment, ({ status }) => expect(status).toBe(DENIED))
  expect(done.decline).toMatchObject({ code: 'NOT_PROCESSED', issuerCode: '' })
})

test.each(BRANDS)(
  '%s: a payment of another amount under our number is not ours, and is reported',
  async (brand) => {
    const told = jest.spyOn(vouchers.deps.log, 'error')
    const payment = await lost(brand)
    atIssuer(payment).amount += 1
    await staysAsItIs(payment)
    const violation = { paymentId: payment.id, invariant: 'issuer-agrees' }
    expect(told).toHaveBeenCalledWith(violation, 'invariant violated')
    atIssuer(payment).amount -= 1
    await resolved(vouchers, payment, ({ status }) => expect(status).toBe(PAID))
  },
)

test('a payment found canceled without our request stays pending and is reported', async () => {
  const told = jest.spyOn(vouchers.deps.log, 'error')
  const payment = await lost()
  atIssuer(payment).state = 'canceled'
  await staysAsItIs(payment)
  expect(told).toHaveBeenCalledWith(
    expect.objectContaining({ invariant: 'issuer-agrees' }),
    expect.anything(),
  )
  atIssuer(payment).state = 'approved'
  await resolved(vouchers, payment, ({ status }) => expect(status).toBe(PAID))
})

test.each([
  ['500', { status: 500, body: {} }],
  ['garbage', { status: 200, body: 'garbage' }],
  ['401', { status: 401, body: {} }],
  ['404 of a proxy', { status: 404, body: '<h1>Not Found</h1>' }],
  ['404 that says something else', { status: 404, body: { error: 'NO_ROUTE', codigo: 'SEM_ROTA' } }],
])('a query answered with %s proves nothing, even after the grace', async (_name, reply) => {
  for (const brand of BRANDS) {
    const payment = await lost(brand, 'lost_undone')
    await passDeadlines(vouchers, payment)
    vouchers.issuer.fail('query', reply)
    await resolvePayments(vouchers.deps)
    expect(vouchers.issuer.queriesAbout(payment)).toBe(1)
    expect((await get(vouchers, payment)).status).toBe(PENDING)
    await resolved(vouchers, payment, ({ status }) => expect(status).toBe(DENIED))
  }
})

test('a query that is not answered is asked again, each time after a longer wait', async () => {
  const patient = await vouchers.startReplica(undefined, { resolveFirstMs: 60_000, resolveMaxMs: 3_600_000 })
  const payment = await lost()
  vouchers.issuer.fail('query', 'answer_lost', 'http_500')
  const waits: number[] = []
  for (let turn = 0; turn < 2; turn += 1) {
    await passDeadlines(vouchers, payment, 1_000)
    const before = Date.now()
    await resolvePayments(patient.deps)
    const { rows } = await vouchers.pool.query('SELECT ask_at FROM payments WHERE id = $1', [payment.id])
    waits.push(Math.round((rows[0].ask_at.getTime() - before) / 60_000))
  }
  expect(waits).toEqual([2, 4])
  await passDeadlines(vouchers, payment, 1_000)
  await resolved(vouchers, payment, ({ status }) => expect(status).toBe(PAID))
  // The issuer is asked about the payment's next operation after a short wait again.
  const { rows } = await vouchers.pool.query('SELECT asks FROM payments WHERE id = $1', [payment.id])
  expect(rows).toEqual([{ asks: 0 }])
})

test('two sweepers at once ask about a payment once', async () => {
  const payment = await lost()
  const other = await vouchers.startReplica()
  await vouchers.pool.query('UPDATE payments SET ask_at = created_at WHERE id = $1', [payment.id])
  await Promise.all([resolvePayments(vouchers.deps), resolvePayments(other.deps)])
  expect(vouchers.issuer.queriesAbout(payment)).toBe(1)
  expect((await get(vouchers, payment)).status).toBe(PAID)
})

test('a payment of a brand that left the settings stays pending until the brand is back', async () => {
  const payment = await lost('VR')
  const { deps } = await vouchers.startReplica()
  deps.issuers = new Map([...deps.issuers].filter(([brand]) => brand !== 'VR'))
  await passDeadlines(vouchers, payment, 1_000)
  expect(await resolvePayments(deps)).toBe(1)
  expect((await get(vouchers, payment)).status).toBe(PENDING)
  expect(vouchers.issuer.queriesAbout(payment)).toBe(0)
  await resolved(vouchers, payment, ({ status }) => expect(status).toBe(PAID))
})

test('one payment that can not be resolved does not keep the others waiting', async () => {
  const told = jest.spyOn(vouchers.deps.log, 'error')
  const [broken, sound] = [await lost(), await lost()]
  // PostgreSQL refuses the outcome of the one payment.
  const refused = `ADD CONSTRAINT refused CHECK (id <> ${broken.id} OR status = 'PENDING')`
  await vouchers.pool.query(`ALTER TABLE payments ${refused}`)
  await passDeadlines(vouchers, broken, 1_000)
  await passDeadlines(vouchers, sound, 1_000)
  expect(await resolvePayments(vouchers.deps)).toBe(2)
  expect(told).toHaveBeenCalledTimes(1)
  expect(told).toHaveBeenCalledWith(
    { paymentId: broken.id, err: expect.objectContaining({ constraint: 'refused' }) },
    'voucher payment not resolved',
  )
  expect((await get(vouchers, sound)).status).toBe(PAID)
  expect((await get(vouchers, broken)).status).toBe(PENDING)
  await vouchers.pool.query('ALTER TABLE payments DROP CONSTRAINT refused')
  await resolved(vouchers, broken, ({ status }) => expect(status).toBe(PAID))
})

test('a cancellation of a payment that the issuer declares declined stays pending and is reported', async () => {
  const told = jest.spyOn(vouchers.deps.log, 'error')
  const token = await newToken(vouchers, newSeller(vouchers))
  const payment = await pay(vouchers, paymentWith(token))
  vouchers.issuer.fail('cancel', 'lost_undone')
  const pending = await cancel(vouchers, payment)
  atIssuer(payment).state = 'declined'
  await staysAsItIs(pending)
  expect(told).toHaveBeenCalledWith(
    expect.objectContaining({ invariant: 'issuer-agrees' }),
    expect.anything(),
  )
  atIssuer(payment).state = 'canceled'
  await resolved(vouchers, payment, ({ status }) => expect(status).toBe(CANCELED))
})
