import { callRepeatable } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { DeclineAdvice, ChargeStatus, type Charge, type Decline } from '@cofre/proto/orders/v1/orders'
import type { CardSummary } from '@cofre/proto/vault/v1/vault'
import type { Invoice, InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { moveClock, now } from '../../src/clock/billing-clock'
import { chargeAutomatically } from '../../src/dunning/charge-automatically'
import { ALL_METHODS } from '../../src/methods/methods'
import { chargingTimeOf } from '../../src/dunning/rules/schedule'
import { dayOf } from '@cofre/platform/calendar-day'
import { create, DAY_MS, finalize, get, invoiceFor, newShop, type Shop } from './invoices'
import { answerAsUsual, PAN } from './payments'
import type { TestInvoices } from './start-invoices'

type Service = Pick<TestInvoices, 'client' | 'customers' | 'products' | 'pool' | 'behind'>

export type Billed = { invoice: Invoice; shop: Shop; cardId: number | null; dueAt: number }

type Wanted = {
  shop?: Shop
  /** Null: the customer keeps no card. */
  card?: Partial<CardSummary> | null
  /** The card of the recurring invoice. Null: the customer's. */
  chosenCard?: number | null
  givesUp?: boolean
  /** The plan has the card pay fine and interest. */
  paysLateness?: boolean
  dueDate?: number
  /** The changes to the invoice. */
  terms?: Parameters<typeof invoiceFor>[1]
}

/** An invoice of a cycle with automatic charging, due in ten days unless `wanted` has another date. */
export async function billedInvoice(invoices: Service, wanted: Wanted = {}): Promise<Billed> {
  const shop = wanted.shop ?? (await newShop(invoices))
  const {
    card = {},
    chosenCard = null,
    givesUp = false,
    paysLateness = false,
    dueDate = now() + 10 * DAY_MS,
  } = wanted
  const cardId = card && invoices.behind.vault.store(shop.sellerId, PAN, card).id
  if (cardId !== null) await keep(invoices, shop, cardId)
  const invoice = await create(invoices, invoiceFor(shop, { dueDate, ...wanted.terms }))
  await finalize(invoices, invoice)
  const { rows } = await invoices.pool.query<{ id: number }>(
    `INSERT INTO recurring_invoices (seller_id, kind, status, customer_id, customer_document, frequency, collection_method,
       days_until_due, anchor_day, card_id, gives_up, accepted_methods, splits, next_cycle_day, sequence, created_at, updated_at,
       card_pays_fine_and_interest)
     VALUES ($1, 'RECURRING', 'ACTIVE', $2, '12345678909', 'MONTHLY', 'CHARGE_AUTOMATICALLY', 0, '2027-01-31', $3, $4, $5, '[]',
       '2099-01-31', 1, now(), now(), $6) RETURNING id`,
    [shop.sellerId, shop.customerId, chosenCard, givesUp, JSON.stringify(ALL_METHODS), paysLateness],
  )
  await invoices.pool.query('UPDATE invoices SET recurring_invoice_id = $2, cycle = 1 WHERE id = $1', [
    invoice.id,
    rows[0]?.id,
  ])
  const dueAt = chargingTimeOf(dayOf(dueDate))
  const isKept = cardId !== null || chosenCard !== null
  await invoices.pool.query(
    `INSERT INTO automatic_charges (invoice_id, seller_id, customer_id, status, next_attempt_at, reason, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, now(), now())`,
    [
      invoice.id,
      shop.sellerId,
      shop.customerId,
      isKept ? 'WAITING' : 'NEEDS_CARD',
      isKept ? new Date(dueAt) : null,
      isKept ? null : 'NO_CARD',
    ],
  )
  return { invoice: await get(invoices, invoice), shop, cardId, dueAt }
}

/** Gives the customer a kept card. */
export async function keep(
  { pool }: Pick<Service, 'pool'>,
  { customerId }: Shop,
  cardId: number,
): Promise<void> {
  await pool.query('UPDATE customers SET kept_card_id = $2 WHERE id = $1', [customerId, cardId])
}

/** Sets the billing clock. */
export function setClock(at: number): void {
  moveClock(at - Date.now())
}

/** Runs the job at a moment until it has nothing left to do. */
export async function chargeDue({ deps }: Pick<TestInvoices, 'deps'>, at: number): Promise<void> {
  setClock(at)
  const job = chargeAutomatically(deps)
  while ((await job.run(at)).seen > 0);
}

/** Lets the days go by. Returns the days on which the invoice's card was charged, and the invoice at the end. */
export async function followAll(
  invoices: TestInvoices,
  { invoice, dueAt }: Billed,
  until = 60,
): Promise<{ days: number[]; ended: Invoice }> {
  const dueDay = Date.parse(dayOf(dueAt))
  for (let day = 0; day <= until; day += 1) {
    await chargeDue(invoices, dueAt + day * DAY_MS + 60_000)
  }
  const ended = await get(invoices, invoice)
  const tries = ended.charge?.transactions ?? []
  return { days: tries.map(({ createdAt }) => (Date.parse(dayOf(createdAt)) - dueDay) / DAY_MS), ended }
}

/** Returns a decline with an acquirer's code, and Mastercard's advice. */
export function declineWith(changes: Partial<Decline>): (charge: Charge) => Charge {
  const decline: Decline = {
    code: 'DO_NOT_HONOR',
    acquirerCode: '05',
    message: 'The issuer did not authorize the payment.',
    retryable: true,
    advice: DeclineAdvice.TRY_LATER,
    adviceCode: '',
    ...changes,
  }
  return (charge) => ({
    ...charge,
    status: ChargeStatus.DENIED,
    capturedAmount: 0,
    payments: charge.payments.map((payment) => ({ ...payment, decline })),
  })
}

/** After a test: resets the clock, so that no charge of that test happens in the next one. */
export async function stopCharging({ pool }: Pick<Service, 'pool'>): Promise<void> {
  moveClock(0)
  await pool.query(
    `UPDATE automatic_charges SET status = 'STOPPED', next_attempt_at = NULL WHERE due_at IS NOT NULL`,
  )
}

/** Charges the card of an invoice once more. */
export function retryAgain(
  { payments }: Pick<TestInvoices, 'payments'>,
  { sellerId, id: invoiceId }: Pick<Invoice, 'sellerId' | 'id'>,
): Promise<Replayable<InvoiceCharge>> {
  return callRepeatable(payments, payments.retryAutomaticCharge, { sellerId, invoiceId })
}

/** An invoice whose card was declined on each day of the schedule. The clock stands on the day after. */
export async function givenUp(
  invoices: TestInvoices,
  wanted: Parameters<typeof billedInvoice>[1] = {},
): Promise<Billed & { at: number }> {
  const billed = await billedInvoice(invoices, wanted)
  invoices.behind.orders.hooks.outcome = declineWith({})
  await followAll(invoices, billed, 8)
  answerAsUsual(invoices)
  invoices.behind.orders.asked.authorize.length = 0
  return { ...billed, at: billed.dueAt + 8 * DAY_MS + 60_000 }
}
