import type { Row } from '@cofre/platform/postgres/columns'
import type { Movement } from '../../src/invoice/rules/movement'
import { INVOICES, MOVEMENTS } from '../../src/invoice/store/invoice-columns'
import { readInvoice } from '../../src/invoice/store/invoice-store'
import { savingOf } from '../../src/invoice/store/saving-store'
import { create, finalize, invoiceFor, newShop } from '../support/invoices'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
afterAll(() => invoices.stop())

/** A text that JSON, SQL or an array of PostgreSQL would write in another way. */
const ODD = `D'Ávila "a\\b" {1,NULL} $1 %s\n\t`

/** Saves movements as one decision does, returns them as stored, without their ids, and undoes that. */
async function saved(key: { id: number; sellerId: number }, movements: readonly Movement[]): Promise<Row[]> {
  const invoice = INVOICES.toRow(await readInvoice(invoices.pool, key))
  const tx = await invoices.pool.connect()
  try {
    await tx.query('BEGIN')
    await tx.query(savingOf({ invoice, charge: undefined, movements: movements.map(MOVEMENTS.toRow) }))
    const text = 'SELECT row_to_json(t) AS row FROM movements t WHERE invoice_id = $1 ORDER BY t.id'
    const { rows } = await tx.query<{ row: Row }>(text, [key.id])
    return rows.map(({ row: { id: _id, ...row } }) => row)
  } finally {
    await tx.query('ROLLBACK')
    tx.release()
  }
}

test('a movement that is saved alone has the row that it has beside another', async () => {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  await finalize(invoices, invoice)
  const { id, sellerId } = invoice
  const movement: Movement = {
    id: 0,
    sellerId,
    invoiceId: id,
    kind: 'PAYMENT',
    method: 'EXTERNAL',
    amount: 103,
    principal: 100,
    fine: 2,
    interest: 1,
    fee: 0,
    at: 1_893_456_000_123,
    recordedAt: 1_893_456_000_456,
    transactionId: null,
    chargeId: Number.MAX_SAFE_INTEGER,
    receiptId: null,
    disputeId: null,
    card: { tid: ODD, nsu: '', authorizationCode: 'null', installments: 12 },
    reason: null,
    note: ODD,
    reference: 'null',
  }
  const [alone] = await saved(invoice, [movement])
  expect(alone).toMatchObject({ note: ODD, reference: 'null', amount: 103, card: { tid: ODD, nsu: '' } })
  expect(await saved(invoice, [movement, movement])).toEqual([alone, alone])
  expect(await saved(invoice, [])).toEqual([])
})
