import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import {
  BillingFrequency,
  CollectionMethod,
  CreateRecurringInvoiceRequest,
  UpdateRecurringInvoiceRequest,
  type GetRecurringInvoiceRequest,
  type RecurringInvoice,
} from '@cofre/proto/invoices/v1/recurring'
import { billCycles } from '../../src/recurring/billing/bill-cycles'
import type { BillingJob } from '../../src/clock/billing-job'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import type { Shop } from './invoices'
import { PAN } from './payments'
import type { TestInvoices } from './start-invoices'

type Service = Pick<TestInvoices, 'recurring'>

/** Monthly from 31 January 2055 on, two mugs each time, mailed to the customer, with `changes`. */
export function recurringFor(
  { sellerId, customerId, productId }: Shop,
  changes: Partial<CreateRecurringInvoiceRequest> = {},
): CreateRecurringInvoiceRequest {
  return CreateRecurringInvoiceRequest.fromPartial({
    sellerId,
    customerId,
    billingCycleStartDate: startOf('2055-01-31'),
    daysUntilDue: 5,
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CollectionMethod.SEND_INVOICE,
    recurringItems: [{ productId, quantity: 2, unitPriceInCents: 4_990 }],
    ...changes,
  })
}

export function createRecurring(
  { recurring }: Service,
  request: CreateRecurringInvoiceRequest,
): Promise<RecurringInvoice> {
  return callRpc(recurring, recurring.createRecurringInvoice, request)
}

export function createRecurringAgain(
  { recurring }: Service,
  request: CreateRecurringInvoiceRequest,
): Promise<Replayable<RecurringInvoice>> {
  return callRepeatable(recurring, recurring.createRecurringInvoice, request)
}

type Known = Pick<RecurringInvoice, 'sellerId' | 'id'>

const keyOf = ({ sellerId, id }: Known): GetRecurringInvoiceRequest => ({
  sellerId,
  recurringInvoiceId: id,
})

export function getRecurring({ recurring }: Service, known: Known): Promise<RecurringInvoice> {
  return callRpc(recurring, recurring.getRecurringInvoice, keyOf(known))
}

export function pauseRecurring({ recurring }: Service, known: Known): Promise<RecurringInvoice> {
  return callRpc(recurring, recurring.pauseRecurringInvoice, keyOf(known))
}

export function resumeRecurring({ recurring }: Service, known: Known): Promise<RecurringInvoice> {
  return callRpc(recurring, recurring.resumeRecurringInvoice, keyOf(known))
}

export function cancelRecurring({ recurring }: Service, known: Known): Promise<RecurringInvoice> {
  return callRpc(recurring, recurring.cancelRecurringInvoice, keyOf(known))
}

/** The invoices of its cycles, the first one first. */
export async function cycleInvoices({ recurring }: Service, { sellerId, id }: Known): Promise<Invoice[]> {
  const { invoices } = await callRpc(recurring, recurring.listCycleInvoices, {
    sellerId,
    recurringInvoiceId: id,
    orderReference: undefined,
    page: 0,
    size: 100,
    after: undefined,
  })
  return invoices.toReversed()
}

/** Bills everything due at a moment until nothing is left. */
export async function billAll(job: BillingJob, at: number): Promise<number> {
  let billed = 0
  for (let done = 1; done > 0; billed += done) ({ done } = await job.run(at))
  return billed
}

/** Runs the billing job as it would run by itself until a moment. Each due moment is one step. */
export async function billUntil({ deps }: Pick<TestInvoices, 'deps'>, until: number): Promise<number> {
  const job = billCycles(deps)
  let billed = 0
  for (;;) {
    const due = await job.nextDueAt()
    if (due === undefined || due > until) return billed
    const { seen, done } = await job.run(due)
    // Otherwise it would stay due for ever.
    if (seen === 0) throw new Error('nobody bills what is due')
    billed += done
  }
}

/** The cycles and days of invoices, as in a calendar. */
export function daysOf(invoices: readonly Invoice[]) {
  return invoices.map(({ cycle, createdAt, dueDate }) => [cycle, dayOf(createdAt), dayOf(dueDate)])
}

/** Each cycle of a year from 31 January 2055 on: its number, its day, and its due day, five days later. */
export const DAYS_OF_A_YEAR = [
  [1, '2055-01-31', '2055-02-05'],
  [2, '2055-02-28', '2055-03-05'],
  [3, '2055-03-31', '2055-04-05'],
  [4, '2055-04-30', '2055-05-05'],
  [5, '2055-05-31', '2055-06-05'],
  [6, '2055-06-30', '2055-07-05'],
  [7, '2055-07-31', '2055-08-05'],
  [8, '2055-08-31', '2055-09-05'],
  [9, '2055-09-30', '2055-10-05'],
  [10, '2055-10-31', '2055-11-05'],
  [11, '2055-11-30', '2055-12-05'],
  [12, '2055-12-31', '2056-01-05'],
]

export type Change = Partial<Omit<UpdateRecurringInvoiceRequest, 'sellerId' | 'recurringInvoiceId'>>

export function changeAgain(
  { recurring }: Pick<TestInvoices, 'recurring'>,
  { sellerId, id: recurringInvoiceId }: Known,
  asked: Change,
): Promise<Replayable<RecurringInvoice>> {
  const request = UpdateRecurringInvoiceRequest.fromPartial({ sellerId, recurringInvoiceId, ...asked })
  return callRepeatable(recurring, recurring.updateRecurringInvoice, request)
}

/** Changes a recurring invoice as its seller asks. */
export async function change(
  invoices: Pick<TestInvoices, 'recurring'>,
  known: Known,
  asked: Change,
): Promise<RecurringInvoice> {
  return (await changeAgain(invoices, known, asked)).response
}

/** A card that the seller stored. */
export function storeCard({ behind }: Pick<TestInvoices, 'behind'>, { sellerId }: Shop): number {
  return behind.vault.store(sellerId, PAN, { brand: 'VISA' }).id
}

/** Has the customer keep a card at a moment, as a payment with it does. */
export async function keepAt(
  { pool }: Pick<TestInvoices, 'pool'>,
  { customerId }: Pick<Shop, 'customerId'>,
  cardId: number,
  at: number,
): Promise<void> {
  await pool.query('UPDATE customers SET kept_card_id = $2, kept_card_at = $3 WHERE id = $1', [
    customerId,
    cardId,
    new Date(at),
  ])
}
