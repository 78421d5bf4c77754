import { callRepeatable } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { UpdateRecurringInvoiceRequest, type RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import { PAN } from './payments'
import type { Shop } from './invoices'
import type { TestInvoices } from './start-invoices'

export type Change = Partial<Omit<UpdateRecurringInvoiceRequest, 'sellerId' | 'recurringInvoiceId'>>

type Known = Pick<RecurringInvoice, 'sellerId' | 'id'>

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
