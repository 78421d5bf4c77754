import { join } from 'node:path'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { VouchersClient, VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { cancel, get, newToken, pay, paymentWith, withKey } from './support/vouchers'

const { PAID, CANCELED } = VoucherPaymentStatus

let vouchers: TestVouchers
let events: TestDatabase
let program: ServiceProgram

beforeAll(async () => {
  vouchers = await startVouchers()
  events = await createTestDatabase()
  const tls = await vouchers.network.tlsFor('vouchers')
  const settings = {
    DATABASE_URL: vouchers.url,
    EVENT_LOG_URL: events.url,
    VAULT_ADDRESS: vouchers.vaultAddress,
    BASE_URL: 'https://pay.example.com',
    ISSUER_TIMEOUT_MS: '10000',
    RESOLVE_FIRST_MS: '50',
    RESOLVE_MAX_MS: '200',
    ABSENCE_GRACE_MS: '100',
  }
  program = serviceProgram(join(__dirname, '../dist/main.js'), { tls, settings })
})
afterAll(async () => {
  await program.remove()
  await vouchers.stop()
  await events.drop()
})

async function clientOf(port: number): Promise<Pick<TestVouchers, 'client'>> {
  return { client: await vouchers.network.clientOf(VouchersClient, `127.0.0.1:${port}`, 'gateway') }
}

test('the migrate argument applies the migrations and ends', async () => {
  const empty = await createTestDatabase()
  expect(await program.start(['migrate'], { DATABASE_URL: empty.url }).exited).toBe(0)
  await empty.pool.query('SELECT FROM payments')
  await empty.drop()
})

test.each([
  [{ VAULT_ADDRESS: '' }, 'VAULT_ADDRESS is invalid'],
  [{ DECLINES_PER_MINUTE: '0' }, 'DECLINES_PER_MINUTE is invalid'],
  [{ VOUCHER_BRANDS: '{"BEN":{}}' }, 'VOUCHER_BRANDS is invalid at BEN.flow'],
] as const)('a bad setting is fatal and is named: %j', async (changes: Record<string, string>, words) => {
  const { exited, stderr } = program.start([], changes)
  expect(await exited).toBe(1)
  expect(stderr()).toContain(words)
})

test('a process killed while the issuer holds its call finds the payment again and sends its event', async () => {
  const first = program.start()
  const sellerId = newSeller(vouchers)
  const dying = await clientOf(await first.serving)
  const request = paymentWith(await newToken(dying, sellerId))
  vouchers.issuer.fail('pay', 'hang')
  const lost = withKey('killed', () => pay(dying, request)).catch((error: unknown) => error)
  await vouchers.issuer.whenHeld()
  first.kill('SIGKILL')
  await first.exited
  expect(await lost).toBeInstanceOf(Error)
  vouchers.issuer.release()

  const second = program.start()
  const living = await clientOf(await second.serving)
  const { rows } = await vouchers.pool.query('SELECT id FROM payments WHERE seller_id = $1', [sellerId])
  expect(rows).toHaveLength(1)
  const payment = { id: rows[0].id, sellerId }
  const paid = await eventually(async () => {
    const found = await get(living, payment)
    expect(found.status).toBe(PAID)
    return found
  })
  expect(await eventually(() => withKey('killed', () => pay(living, request)))).toEqual(paid)
  expect(vouchers.issuer.ofOrder(paid.orderNumber)).toHaveLength(1)
  await eventually(async () => {
    const told = await events.pool.query('SELECT type FROM event_log WHERE key = $1', [String(payment.id)])
    expect(told.rows).toEqual([{ type: 'voucher_payment.paid' }])
  })
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
})

test('a process that is asked to stop finishes its running calls', async () => {
  const running = program.start()
  const client = await clientOf(await running.serving)
  const payment = await pay(client, paymentWith(await newToken(client, newSeller(vouchers))))
  vouchers.issuer.fail('cancel', 'late')
  const canceling = cancel(client, payment)
  await vouchers.issuer.whenHeld()
  running.kill('SIGTERM')
  vouchers.issuer.release()
  expect(await canceling).toMatchObject({ status: CANCELED })
  expect(await running.exited).toBe(0)
})
