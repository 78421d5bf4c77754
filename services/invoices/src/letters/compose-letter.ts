import { readBillingSettings } from '../catalog/settings/billing-settings-store'
import { DEFAULT_THEME } from '../catalog/themes/theme'
import { findTheme } from '../catalog/themes/theme-store'
import type { EmailDeps } from '../deps'
import { paidWays } from '../invoice/store/paid-ways-store'
import { waitingMoney } from '../invoice/store/waiting-money-store'
import { letterOf, type Letter, type LetterFacts } from './letter'
import { asksToPay } from './queue/email'

/** A letter to write. `transactionId`: the attempt to pay that it reports. */
type Paper = Pick<LetterFacts, 'invoice' | 'kind' | 'language' | 'sellerName' | 'refund'> & {
  transactionId: number | null
}

export type ComposeDeps = Pick<EmailDeps, 'pool' | 'baseUrl' | 'slipOf' | 'pixOf' | 'bookletOf' | 'cardsOf'>

/** Writes the letter of an invoice as it is at a moment (epoch milliseconds), with the asks that can be paid now. */
export async function composeLetter(
  { pool, baseUrl, slipOf, pixOf, bookletOf, cardsOf }: ComposeDeps,
  { transactionId, ...paper }: Paper,
  at: number,
): Promise<Letter> {
  const { kind, invoice } = paper
  const { id, sellerId, publicId, recurringInvoiceId } = invoice
  const pagesUrl = `${baseUrl}/checkout/`
  const isBooklet = kind === 'BOOKLET' && recurringInvoiceId !== null
  return letterOf({
    ...paper,
    contact: (await readBillingSettings(pool, sellerId)).contact,
    theme: (await findTheme(pool, sellerId)) ?? DEFAULT_THEME,
    paymentUrl: `${pagesUrl}${publicId}`,
    pagesUrl,
    booklet: isBooklet ? await bookletOf({ sellerId, id: recurringInvoiceId }) : undefined,
    slip: asksToPay(kind) && !isBooklet ? await slipOf(id) : undefined,
    pix: asksToPay(kind) && !isBooklet ? await pixOf(id) : undefined,
    waiting: await waitingMoney(pool, id),
    cards: kind === 'DECLINED' || kind === 'RETRY_PLANNED' ? await cardsOf(invoice) : undefined,
    payments: kind === 'RECEIPT' ? await paidWays(pool, id) : [],
    attempted: invoice.transactions.find((each) => each.id === transactionId)?.amount ?? 0,
    at,
  })
}
