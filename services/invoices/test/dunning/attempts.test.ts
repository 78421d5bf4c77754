import { unavailable } from '@cofre/platform/errors'
import { AutomaticChargeStatus, InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { chargeAutomatically } from '../../src/dunning/charge-automatically'
import { beginAttempt } from '../../src/dunning/begin-attempt'
import { billedInvoice, chargeDue, declineWith, followAll, setClock, stopCharging } from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import { answerAsUsual, captures, chargeOf, eventsSent, resolveLater, staysSilent } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { WAITING, TRYING, PAID, GIVEN_UP } = AutomaticChargeStatus
const MINUTE_MS = 60_000

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const failuresTold = async (invoice: Invoice) =>
  (await eventsSent(invoices, invoice)).filter((type) => type === 'invoice.payment_failed').length

test('an attempt that did not reach the acquirer does not count, and is soon made again', async () => {
  invoices.behind.orders.hooks.before = async () => {
    throw unavailable('The acquirer is away.')
  }
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: {
      status: WAITING,
      attempts: 0,
      nextAttemptAt: billed.dueAt + 15 * MINUTE_MS,
      reason: 'NOT_REACHED',
    },
  })
  expect(await failuresTold(billed.invoice)).toBe(0)
  answerAsUsual(invoices)
  await chargeDue(invoices, billed.dueAt + 15 * MINUTE_MS)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: { status: PAID, attempts: 1 },
  })
})

test('attempts that never reach the acquirer end with the schedule', async () => {
  invoices.behind.orders.hooks.before = async () => {
    throw unavailable('The acquirer is away.')
  }
  const billed = await billedInvoice(invoices)
  const { ended } = await followAll(invoices, billed, 12)
  expect(ended).toMatchObject({ automaticCharge: { status: GIVEN_UP, attempts: 0, reason: 'NOT_REACHED' } })
  expect(await failuresTold(billed.invoice)).toBe(1)
})

test('two replicas that run the job at once make one attempt', async () => {
  const other = await invoices.startReplica()
  const billed = await billedInvoice(invoices)
  setClock(billed.dueAt)
  const before = invoices.behind.orders.asked.authorize.length
  const jobs = [invoices, other, invoices, other].map(({ deps }) => chargeAutomatically(deps))
  await Promise.all(jobs.map((job) => job.run(billed.dueAt)))
  expect(invoices.behind.orders.asked.authorize.length - before).toBe(1)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    charge: { transactions: [{}] },
  })
})

test('of several processes that begin after looking up the card, one saves its intention', async () => {
  const billed = await billedInvoice(invoices)
  const { sellerId, id } = billed.invoice
  const card = {
    id: billed.cardId ?? 0,
    brand: 'VISA',
    credential: '',
    source: { cardToken: 'x' },
    passedOver: [],
  }
  const begun = await Promise.all(
    [1, 2, 3].map(() => beginAttempt(invoices.deps, { sellerId, id }, card, billed.dueAt)),
  )
  expect(begun.filter((each) => each !== undefined)).toHaveLength(1)
})

test('a process that dies after the intention leaves no second dispatch: the sweeper concludes', async () => {
  const billed = await billedInvoice(invoices)
  const { sellerId, id } = billed.invoice
  setClock(billed.dueAt)
  const card = {
    id: billed.cardId ?? 0,
    brand: 'VISA',
    credential: '',
    source: { cardToken: 'x' },
    passedOver: [],
  }
  await beginAttempt(invoices.deps, { sellerId, id }, card, billed.dueAt)
  await chargeDue(invoices, billed.dueAt + MINUTE_MS)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: { status: TRYING, attempts: 1 },
  })
  const asked = invoices.behind.orders.asked.authorize.length
  await resolveLater(invoices, 120_000)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: { status: WAITING, attempts: 0, reason: 'NOT_REACHED' },
  })
  expect(invoices.behind.orders.asked.authorize).toHaveLength(asked)
})

test.each([
  ['a decline', declineWith({}), { status: WAITING, attempts: 1, reason: 'DO_NOT_HONOR' }],
  ['a success', captures, { status: PAID, attempts: 1 }],
])('a late answer is treated like any other: %s', async (_name, learned, expected) => {
  invoices.behind.orders.hooks.outcome = staysSilent
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt)
  expect(await get(invoices, billed.invoice)).toMatchObject({ automaticCharge: { status: TRYING } })
  await chargeDue(invoices, billed.dueAt + DAY_MS)
  chargeOf(invoices, billed.invoice, learned)
  await resolveLater(invoices)
  await resolveLater(invoices)
  const seen = await get(invoices, billed.invoice)
  expect(seen.automaticCharge).toMatchObject(expected)
  expect(seen.charge?.transactions).toHaveLength(1)
})
