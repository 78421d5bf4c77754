import { cardIn, clockIn, momentIn, moneyIn } from '@cofre/platform/written'
import { InvoiceTransactionStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { latestCardTry, type PageState } from './page-state'
import type { Words } from './words'

type Line = { label: string; value: string }

/** The number of items that are visible at first; the rest unfold. */
const ITEMS_SHOWN = 4

type Page = { invoice: Invoice } & Pick<PaymentPage, 'waitingAmount' | 'triedCard'>

/** The amount of an invoice, and its items. */
export function summaryOf({ invoice, waitingAmount, triedCard }: Page, state: PageState, words: Words) {
  const { language } = words
  const isPaid = state === 'PAID'
  const amount = isPaid ? invoice.paidAmount : payableOf(invoice, state)
  const items = invoice.items.map((item) => itemOf(item, words))
  return {
    label: labelOf(invoice, state, words),
    amount: moneyIn(language, amount),
    facts: isPaid ? paidFacts(invoice, triedCard, words) : openFacts(invoice, words),
    pastDue: invoice.pastDue && !isPaid ? words.labels.pastDue : '',
    waits: isPaid || waitingAmount === 0 ? '' : words.waits(moneyIn(language, waitingAmount)),
    items: items.slice(0, ITEMS_SHOWN),
    more: items.slice(ITEMS_SHOWN),
    count: items.length,
    sums: isPaid ? paidSums(invoice, words) : openSums(invoice, words),
    note: isPaid ? '' : noteOf(invoice, words),
  }
}

function labelOf({ paidAmount }: Invoice, state: PageState, { labels }: Words): string {
  if (state === 'PAID') return labels.paid
  if (state === 'VOID') return labels.total
  if (paidAmount > 0) return labels.left
  return state === 'EXPIRED' ? labels.total : labels.toPay
}

/** A cancelled invoice has nothing to pay, but people want to see its amount. */
function payableOf({ amount, payableAmount }: Invoice, state: PageState): number {
  return state === 'VOID' ? amount : payableAmount
}

function openFacts({ customer, dueDate, invoiceNumber }: Invoice, { labels, language }: Words): Line[] {
  return [
    { label: labels.invoice, value: invoiceNumber },
    ...named(labels.billedTo, customer?.name ?? ''),
    { label: labels.dueDate, value: momentIn(language, dueDate) },
  ]
}

function paidFacts(invoice: Invoice, card: Page['triedCard'], { labels, language, moment }: Words): Line[] {
  const { customer, invoiceNumber, paymentDate = invoice.updatedAt } = invoice
  const hasPaid = latestCardTry(invoice)?.status === InvoiceTransactionStatus.SUCCEEDED
  return [
    { label: labels.invoice, value: invoiceNumber },
    ...named(labels.billedTo, customer?.name ?? ''),
    ...named(labels.card, card && hasPaid ? cardIn(language, card) : ''),
    { label: labels.paidOn, value: moment(momentIn(language, paymentDate), clockIn(paymentDate)) },
  ]
}

function named(label: string, value: string): Line[] {
  return value === '' ? [] : [{ label, value }]
}

function openSums(invoice: Invoice, words: Words): Line[] {
  const { labels, language, discount } = words
  const { amount, fineAmount, interestAmount, paidAmount, writtenOffAmount } = invoice
  const { discountAmount, discountUntil = 0 } = invoice
  if (fineAmount + interestAmount + discountAmount + paidAmount + writtenOffAmount === 0) return []
  return [
    ...lineOf(labels.subtotal, amount, words),
    ...lineOf(labels.fine, fineAmount, words),
    ...lineOf(labels.interest, interestAmount, words),
    ...lineOf(discount(momentIn(language, discountUntil)), discountAmount, words),
    ...lineOf(labels.alreadyPaid, paidAmount, words),
    ...lineOf(labels.writtenOff, writtenOffAmount, words),
  ]
}

function paidSums({ amount, paidAmount, refundedAmount }: Invoice, words: Words): Line[] {
  const { labels } = words
  return [
    ...(paidAmount === amount ? [] : lineOf(labels.subtotal, amount, words)),
    ...lineOf(labels.lateCharges, paidAmount - amount, words),
    ...lineOf(labels.writtenOff, amount - paidAmount, words),
    ...lineOf(labels.refunded, refundedAmount, words),
  ]
}

function lineOf(label: string, cents: number, { language }: Words): Line[] {
  return cents > 0 ? [{ label, value: moneyIn(language, cents) }] : []
}

function noteOf({ fineAmount, interestAmount }: Invoice, { grows, includesLateCharges }: Words): string {
  if (interestAmount > 0) return grows
  return fineAmount > 0 ? includesLateCharges : ''
}

function itemOf(
  { description, quantity, unitPriceInCents, totalInCents }: Invoice['items'][number],
  words: Words,
) {
  const money = (cents: number) => moneyIn(words.language, cents)
  return {
    description,
    count: quantity === 1 ? '' : `${quantity} × ${money(unitPriceInCents)}`,
    total: money(totalInCents),
  }
}
