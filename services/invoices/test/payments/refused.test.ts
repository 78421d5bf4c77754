import { DomainError } from '@cofre/platform/errors'
import { InvoiceStatus, InvoiceTransactionStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import {
  create,
  finalize,
  get,
  invoiceFor,
  latestCharge,
  newShop,
  uncollectible,
  type Shop,
} from '../support/invoices'
import { answerAsUsual, declines, eventsSent, PAN, pay, payAgain, resolveLater } from '../support/payments'
import { withKey } from '../support/repeated'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { CLOSED, PAID } = InvoiceStatus
const { SUCCEEDED, FAILED } = InvoiceTransactionStatus

let invoices: TestInvoices
let shop: Shop
let invoice: Invoice
beforeAll(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
})
beforeEach(async () => {
  answerAsUsual(invoices)
  invoice = await create(invoices, invoiceFor(shop))
})
afterAll(() => invoices.stop())

/** Makes the orders service refuse each request until `answerAsUsual`. */
function refuse(refusal: DomainError): void {
  invoices.behind.orders.hooks.before = async () => {
    throw refusal
  }
}

/** Holds the orders service until `go`, and then has it refuse. */
function refuseLater(refusal: DomainError) {
  let go = () => {}
  const until = new Promise<void>((resolve) => (go = resolve))
  let arrived = () => {}
  const isThere = new Promise<void>((resolve) => (arrived = resolve))
  invoices.behind.orders.hooks.before = async () => {
    arrived()
    await until
    throw refusal
  }
  return { go: () => go(), isThere }
}

const refusalFor = (reason: 'CARD_BRAND_UNSUPPORTED' | 'NETWORK_TOKEN_NOT_ACTIVE') =>
  new DomainError('failed_precondition', reason, 'Refused.')

/** All that an integrator can see of an invoice and its payments, and the marks of its requests. */
async function seen(of: Invoice) {
  const marks = await invoices.pool.query('SELECT FROM idempotency WHERE seller_id = $1 AND method = $2', [
    of.sellerId,
    'POST',
  ])
  const attempts = await invoices.pool.query('SELECT FROM invoice_transactions WHERE invoice_id = $1', [
    of.id,
  ])
  const charge = await latestCharge(invoices, of).catch((error: DomainError) => error.reason)
  return [await get(invoices, of), charge, await eventsSent(invoices, of), attempts.rowCount, marks.rowCount]
}

const REFUSALS: [string, DomainError][] = [
  ['an inactive network token', refusalFor('NETWORK_TOKEN_NOT_ACTIVE')],
  ['an unknown network token', new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'No.')],
  ['an unsupported brand', refusalFor('CARD_BRAND_UNSUPPORTED')],
  ['a used authentication', new DomainError('failed_precondition', 'AUTHENTICATION_UNUSABLE', 'Used.')],
  ['too many declines', new DomainError('rate_limited', 'RATE_LIMITED', 'Too many.')],
]

describe.each(REFUSALS)('a payment refused for %s', (_what, refusal) => {
  test('leaves a draft, its charge, its events and the key as they were, however often it is repeated', async () => {
    const before = await seen(invoice)
    refuse(refusal)
    for (let turn = 0; turn < 3; turn += 1) {
      const refused = withKey('refused', () => payAgain(invoices, invoice))
      await expect(refused).rejects.toMatchObject({ reason: refusal.reason })
      expect(await seen(invoice)).toEqual(before)
    }
  })

  test('leaves a finalized invoice, and one given up as a draft, as they were', async () => {
    const lost = await create(invoices, invoiceFor(shop))
    await uncollectible(invoices, lost)
    await finalize(invoices, invoice)
    for (const each of [invoice, lost]) {
      const before = await seen(each)
      refuse(refusal)
      await expect(pay(invoices, each)).rejects.toMatchObject({ reason: refusal.reason })
      expect(await seen(each)).toEqual(before)
    }
  })
})

test('the key of a refused payment may be used again, with another body too', async () => {
  refuse(refusalFor('CARD_BRAND_UNSUPPORTED'))
  const ask = (body: string) => withKey('again', () => payAgain(invoices, invoice), body)
  await expect(ask('one card')).rejects.toMatchObject({ reason: 'CARD_BRAND_UNSUPPORTED' })
  answerAsUsual(invoices)
  const { response, replayed } = await ask('another card')
  expect([replayed, response.transactions]).toMatchObject([false, [{ status: SUCCEEDED }]])
  expect(await ask('another card')).toEqual({ response, replayed: true })
  await expect(ask('one card')).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' })
  const told = ['invoice.created', 'invoice.finalized', 'invoice.paid']
  expect(await eventsSent(invoices, invoice)).toEqual(told)
})

test('a refused payment leaves the attempts before it, and a card stored for it is destroyed', async () => {
  invoices.behind.orders.hooks.outcome = declines
  await pay(invoices, invoice)
  const before = await seen(invoice)
  const stored = () =>
    invoices.pool.query('SELECT FROM discarded_cards WHERE seller_id = $1', [shop.sellerId])
  const discarded = (await stored()).rowCount ?? 0
  refuse(refusalFor('CARD_BRAND_UNSUPPORTED'))
  await expect(pay(invoices, invoice, { keepCard: true })).rejects.toMatchObject({
    reason: 'CARD_BRAND_UNSUPPORTED',
  })
  expect(await seen(invoice)).toEqual(before)
  expect((await stored()).rowCount).toBe(discarded + 1)
})

test('a refusal names the member of the body, not that of the order', async () => {
  const { id: cardId } = invoices.behind.vault.store(shop.sellerId, PAN)
  const errors = [{ pointer: '#/cardToken', code: 'INSTALLMENTS_NOT_ALLOWED', detail: 'No instalments.' }]
  refuse(new DomainError('failed_precondition', 'INSTALLMENTS_NOT_ALLOWED', 'No instalments.', { errors }))
  await expect(pay(invoices, invoice, { cardId, installments: 2 })).rejects.toMatchObject({
    reason: 'INSTALLMENTS_NOT_ALLOWED',
    extra: { errors: [{ pointer: '#/cardId' }] },
  })
})

test('a payment that reached nobody is an outcome: it finalizes the draft, and shows why it failed', async () => {
  refuse(new DomainError('unavailable', 'SERVICE_UNAVAILABLE', 'Not reached.'))
  await expect(pay(invoices, invoice)).rejects.toMatchObject({ kind: 'unavailable' })
  const { status, charge } = await get(invoices, invoice)
  const failure = { code: 'NOT_SENT', message: expect.stringContaining('Nothing was charged.') }
  expect([status, charge?.transactions]).toMatchObject([CLOSED, [{ status: FAILED, chargeId: 0, failure }]])
  expect(await eventsSent(invoices, invoice)).not.toContain('invoice.payment_failed')
})

describe('while a draft is being paid', () => {
  test('it is still a draft, and a second payment is refused without a trace', async () => {
    const { go, isThere } = refuseLater(refusalFor('NETWORK_TOKEN_NOT_ACTIVE'))
    const before = await get(invoices, invoice)
    const paying = pay(invoices, invoice)
    await isThere
    expect(await get(invoices, invoice)).toEqual(before)
    await expect(pay(invoices, invoice)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' })
    go()
    await expect(paying).rejects.toMatchObject({ reason: 'NETWORK_TOKEN_NOT_ACTIVE' })
    expect(await get(invoices, invoice)).toEqual(before)
  })

  test('the seller may finalize it; a refused payment then leaves it finalized, with its charge', async () => {
    const { go, isThere } = refuseLater(refusalFor('NETWORK_TOKEN_NOT_ACTIVE'))
    const paying = pay(invoices, invoice)
    await isThere
    const { id } = await finalize(invoices, invoice)
    go()
    await expect(paying).rejects.toMatchObject({ reason: 'NETWORK_TOKEN_NOT_ACTIVE' })
    const { status, charge } = await get(invoices, invoice)
    expect([status, charge]).toMatchObject([CLOSED, { id, transactions: [] }])
    answerAsUsual(invoices)
    expect((await pay(invoices, invoice)).id).toBe(id)
    expect(await eventsSent(invoices, invoice)).toEqual([
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
    ])
  })

  test('the sweeper does not end it, and finds nothing to do once it is refused', async () => {
    const { go, isThere } = refuseLater(refusalFor('CARD_BRAND_UNSUPPORTED'))
    const before = await get(invoices, invoice)
    const paying = pay(invoices, invoice)
    await isThere
    await resolveLater(invoices, 2_000)
    go()
    await expect(paying).rejects.toMatchObject({ reason: 'CARD_BRAND_UNSUPPORTED' })
    await resolveLater(invoices)
    expect(await get(invoices, invoice)).toEqual(before)
  })

  test('of eight refused and one good payment at once, the good one pays', async () => {
    let turn = 0
    invoices.behind.orders.hooks.before = async () => {
      turn += 1
      if (turn === 1) throw refusalFor('CARD_BRAND_UNSUPPORTED')
    }
    const ask = () => pay(invoices, invoice)
    await Promise.allSettled(Array.from({ length: 8 }, ask))
    if ((await get(invoices, invoice)).status !== PAID) await ask()
    const { status, charge } = await get(invoices, invoice)
    expect([status, charge?.transactions]).toMatchObject([PAID, [{ status: SUCCEEDED }]])
  })
})

test('a payment of a draft whose process ended is found later: the draft is finalized and paid', async () => {
  const { rows } = await payAndLoseTheProcess()
  expect(rows).toEqual([{ charge_id: null }])
  await resolveLater(invoices)
  const { status, charge } = await get(invoices, invoice)
  expect([status, charge?.transactions]).toMatchObject([PAID, [{ status: SUCCEEDED }]])
  const told = ['invoice.created', 'invoice.finalized', 'invoice.paid']
  expect(await eventsSent(invoices, invoice)).toEqual(told)
})

/** Has a card charged, while the database takes no outcome: as if the process had ended in between. */
async function payAndLoseTheProcess() {
  const name = `refuse_outcomes_of_${invoice.id}`
  await invoices.pool.query(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
  )
  await invoices.pool.query(
    `CREATE TRIGGER ${name} BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  )
  await expect(pay(invoices, invoice)).rejects.toThrow()
  await invoices.pool.query(`DROP TRIGGER ${name} ON invoices`)
  return invoices.pool.query('SELECT charge_id FROM invoice_transactions WHERE invoice_id = $1', [invoice.id])
}
