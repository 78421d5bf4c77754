import { momentOf } from '@cofre/platform/calendar-day'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { readInvoice } from '../../src/invoice/store/invoice-store'
import { queueEmail, type Reason } from '../../src/letters/queue/queue-email'
import { releaseHeldLetters } from '../../src/letters/release-held'
import { setClock } from '../support/dunning'
import { emailsOf, mail, pretendPaid, sendDue, startMailing, type MailingInvoices } from '../support/emails'
import { create, finalize, invoiceFor, newShop } from '../support/invoices'

const MORNING = momentOf('2055-03-01T06:00')
const NEXT_DAY = momentOf('2055-03-02T09:00')
const REMINDER: Reason = { cause: 'reminder:0', kind: 'REMINDER' }
const DECLINED: Reason = { cause: 'card-declined', kind: 'DECLINED' }
const RECEIPT: Reason = { cause: 'receipt', kind: 'RECEIPT' }

let invoices: MailingInvoices
let invoice: Invoice
beforeAll(async () => {
  invoices = await startMailing()
})
beforeEach(async () => {
  invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  await finalize(invoices, invoice)
  setClock(MORNING)
})
afterEach(async () => {
  setClock(Date.now())
  await invoices.pool.query('DELETE FROM emails')
})
afterAll(() => invoices.stop())

const queue = async (reason: Reason) => {
  const found = await readInvoice(invoices.pool, invoice)
  return withTransaction(invoices.pool, (tx) => queueEmail(tx, found, reason))
}
const send = () => sendDue(invoices.emailDeps)
const letters = async () =>
  (await emailsOf(invoices, invoice)).map(({ cause, status }) => `${cause} ${status}`)
/** Lets held letters leave whose moment has come, and sends what is due. */
const releaseAt = async (at: number) => {
  setClock(at)
  await releaseHeldLetters(invoices.deps).run(at)
  return send()
}

test('a reminder is dropped on a day that has its letter, and comes on another', async () => {
  expect(await queue(DECLINED)).toMatchObject({ isNew: true })
  await send()
  expect(await queue(REMINDER)).toMatchObject({ isNew: false })
  expect(await letters()).toEqual(['card-declined SENT'])
  expect(await queue({ ...REMINDER, at: NEXT_DAY })).toMatchObject({ isNew: true })
})

test('a declined card takes the place of a reminder that has not left yet', async () => {
  await queue(REMINDER)
  await queue(DECLINED)
  expect(await send()).toBe(1)
  expect((await letters()).toSorted()).toEqual(['card-declined SENT', 'reminder:0 OUTDATED'])
})

test('after a letter that left, a declined card waits for the next morning, and takes the place of a reminder then', async () => {
  await queue(REMINDER)
  await send()
  await queue(DECLINED)
  await queue(DECLINED)
  expect(await send()).toBe(0)
  expect(await releaseHeldLetters(invoices.deps).nextDueAt()).toBe(NEXT_DAY)
  expect(await releaseAt(NEXT_DAY - 1_000)).toBe(0)
  expect(await queue({ ...REMINDER, cause: 'reminder:1', at: NEXT_DAY })).toMatchObject({ isNew: false })
  expect(await releaseAt(NEXT_DAY)).toBe(1)
  expect(await letters()).toEqual(['reminder:0 SENT', 'card-declined SENT'])
  expect(await releaseHeldLetters(invoices.deps).nextDueAt()).toBeUndefined()
})

test('a letter that waited is not sent once the invoice is paid', async () => {
  await queue(REMINDER)
  await send()
  await queue(DECLINED)
  await pretendPaid(invoices, invoice)
  await releaseAt(NEXT_DAY)
  expect(await letters()).toEqual(['reminder:0 SENT', 'card-declined OUTDATED'])
})

test('letters that ask for nothing, and those sent by hand, come on any day; after one by hand no reminder does', async () => {
  await queue(REMINDER)
  await mail(invoices, invoice)
  expect(await send()).toBe(2)
  const { id } = invoice
  expect(await queue({ ...REMINDER, cause: 'reminder:1' })).toMatchObject({ isNew: false })
  await pretendPaid(invoices, invoice)
  expect(await queue(RECEIPT)).toMatchObject({ isNew: true })
  await send()
  const { rows } = await invoices.pool.query('SELECT kind FROM emails WHERE invoice_id = $1 ORDER BY id', [
    id,
  ])
  expect(rows.map(({ kind }) => kind)).toEqual(['REMINDER', expect.any(String), 'RECEIPT'])
})

test('two letters that are queued at once leave on two days', async () => {
  const others = ['pix-not-collected', 'card-declined'].map((cause) => ({ ...DECLINED, cause }))
  await Promise.all(others.map(queue))
  expect(await send()).toBe(1)
  expect(await releaseAt(NEXT_DAY)).toBe(1)
  expect(await send()).toBe(0)
})
