import { InvoicesAdminClient, InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { callRpc } from '@cofre/platform/grpc/client'
import { UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import { PixStatus, type PixCharge } from '@cofre/proto/invoices/v1/pix'
import { receive } from '../../sandbox/src/pix/received/settle'
import { askBanks } from '../../services/invoices/src/dunning/ask-bank'
import { moveClock } from '../../services/invoices/src/clock/billing-clock'
import { DAY_MS, get, voidInvoice } from '../../services/invoices/test/support/invoices'
import { takenBack } from './refund'
import {
  ANA,
  atBank,
  issue,
  look,
  lookAtKeys,
  movementsOf,
  newInvoice,
  PIX_KEY,
  payAt,
  startPix,
  tell,
  unexpected,
  type TestPix,
} from './start-pix'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())
afterEach(() => {
  moveClock(0)
  pix.faults.clear()
})

const { PAID, CLOSED, CANCELLED } = InvoiceStatus
const { UNDERPAID, OVERPAID, ALREADY_PAID, INVOICE_VOIDED, UNKNOWN_PIX } = UnexpectedReason

async function issued(
  changes: Parameters<typeof newInvoice>[1] = {},
): Promise<{ invoice: Invoice; charge: PixCharge }> {
  const invoice = await newInvoice(pix, changes)
  return { invoice, charge: await issue(pix, invoice) }
}

const statusOf = async (invoice: Invoice) => (await get(pix, invoice)).status

/** The bank sends its notice, and the sweeper comes to it. */
const notify = async (charge: PixCharge) => {
  await tell(pix, [charge.txid])
  await look(pix)
}

test('a forged notice pays nothing; one with a wrong address is not found', async () => {
  const { invoice, charge } = await issued()
  await notify(charge)
  expect(await statusOf(invoice)).toBe(CLOSED)
  await expect(tell(pix, [charge.txid], 'a-token-that-nobody-has-12345')).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test('a notice that comes while the charge is looked at has it looked at again', async () => {
  const { invoice, charge } = await issued()
  await tell(pix, [charge.txid])
  const { rows } = await pix.pool.query<{ version: number }>(
    'SELECT version FROM pix_charges WHERE txid = $1',
    [charge.txid],
  )
  await look(pix)
  payAt(pix, charge)
  await notify(charge)
  expect(rows[0]?.version).toBeGreaterThan(1)
  expect(await statusOf(invoice)).toBe(PAID)
})

test('paid twice: the second Pix waits for a person; each is taken once, however often it is reported', async () => {
  const { invoice, charge } = await issued()
  payAt(pix, charge)
  await notify(charge)
  payAt(pix, charge, { forced: true })
  await notify(charge)
  await notify(charge)
  await lookAtKeys(pix)
  expect(await unexpected(pix, invoice)).toMatchObject([
    { reason: ALREADY_PAID, unexpectedAmount: 9_980, pixId: charge.id, txid: charge.txid },
  ])
  expect(await movementsOf(pix, invoice)).toHaveLength(1)
})

test('too little waits for a person, and another charge can be issued', async () => {
  const { invoice, charge } = await issued()
  payAt(pix, charge, { amountInCents: 5_000, forced: true })
  await notify(charge)
  expect(await statusOf(invoice)).toBe(CLOSED)
  expect(await unexpected(pix, invoice)).toMatchObject([{ reason: UNDERPAID, unexpectedAmount: 5_000 }])
  expect((await issue(pix, invoice)).txid).not.toBe(charge.txid)
})

test('a part is taken where the invoice takes parts: the next charge asks for the rest', async () => {
  const { invoice, charge } = await issued({ partialPayments: true })
  payAt(pix, charge, { amountInCents: 5_000, forced: true })
  await notify(charge)
  expect(await get(pix, invoice)).toMatchObject({ status: CLOSED, paidAmount: 5_000 })
  expect(await issue(pix, invoice)).toMatchObject({ amount: 4_980, status: PixStatus.REGISTERED })
})

test('too much: the invoice takes what it asked for', async () => {
  const { invoice, charge } = await issued()
  payAt(pix, charge, { amountInCents: 10_000, forced: true })
  await notify(charge)
  expect(await statusOf(invoice)).toBe(PAID)
  expect(await unexpected(pix, invoice)).toMatchObject([{ reason: OVERPAID, unexpectedAmount: 20 }])
})

test('money after a withdrawal waits for a person', async () => {
  const { invoice, charge } = await issued()
  await voidInvoice(pix, invoice)
  await look(pix)
  expect(atBank(pix, charge).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  payAt(pix, charge, { forced: true })
  await notify(charge)
  expect(await statusOf(invoice)).toBe(CANCELLED)
  expect(await unexpected(pix, invoice)).toMatchObject([{ reason: INVOICE_VOIDED }])
})

test('paid while the charge is withdrawn: the money is seen, and the withdrawal ends', async () => {
  const { invoice, charge } = await issued()
  payAt(pix, charge)
  await voidInvoice(pix, invoice)
  await look(pix)
  expect(await unexpected(pix, invoice)).toMatchObject([{ reason: INVOICE_VOIDED }])
  const { rows } = await pix.pool.query('SELECT withdrawing FROM pix_charges WHERE txid = $1', [charge.txid])
  expect(rows).toEqual([{ withdrawing: false }])
})

test('the list of a day brings what no notice reported, and money for the key alone', async () => {
  const { invoice, charge } = await issued()
  const { client } = atBank(pix, charge)
  payAt(pix, charge)
  const stray = receive(pix.bank, { client, key: PIX_KEY }, { amount: 700, payer: ANA, at: Date.now() })
  moveClock(2 * DAY_MS)
  await lookAtKeys(pix)
  expect(await statusOf(invoice)).toBe(PAID)
  const ours = await unexpected(pix, invoice)
  expect(ours.filter(({ reason }) => reason === UNKNOWN_PIX)).toMatchObject([
    { bankReceiptId: stray.endToEndId, receivedAmount: 700, txid: '', payer: { name: ANA.name } },
  ])
})

test('money from before the first charge of a key, and money for other keys, is not listed as a receipt', async () => {
  const { invoice, charge } = await issued()
  const { client } = atBank(pix, charge)
  const { rows } = await pix.pool.query<{ since: number }>(
    'SELECT (extract(epoch FROM used_since) * 1000)::float8 AS since FROM pix_accounts WHERE account = $1',
    [PIX_KEY],
  )
  const since = rows[0]?.since ?? 0
  const earlier = receive(pix.bank, { client, key: PIX_KEY }, { amount: 900, payer: ANA, at: since - 60_000 })
  const returned = receive(
    pix.bank,
    { client, key: PIX_KEY },
    { amount: 800, payer: ANA, at: since - 60 * DAY_MS },
  )
  takenBack(pix, returned.endToEndId, { amount: 100 })
  receive(pix.bank, { client, key: 'loja@example.com' }, { amount: 700, payer: ANA, at: Date.now() })
  const ours = receive(pix.bank, { client, key: PIX_KEY }, { amount: 600, payer: ANA, at: Date.now() })
  await pix.pool.query("UPDATE pix_accounts SET ask_at = now() - interval '1 second', known_until = $1", [
    new Date(earlier.at),
  ])
  await lookAtKeys(pix)
  expect(await unexpected(pix, invoice)).toMatchObject([{ bankReceiptId: ours.endToEndId }])
})

test('a Pix that the bank lists for a later key of the seller too is the same one, with what went back of it', async () => {
  const { invoice, charge } = await issued()
  const { endToEndId } = payAt(pix, charge)
  await notify(charge)
  takenBack(pix, endToEndId, { amount: 100 })
  // A bank that does not name the key.
  const paid = pix.bank.received.get(endToEndId)
  if (paid) pix.bank.received.save({ ...paid, key: undefined })
  await pix.pool.query(
    `INSERT INTO pix_accounts (account, seller_id, token, used_since, known_until, ask_at)
     VALUES ($1, $2, $1, now() - interval '1 day', now() - interval '1 hour', now() - interval '1 second')`,
    ['a-later-key', invoice.sellerId],
  )
  await lookAtKeys(pix)
  await pix.pool.query("DELETE FROM pix_accounts WHERE account = 'a-later-key'")
  const { rows } = await pix.pool.query('SELECT account FROM receipts WHERE bank_id = $1', [endToEndId])
  expect(rows).toEqual([{ account: PIX_KEY }])
  expect(await get(pix, invoice)).toMatchObject({ paidAmount: 9_980, refundedAmount: 100 })
})

test('before a card is charged, the bank is asked about the charge, and its money is taken', async () => {
  const { invoice, charge } = await issued()
  payAt(pix, charge)
  expect(await askBanks(pix.deps, invoice.id)).toBe('answered')
  expect(await statusOf(invoice)).toBe(PAID)
  const open = await issued()
  const asked = { partner: 'PIX_BANK', kind: 'HTTP_500', times: 1, delayMs: 0 } as const
  pix.faults.add({ ...asked, changes: false, queries: true })
  // The call for a token is a query too: it comes first.
  pix.faults.add({ ...asked, changes: false, queries: true })
  expect(await askBanks(pix.deps, open.invoice.id)).toBe('silent')
})

test('an operator has the webhook of a key registered again, and hears what the bank had', async () => {
  const { sellerId } = await newInvoice(pix)
  const admin = await pix.network.clientOf(InvoicesAdminClient, pix.address, 'cofrectl')
  const registerFor = (seller: number) => callRpc(admin, admin.registerPixWebhook, { sellerId: seller })
  const ours = 'https://pay.example.com/partners/pix/…'
  const put = (url: string | undefined) => {
    for (const webhook of pix.bank.webhooks.all()) pix.bank.webhooks.save({ ...webhook, url })
  }
  await registerFor(sellerId)
  expect(await registerFor(sellerId)).toEqual({ account: PIX_KEY, before: ours, after: ours })
  put('https://other.example.com/hook/of-a-secret')
  expect(await registerFor(sellerId)).toMatchObject({ before: 'https://other.example.com/…', after: ours })
  put(undefined)
  expect(await registerFor(sellerId)).toMatchObject({ before: 'NONE', after: ours })
  await expect(registerFor(987_654_321)).rejects.toMatchObject({ kind: 'not_found' })
  pix.faults.add({
    partner: 'PIX_BANK',
    kind: 'NOT_REACHED',
    times: 1,
    delayMs: 0,
    changes: true,
    queries: false,
  })
  await expect(registerFor(sellerId)).rejects.toMatchObject({ kind: 'unavailable' })
})

test('the webhook of a key is registered with its first charge, and put back when it is gone', async () => {
  await issued()
  const urlOf = () => pix.bank.webhooks.all().find(({ key }) => key === PIX_KEY)?.url
  await pix.pool.query("UPDATE pix_accounts SET ask_at = now() - interval '1 minute'")
  await lookAtKeys(pix)
  expect(urlOf()).toMatch(/^https:\/\/pay\.example\.com\/partners\/pix\/[\w-]{44}$/)
  for (const webhook of pix.bank.webhooks.all()) pix.bank.webhooks.save({ ...webhook, url: undefined })
  moveClock(2 * DAY_MS)
  await lookAtKeys(pix)
  expect(urlOf()).toMatch(/\/partners\/pix\//)
})
