import { addDays, startOf } from '@cofre/platform/calendar-day'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { BillingFrequency } from '@cofre/proto/invoices/v1/recurring'
import type { Invoice } from '../invoice/rules/invoice'
import { findCollection } from '../pix/automatic/collection-store'
import { latestPermission } from '../pix/automatic/permission-store'
import { readRecurring } from '../recurring/store/recurring-store'

/** What the page of an invoice says of Pix Automático. `isAsked`: the code on the page asks for the permission. */
export async function automaticPix(
  db: Db,
  { sellerId, id: invoiceId, recurringInvoiceId: id }: Invoice,
  isAsked: boolean,
): Promise<Pick<PaymentPage, 'pixConsent' | 'pixCollectedOn'>> {
  if (id === null) return { pixConsent: undefined, pixCollectedOn: undefined }
  const collected = await findCollection(db, { sellerId, invoiceId })
  const next = collected?.collection?.tries?.find(({ status }) => status === 'SCHEDULED')
  // One that the bank does not cancel any more is collected all the same.
  const pixCollectedOn = collected?.withdrawing === false && next ? startOf(next.day) : undefined
  const permission = isAsked ? await latestPermission(db, id) : undefined
  if (!permission) return { pixConsent: undefined, pixCollectedOn }
  const { daysUntilDue } = await readRecurring(db, { sellerId, id })
  const { frequency, amount, firstDay } = permission
  const firstDate = startOf(addDays(firstDay, daysUntilDue))
  const pixConsent = { frequency: BillingFrequency[frequency], amount: amount ?? undefined, firstDate }
  return { pixConsent, pixCollectedOn }
}
