import { callRpc } from '@cofre/platform/grpc/client'
import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { create, get, invoiceFor, newShop, voidInvoice } from '../support/invoices'
import { answerAsUsual, eventsSent, pay } from '../support/payments'
import { withKey } from '../support/repeated'
import {
  AGREEMENT,
  issue,
  issueAgain,
  look,
  slipOf,
  startBoletos,
  type TestBoletos,
} from '../support/start-boletos'

const { OPEN, CLOSED, PAID, CANCELLED } = InvoiceStatus
const { PENDING, REGISTERED } = BoletoStatus

let boletos: TestBoletos
let draft: Invoice
beforeAll(async () => {
  boletos = await startBoletos()
})
beforeEach(async () => {
  answerAsUsual(boletos)
  boletos.bank.slips.clear()
  boletos.bank.lie = {}
  const shop = await newShop(boletos)
  boletos.accounts.enabled.set(shop.sellerId, AGREEMENT)
  draft = await create(boletos, invoiceFor(shop))
})
afterAll(() => boletos.stop())

const seen = async () => [await get(boletos, draft), await eventsSent(boletos, draft)]
const refuses = () => boletos.bank.next('register', { status: 422, body: { erro: 'PAGADOR_INVALIDO' } })
const passDeadlines = () =>
  boletos.pool.query(
    "UPDATE boletos SET dispatch_deadline = now() - interval '1 second', ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL",
  )

test.each([
  ['for its data', refuses],
  ['by registering other digits than ours', () => (boletos.bank.lie = { codigoBarras: '0'.repeat(44) })],
])('a boleto that the bank refuses %s leaves the draft as it was, however often', async (_how, refuse) => {
  const before = await seen()
  for (let turn = 0; turn < 3; turn += 1) {
    refuse()
    const refused = withKey('refused', () => issue(boletos, draft))
    await expect(refused).rejects.toMatchObject({ reason: 'BOLETO_REFUSED' })
    expect(await seen()).toEqual(before)
  }
  boletos.bank.lie = {}
  const { response, replayed } = await withKey('refused', () => issueAgain(boletos, draft), 'another body')
  expect([response.boleto?.status, replayed]).toEqual([REGISTERED, false])
  expect(await eventsSent(boletos, draft)).toEqual(['invoice.created', 'invoice.finalized'])
  expect(await get(boletos, draft)).toMatchObject({ status: CLOSED, charge: { amount: 9_980 } })
})

test('a bank that is away leaves the draft as it was', async () => {
  const before = await seen()
  await boletos.bank.stop()
  await expect(issue(boletos, draft)).rejects.toMatchObject({ kind: 'unavailable' })
  await boletos.bank.start()
  expect(await seen()).toEqual(before)
})

test('ten requests for the boleto of a draft make one, and finalize it once', async () => {
  const issued = await Promise.all(Array.from({ length: 10 }, () => issue(boletos, draft)))
  expect(new Set(issued.map(({ boleto }) => boleto?.id)).size).toBe(1)
  expect(issued.filter(({ existing }) => !existing)).toHaveLength(1)
  expect(await eventsSent(boletos, draft)).toEqual(['invoice.created', 'invoice.finalized'])
  expect((await get(boletos, draft)).status).toBe(CLOSED)
})

test('a boleto without an answer of the bank finalizes the draft, and is read until it has one', async () => {
  boletos.bank.next('register', 'answer_lost')
  const { boleto } = await issue(boletos, draft)
  expect([boleto?.status, (await get(boletos, draft)).status]).toEqual([PENDING, CLOSED])
  await passDeadlines()
  await look(boletos)
  const { slips } = boletos
  const key = { sellerId: draft.sellerId, invoiceId: draft.id, boletoId: boleto?.id ?? 0 }
  expect(await callRpc(slips, slips.readBoleto, key)).toMatchObject({ status: REGISTERED })
})

/** Has the bank register the boleto, while the database takes no answer: as if the process had ended in between. */
async function loseTheProcess() {
  const name = `refuse_answers_to_${draft.id}`
  await boletos.pool.query(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
  )
  await boletos.pool.query(
    `CREATE TRIGGER ${name} BEFORE UPDATE ON boletos FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  )
  await expect(issue(boletos, draft)).rejects.toThrow()
  await boletos.pool.query(`DROP TRIGGER ${name} ON boletos`)
  expect(await get(boletos, draft)).toMatchObject({ status: OPEN, charge: undefined })
}

test('a draft whose process ended before the answer was saved is finalized once its boleto is found at the bank', async () => {
  await loseTheProcess()
  await passDeadlines()
  await look(boletos)
  const { rows } = await boletos.pool.query('SELECT public_id FROM boletos WHERE invoice_id = $1', [draft.id])
  expect(await slipOf(boletos, rows[0].public_id)).toMatchObject({ status: REGISTERED })
  expect((await get(boletos, draft)).status).toBe(CLOSED)
  expect(await eventsSent(boletos, draft)).toEqual(['invoice.created', 'invoice.finalized'])
})

test('a draft that was voided or paid before its boleto is found at the bank stays so', async () => {
  for (const [act, status] of [
    [voidInvoice, CANCELLED],
    [pay, PAID],
  ] as const) {
    const shop = await newShop(boletos)
    boletos.accounts.enabled.set(shop.sellerId, AGREEMENT)
    draft = await create(boletos, invoiceFor(shop))
    await loseTheProcess()
    await act(boletos, draft)
    await passDeadlines()
    await look(boletos)
    expect((await get(boletos, draft)).status).toBe(status)
  }
})

test('a draft is not replaced while the bank may have registered its boleto', async () => {
  await loseTheProcess()
  const { client } = boletos
  const { sellerId, id: invoiceId, customer, items } = draft
  const shop = { sellerId, customerId: customer?.id ?? 0, productId: items[0]?.productId ?? 0 }
  const request = { sellerId, invoiceId, invoice: invoiceFor(shop), updatedAt: undefined }
  const replaced = callRpc(client, client.replaceInvoice, request)
  await expect(replaced).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' })
})
