import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@cofre/platform/postgres/migrate'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import { findExpired } from '../src/charge-store/charge-schedule-store'
import { readCharge } from '../src/charge-store/charge-store'

const MIGRATIONS = join(__dirname, '../migrations')
let before: string
let database: TestDatabase

/** Charges as the older version stored them: one authorized, one declined after it was sent again. */
beforeAll(async () => {
  before = mkdtempSync(join(tmpdir(), 'cofre-migrations-'))
  for (const name of readdirSync(MIGRATIONS).filter((each) => !/^\d/.test(each) || each < '006')) {
    cpSync(join(MIGRATIONS, name), join(before, name))
  }
  database = await createTestDatabase(before)
  await database.pool.query(`
    INSERT INTO establishments (seller_id, merchant_id, merchant_key, network_tokens) VALUES (7, 'm', '', false);
    INSERT INTO charges (seller_id, establishment_id, status, direct, amount, authorized_amount, captured_amount,
      refunded_amount, refund_reserved, metadata, version, sequence, created_at, updated_at)
    SELECT 7, 1, status::charge_status, false, 100, authorized, 0, 0, 0, '{}', 2, 1, '2026-01-01', '2026-01-01'
    FROM (VALUES ('authorized', 100), ('denied', 0)) AS v(status, authorized);
    INSERT INTO payments (charge_id, position, seller_id, order_number, amount, installments, status, captured_amount,
      refunded_amount, bin, last_four, brand, expiration_year, expiration_month, holder_name, card_source,
      acquirer_payment_id, tid, nsu, authorization_code, return_code, decline_code, decline_acquirer_code,
      decline_message, decline_retryable, decline_advice, denied_at)
    SELECT id, 0, 7, 'ORDER' || id, 100, 1, status, 0, 0, '411111', '1111', 'VISA', 2049, 12, 'ANA', 'card_token',
      '', '', '', '', '', code, acquirer_code, message, retryable, advice, at
    FROM charges LEFT JOIN (VALUES (2, 'DO_NOT_HONOR', '5', '', true, 'TRY_LATER', now())) AS declined(charge, code,
      acquirer_code, message, retryable, advice, at) ON charge = id;
    INSERT INTO transactions (charge_id, id, position, type, status, cause, amount, operation_id, created_at, attempt)
    VALUES (1, 1, 0, 'authorization', 'succeeded', 'request', 100, gen_random_uuid(), now(), NULL),
      (2, 1, 0, 'authorization', 'failed', 'request', 100, gen_random_uuid(), now(),
        '{"orderNumber": "FIRST", "source": "network_token", "returnCode": "57"}'),
      (2, 2, 0, 'authorization', 'failed', 'request', 100, gen_random_uuid(), now(), NULL);`)
  await migrate(database.pool, MIGRATIONS)
})
afterAll(async () => {
  await database.drop()
  rmSync(before, { recursive: true })
})

const read = async (id: number) => (await readCharge(database.pool, { sellerId: 7, id })).charge

test('an upgrade turns the stored statuses into the names of the contract', async () => {
  expect(await read(1)).toMatchObject({
    status: 'AUTHORIZED',
    payments: [{ status: 'AUTHORIZED', card: { source: 'CARD_TOKEN' }, decline: null }],
    transactions: [{ type: 'AUTHORIZATION', status: 'SUCCEEDED', cause: 'REQUEST', attempt: null }],
  })
  expect(await read(2)).toMatchObject({
    status: 'DENIED',
    payments: [
      { status: 'DENIED', decline: { code: 'DO_NOT_HONOR', acquirerCode: '5', advice: 'TRY_LATER' } },
    ],
    transactions: [
      { attempt: { orderNumber: 'FIRST', source: 'NETWORK_TOKEN', returnCode: '57' } },
      { attempt: null },
    ],
  })
})

test('indexes and CHECKs hold for them as before', async () => {
  expect(await findExpired(database.pool, Date.parse('2026-01-02'), 10)).toEqual([{ sellerId: 7, id: 1 }])
  const twice = `INSERT INTO transactions SELECT charge_id, 9, position, type, status, cause, amount, operation_id,
    dispatch_deadline, reason, created_at FROM transactions WHERE charge_id = 1`
  await expect(database.pool.query(twice)).rejects.toThrow('transactions_one_authorization')
  const unasked = "UPDATE charges SET status = 'PENDING', authorized_amount = 0 WHERE id = 1"
  await expect(database.pool.query(unasked)).rejects.toThrow('charges_whole')
})
