import type { Db } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../invoice/invoice'
import type { EmailKind, Language } from './email'
import { findRecipient, insertEmail } from './email-store'

/** Why an e-mail is sent, in which language, and in whose name. Without a name the letter names no seller. */
export type Reason = { cause: string; kind: EmailKind; language?: Language; sellerName?: string | null }

/** The receipt of an invoice: one, whatever repeats its payment. */
export const RECEIPT: Reason = { cause: 'receipt', kind: 'RECEIPT' }

/**
 * Has the customer of an invoice mailed, in the caller's transaction: it leaves once that commits, once for each cause,
 * whatever repeats. The address; undefined: the customer has none, and no e-mail is written.
 */
export async function queueEmail(
  tx: Db,
  invoice: Pick<Invoice, 'id' | 'sellerId' | 'customer'>,
  { language = 'pt-BR', sellerName = null, ...why }: Reason,
): Promise<string | undefined> {
  const recipient = await findRecipient(tx, invoice)
  if (recipient === null) return undefined
  const { id: invoiceId, sellerId } = invoice
  await insertEmail(tx, {
    ...why,
    sellerId,
    invoiceId,
    language,
    sellerName,
    recipient,
    createdAt: Date.now(),
  })
  return recipient
}
