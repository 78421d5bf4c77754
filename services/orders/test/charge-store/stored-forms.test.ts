import { randomUUID } from 'node:crypto'
import { NO_MARKS } from '@cofre/platform/idempotency/mark'
import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import type { Charge, Payment, Transaction } from '../../src/charge/charge'
import { readCharge, saveCharge } from '../../src/charge-store/charge-store'
import { insertCharge } from '../../src/charge-store/new-charge-store'
import { authorize, order, VISA } from '../support/orders'
import { newSeller, startOrders, type TestOrders } from '../support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

const AT = 1_893_456_000_123
/** Texts that JSON, SQL or an array of PostgreSQL would write in another way. */
const ODD = `D'Ávila "a\\b" {1,NULL} $1 %s 💳\n\t`

const METADATA = { z: [1, null, { text: ODD }], a: 0.1, '': true, null: 'null' }

function oddPayment(payment: Payment): Payment {
  const reference = { ...payment.reference, tid: ODD, nsu: '', returnCode: 'null' }
  const authentication = { eci: '05', version: ODD, valueHash: randomUUID() }
  const card = payment.card && { ...payment.card, holderName: ODD }
  return {
    ...payment,
    orderNumber: randomUUID(),
    reference,
    authentication,
    card,
    dueDate: AT,
  }
}

function oddTransaction(transaction: Transaction, nth: number): Transaction {
  const attempt = { orderNumber: ODD, source: 'CARD' as const, returnCode: '' }
  const resolution = { by: ODD, reason: '', at: AT }
  return { ...transaction, reason: ODD, attempt, resolution, dispatchDeadline: AT + nth, createdAt: AT }
}

async function drafted(cards: string[]): Promise<Charge> {
  const { id, sellerId, status } = await authorize(orders, order(await newSeller(orders), { cards }))
  expect(status).toBe(ChargeStatus.AUTHORIZED)
  const { charge } = await readCharge(orders.pool, { id, sellerId })
  const payments = charge.payments.map(oddPayment)
  const transactions = charge.transactions.map(oddTransaction)
  const orderOf = { orderReference: ODD, externalReference: Number.MAX_SAFE_INTEGER, notificationUrl: null }
  const times = { createdAt: AT, updatedAt: AT, lookAgainAt: AT + 1, absentSince: null }
  return { ...charge, ...orderOf, ...times, metadata: METADATA, payments, transactions }
}

/** Stores a draft as one acquirer would be sent it, or as two could be: only the first has a parameter for each value. */
async function stored(draft: Charge, acquirers: 1 | 2): Promise<Charge> {
  const payments = draft.payments.map((payment) => oddPayment(payment))
  const drafts = Array.from({ length: acquirers }, () => ({
    charge: { ...draft, payments },
    refusal: undefined,
  }))
  const { sellerId } = draft
  const inserted = await insertCharge(
    orders.pool,
    drafts,
    { sellerId, operationId: randomUUID(), key: undefined },
    {
      at: AT,
      direct: false,
      exemptFromTestingGuard: true,
      credentials: [null],
      bins: [VISA.slice(0, 6)],
      affiliateId: undefined,
      merchantId: undefined,
      refusal: undefined,
      testing: { guesses: 10, sharePercent: 50 },
    },
  )
  if ('replayed' in inserted) throw new Error('it was not stored')
  const { charge } = await readCharge(orders.pool, { sellerId, id: inserted.charge.id })
  expect(charge).toEqual({ ...draft, id: charge.id, payments })
  return charge
}

/** The rows of a charge, but what names it, and moments that the database writes. */
async function rowsOf({ id }: Charge): Promise<unknown> {
  const { rows } = await orders.pool.query(
    `SELECT to_jsonb(c) - '{id,compare_at,version,sequence}'::text[] AS charge, c.metadata::text AS metadata,
      ARRAY(SELECT to_jsonb(p) - '{charge_id,order_number,authentication_value_hash}'::text[] FROM payments p
        WHERE p.charge_id = c.id ORDER BY position) AS payments,
      ARRAY(SELECT to_jsonb(t) - 'charge_id' FROM transactions t WHERE t.charge_id = c.id ORDER BY id) AS transactions,
      ARRAY(SELECT attempt || ' ' || resolution FROM transactions t WHERE t.charge_id = c.id ORDER BY id) AS texts
      FROM charges c WHERE id = $1`,
    [id],
  )
  return rows[0]
}

test('a charge is stored the same, whether its values come one by one or as JSON', async () => {
  const draft = await drafted([VISA])
  expect(await rowsOf(await stored(draft, 1))).toEqual(await rowsOf(await stored(draft, 2)))
})

test('a change is saved the same, whether its values come one by one or as JSON', async () => {
  const draft = await drafted([VISA, VISA])
  const change = (before: Charge, positions: readonly number[]): Charge => ({
    ...before,
    version: before.version + 1,
    updatedAt: AT + 60_000,
    askAt: null,
    metadata: { '"': ODD },
    payments: before.payments.map((payment) =>
      positions.includes(payment.position)
        ? { ...payment, reference: { ...payment.reference, nsu: ODD, tid: '' } }
        : payment,
    ),
    transactions: before.transactions.map((each) =>
      positions.includes(each.position)
        ? { ...each, reason: null, resolution: null, operationId: UUID }
        : each,
    ),
  })
  const save = async (before: Charge, positions: readonly number[]) => {
    const charge = change(before, positions)
    const decision = { before, charge, events: [], marks: NO_MARKS }
    expect(await saveCharge(orders.pool, decision)).toMatchObject({ charge })
    expect((await readCharge(orders.pool, charge)).charge).toEqual(charge)
    // The version that it was decided on is gone: nothing is saved again.
    expect(await saveCharge(orders.pool, decision)).toBeUndefined()
    return charge
  }
  const [one, other] = [await stored(draft, 1), await stored(draft, 1)]
  const oneByOne = await save(await save(one, [0]), [1])
  const atOnce = await save(other, [0, 1])
  expect(await rowsOf(oneByOne)).toEqual(await rowsOf(atOnce))
})

const UUID = randomUUID()
