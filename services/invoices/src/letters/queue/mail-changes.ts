import type { AfterSave } from '../../invoice/store/invoice-store'
import { lastAsking } from './email-store'
import { queueEmail } from './queue-email'

/** Mails the customer that money of an invoice went back: once for each save that gave some back. */
export const mailRefund: AfterSave = async (tx, invoice, added) => {
  const back = added.filter(({ kind }) => kind === 'REFUND' || kind === 'RETURN')
  const [first] = back
  if (!first) return invoice
  const ofInvoice = back.filter(({ invoiceId }) => invoiceId !== null)
  const sum = (some: typeof back, without = 0) => some.reduce((all, { amount }) => all + amount, -without)
  const fee = ofInvoice.reduce((all, each) => all + each.fee, 0)
  const facts = {
    amount: sum(back),
    method: first.method,
    at: first.at,
    isWhole: sum(ofInvoice, fee) === invoice.paidAmount,
  }
  await queueEmail(tx, invoice, { cause: `refunded:${invoice.sequence}`, kind: 'REFUNDED', facts })
  return invoice
}

/** Mails the customer that an invoice is void, as the letter said it that asked for its payment. Without one: nothing. */
export const mailVoided: AfterSave = async (tx, invoice) => {
  if (invoice.status !== 'CANCELLED') return invoice
  const asking = await lastAsking(tx, invoice.id)
  if (!asking) return invoice
  const { language, sellerName } = asking
  const said = { language, sellerName: sellerName ?? undefined }
  await queueEmail(tx, invoice, { cause: 'voided', kind: 'VOIDED', ...said })
  return invoice
}
