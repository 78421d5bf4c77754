import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import { InvoiceStatus, MovementMethod, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { MovementKind } from '@cofre/proto/invoices/v1/money'
import { PixCollectionStatus, PixTryStatus } from '@cofre/proto/invoices/v1/pix'
import type { RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import type { FaultKind } from '../../sandbox/src/faults'
import { REJECTIONS } from '../../sandbox/src/pix/automatic/collect'
import { statusOfCobr, type Cobr } from '../../sandbox/src/pix/automatic/cobr'
import { chargeKey } from '../../sandbox/src/pix/charges/charge'
import { moveClock, now } from '../../services/invoices/src/clock/billing-clock'
import { get, voidInvoice } from '../../services/invoices/test/support/invoices'
import {
  billUntil,
  cycleInvoices,
  getRecurring,
  pauseRecurring,
  resumeRecurring,
} from '../../services/invoices/test/support/recurring'
import {
  atDay,
  cancelPermission,
  collectionOf,
  decide,
  lastInvoice,
  lettersOf,
  lookAtPermissions,
  passDays,
  permitted,
  runJobs,
} from './permitted'
import { CLIENT, issue, look, movementsOf, payAt, startPix, unexpected, type TestPix } from './start-pix'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())
beforeEach(() => atDay(pix, '2055-01-31'))
afterEach(() => {
  moveClock(0)
  pix.faults.clear()
  pix.bank.nextRejections = []
})

const { PAID, CLOSED } = InvoiceStatus
const { ACTIVE, REJECTED, EXPIRED, CANCELLED, REFUSED } = PixCollectionStatus
/** The codes that end a collection at once. */
const FINAL = ['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09']

const fault = (kind: FaultKind) =>
  pix.faults.add({ partner: 'PIX_BANK', kind, times: 1, delayMs: 0, changes: true, queries: false })
/** Has the payer's bank reject the next tries of the newest permission. */
const reject = (code: string, times = 1) => {
  const idRec = pix.bank.recs.all().at(-1)?.idRec
  pix.bank.nextRejections.push({ code, times, idRec })
}

/** Has a call that was not answered be over for certain. */
const timeOut = () => pix.pool.query("UPDATE pix_charges SET dispatch_deadline = now() - interval '1 day'")
const statusOf = async (invoice: Invoice) => (await get(pix, invoice)).status

async function atBank(invoice: Invoice): Promise<Cobr> {
  const { txid } = await collectionOf(pix, invoice)
  const cobr = pix.bank.cobrs.get(chargeKey({ client: CLIENT, txid }))
  if (!cobr) throw new Error('the bank has no such collection')
  return cobr
}

const eventsOf = async ({ id }: Invoice) => {
  const { rows } = await pix.pool.query<{ type: string }>(
    `SELECT type FROM outbox WHERE topic LIKE 'invoices%' AND key = $1 ORDER BY id`,
    [String(id)],
  )
  return rows.map(({ type }) => type)
}

/** A permitted recurring invoice, and its first invoice, due on 5 February; the bank has its collection. */
async function collected(): Promise<{ recurring: RecurringInvoice; invoice: Invoice }> {
  const { recurring } = await permitted(pix)
  await passDays(pix, '2055-01-31')
  return { recurring, invoice: await lastInvoice(pix, recurring) }
}

test('an invoice is collected on its due date: the bank has one collection, and the payer gets a receipt', async () => {
  const { invoice } = await collected()
  expect(await get(pix, invoice)).toMatchObject({ status: CLOSED, automaticCharge: undefined })
  expect(await collectionOf(pix, invoice)).toMatchObject({
    status: ACTIVE,
    amount: 9_980,
    tries: [{ status: PixTryStatus.SCHEDULED }],
  })
  expect((await atBank(invoice)).terms).toMatchObject({
    calendario: { dataDeVencimento: '2055-02-05' },
    valor: { original: '99.80' },
    recebedor: { agencia: '0001', conta: '1234567', tipoConta: 'CORRENTE' },
  })
  await passDays(pix, '2055-02-05', 3)
  expect(await statusOf(invoice)).toBe(PAID)
  const [movement] = await movementsOf(pix, invoice)
  expect(movement).toMatchObject({ kind: MovementKind.PAYMENT, method: MovementMethod.PIX, amount: 9_980 })
  expect(movement?.pix?.endToEndId).toBe((await atBank(invoice)).attempts[0]?.endToEndId)
  expect(await lettersOf(pix, invoice)).toEqual(['RECEIPT'])
})

test('months with each code of a payer’s bank: final ones end the collection, after the others it is tried again', async () => {
  const { recurring } = await permitted(pix)
  for (const code of REJECTIONS) {
    const cycleDay = dayOf((await getRecurring(pix, recurring)).nextCycleDate ?? 0)
    reject(code)
    await passDays(pix, cycleDay)
    const invoice = await lastInvoice(pix, recurring)
    await passDays(pix, dayOf(invoice.dueDate), 5)
    const isFinal = FINAL.includes(code)
    const collection = await collectionOf(pix, invoice)
    expect({ code, status: collection.status, tries: collection.tries.map((one) => one.code) }).toEqual({
      code,
      status: isFinal ? REJECTED : PixCollectionStatus.PAID,
      tries: isFinal ? [code] : [code, ''],
    })
    expect(await statusOf(invoice)).toBe(isFinal ? CLOSED : PAID)
    expect((await eventsOf(invoice)).filter((type) => type === 'invoice.payment_failed')).toHaveLength(1)
    expect(await lettersOf(pix, invoice)).toEqual(isFinal ? ['NOT_COLLECTED'] : ['RECEIPT'])
  }
  expect(await cycleInvoices(pix, recurring)).toHaveLength(REJECTIONS.length)
}, 600_000)

test('three more tries in seven days, then the invoice stays payable, and the letter says so', async () => {
  const { invoice } = await collected()
  reject('AM02', 9)
  await passDays(pix, '2055-02-05', 12)
  const { status, tries } = await collectionOf(pix, invoice)
  expect(status).toBe(EXPIRED)
  expect(tries.map(({ date }) => dayOf(date)).slice(1)).toEqual(
    [2, 4, 7].map((days) => addDays('2055-02-05', days)),
  )
  expect(tries.map(({ code }) => code)).toEqual(['AM02', 'AM02', 'AM02', 'AM02'])
  expect((await eventsOf(invoice)).filter((type) => type === 'invoice.payment_failed')).toHaveLength(4)
  expect(await lettersOf(pix, invoice)).toEqual(['NOT_COLLECTED'])
  expect(await statusOf(invoice)).toBe(CLOSED)
  const charge = await issue(pix, invoice)
  payAt(pix, charge, { at: now() })
  await pix.pool.query('UPDATE pix_charges SET ask_at = $1 WHERE txid = $2', [new Date(now()), charge.txid])
  await look(pix)
  expect(await statusOf(invoice)).toBe(PAID)
})

test.each(['ANSWER_LOST', 'DONE_500', 'NOT_REACHED', 'HTTP_500'] as const)(
  'a collection whose answer is %s is at the bank once, and one whose try was asked for too',
  async (kind) => {
    const { recurring } = await permitted(pix)
    await billUntil(pix, now())
    const known = pix.bank.cobrs.all().length
    fault(kind)
    await runJobs(pix)
    await timeOut()
    moveClock(now() - Date.now() + 60_000)
    await look(pix)
    await passDays(pix, '2055-02-01')
    const invoice = await lastInvoice(pix, recurring)
    expect((await collectionOf(pix, invoice)).status).toBe(ACTIVE)
    expect(pix.bank.cobrs.all().length - known).toBe(1)
    reject('AM02')
    fault(kind)
    await passDays(pix, '2055-02-05', 8)
    expect((await collectionOf(pix, invoice)).tries).toHaveLength(2)
    expect(await statusOf(invoice)).toBe(PAID)
  },
)

test('a crash before the bank is called leaves an intention that the sweeper sends', async () => {
  const { recurring } = await permitted(pix)
  await billUntil(pix, now())
  const { register } = pix.deps.pix.bank
  const interrupted = new Error('killed')
  Object.assign(pix.deps.pix.bank, { register: () => Promise.reject(interrupted) })
  await runJobs(pix)
  Object.assign(pix.deps.pix.bank, { register })
  await timeOut()
  await passDays(pix, '2055-02-01', 1)
  const invoice = await lastInvoice(pix, recurring)
  expect((await collectionOf(pix, invoice)).status).toBe(ACTIVE)
})

test('an invoice that is paid or voided otherwise has its collection withdrawn', async () => {
  const { invoice } = await collected()
  const charge = await issue(pix, invoice)
  payAt(pix, charge, { at: now() })
  await pix.pool.query('UPDATE pix_charges SET ask_at = $1 WHERE txid = $2', [new Date(now()), charge.txid])
  await look(pix)
  await look(pix)
  expect(await statusOf(invoice)).toBe(PAID)
  expect(statusOfCobr(await atBank(invoice))).toBe('CANCELADA')
  expect(await collectionOf(pix, invoice)).toMatchObject({ status: CANCELLED, isWithdrawn: true })
  atDay(pix, '2055-01-31')
  const other = await collected()
  await voidInvoice(pix, other.invoice)
  await look(pix)
  expect(statusOfCobr(await atBank(other.invoice))).toBe('CANCELADA')
  expect(await lettersOf(pix, other.invoice)).toEqual([])
})

test('an invoice that is paid twice, by a code and by its collection, has a receipt that waits', async () => {
  const { invoice } = await collected()
  const charge = await issue(pix, invoice)
  reject('AM02')
  await passDays(pix, '2055-02-05', 1)
  payAt(pix, charge, { at: now() })
  await pix.pool.query('UPDATE pix_charges SET ask_at = $1 WHERE txid = $2', [new Date(now()), charge.txid])
  await look(pix)
  await look(pix)
  expect(await statusOf(invoice)).toBe(PAID)
  // The bank cancels nothing any more, and collects on its day.
  const { status, isWithdrawn, tries } = await collectionOf(pix, invoice)
  expect({ status, isWithdrawn, next: tries.at(-1)?.status }).toEqual({
    status: ACTIVE,
    isWithdrawn: false,
    next: PixTryStatus.SCHEDULED,
  })
  await passDays(pix, '2055-02-07', 2)
  expect(await unexpected(pix, invoice)).toMatchObject([{ reason: UnexpectedReason.ALREADY_PAID }])
  expect((await atBank(invoice)).attempts).toHaveLength(2)
})

test('the payer, the bank or the seller ends the permission: what is open is not collected, and cards are asked again', async () => {
  for (const ends of ['payer', 'seller'] as const) {
    atDay(pix, '2055-01-31')
    const { recurring, permission } = await permitted(pix)
    await passDays(pix, '2055-01-31')
    const invoice = await lastInvoice(pix, recurring)
    if (ends === 'payer') await decide(pix, permission, 'CANCELADA')
    else await cancelPermission(pix, recurring)
    await lookAtPermissions(pix)
    await passDays(pix, '2055-02-05', 8)
    expect(await collectionOf(pix, invoice)).toMatchObject({ status: CANCELLED })
    expect(await statusOf(invoice)).toBe(CLOSED)
    expect(await lettersOf(pix, invoice)).toEqual(['NOT_COLLECTED'])
    await passDays(pix, '2055-02-28')
    const next = await lastInvoice(pix, recurring)
    expect(await get(pix, next)).toMatchObject({ cycle: 2, automaticCharge: expect.anything() })
    await expect(collectionOf(pix, next)).rejects.toMatchObject({ kind: 'not_found' })
  }
})

test('a pause collects nothing; what is due after it is collected', async () => {
  const { recurring } = await permitted(pix, { daysUntilDue: 20 })
  await billUntil(pix, now())
  await pauseRecurring(pix, recurring)
  await runJobs(pix)
  const invoice = await lastInvoice(pix, recurring)
  await expect(collectionOf(pix, invoice)).rejects.toMatchObject({ kind: 'not_found' })
  await resumeRecurring(pix, recurring)
  await passDays(pix, '2055-02-08')
  await expect(collectionOf(pix, invoice)).rejects.toMatchObject({ kind: 'not_found' })
  await passDays(pix, '2055-02-10')
  expect((await collectionOf(pix, invoice)).status).toBe(ACTIVE)
})

test('a collection that the bank refuses is said to the seller and to the payer', async () => {
  const { recurring } = await permitted(pix)
  await billUntil(pix, now())
  // The bank has ended the permission, and nobody has heard of it yet.
  const rec = pix.bank.recs.all().at(-1)
  if (rec) pix.bank.recs.save({ ...rec, history: [...rec.history, { status: 'CANCELADA', at: now() }] })
  await runJobs(pix)
  const invoice = await lastInvoice(pix, recurring)
  expect(await collectionOf(pix, invoice)).toMatchObject({ status: REFUSED, code: 'CobROperacaoInvalida' })
  expect(await lettersOf(pix, invoice)).toEqual(['NOT_COLLECTED'])
  expect(await eventsOf(invoice)).toContain('invoice.payment_failed')
})
