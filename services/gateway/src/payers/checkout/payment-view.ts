import { cardIn, momentIn, type CardName } from '@cofre/platform/written'
import { InvoiceTransactionStatus } from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import { acceptedOf, asksOf, PARTS } from '../methods/methods'
import type { Places } from '../methods/page-part'
import { isPayable, isWaiting, latestCardTry, stateOf, type PageState } from './page-state'
import { summaryOf } from './summary-view'
import type { Said, Words } from './words'

/** Returns the contents of the page of an invoice. */
export function viewOf(page: PaymentPage, words: Words, places: Places) {
  const { invoice = emptyInvoice() } = page
  const state = stateOf(page)
  const isZero = isPayable(state) && invoice.payableAmount === 0
  const canPay = isPayable(state) && !isZero
  const declined = declineOf(page, words)
  return {
    state,
    waiting: isWaiting(state),
    summary: summaryOf({ ...page, invoice }, state, words),
    ended: isZero ? { mood: 'done', ...words.nothingToPay } : endOf(state, words),
    kept: page.hasKeptCard ? words.keptCard.text(keptCardsOf(page, words)) : '',
    nextCharge: canPay && !declined?.isRetry ? nextChargeOf(page, words) : '',
    successUrl: /^https?:\/\//.test(invoice.successUrl) ? invoice.successUrl : '',
    alert: canPay ? (declined ?? refusalOf(page, words)) : undefined,
    isDeclined: canPay && declined !== undefined,
    /** The part that the payer has begun with: that of the latest ask. */
    begun: asksOf(page)[0]?.method,
    parts: (canPay ? acceptedOf(invoice) : []).map((method) => {
      const { name, path, icon, viewOf: partOf } = PARTS[method]
      return { method, name, path, icon, label: words.methods[method], view: partOf(page, words, places) }
    }),
  }
}

/** The stored cards that are charged automatically, as people call them. */
export function keptCardsOf({ keptCards }: PaymentPage, { language }: Words): string[] {
  return keptCards.map((card) => cardIn(language, card))
}

export type PaymentView = ReturnType<typeof viewOf>

function emptyInvoice(): never {
  throw new Error('a page without an invoice')
}

/** Returns the message that replaces the forms. */
function endOf(state: PageState, words: Words): (Said & { mood: string }) | undefined {
  if (state === 'PAID') return { mood: 'done', ...words.paid }
  if (state === 'VOID') return { mood: 'stopped', ...words.void }
  if (state === 'EXPIRED') return { mood: 'stopped', ...words.expired }
  return state === 'CONFIRMING' ? { mood: 'waiting', ...words.confirming } : undefined
}

/** What a page says of a stored card that is to be charged; empty where none is. */
function nextChargeOf({ nextCharge: next, waitingAmount }: PaymentPage, words: Words): string {
  if (!next || waitingAmount > 0) return ''
  return words.nextCharge(momentIn(words.language, next.at), nameOf(next.card, words))
}

function nameOf(card: CardName | undefined, { language }: Words): string | undefined {
  return card && cardIn(language, card)
}

/**
 * Returns the decline of the last card, unless the payer has begun to pay otherwise since. `isRetry`: it says when a
 * stored card is charged again.
 */
function declineOf(page: PaymentPage, words: Words): (Said & { isRetry: boolean }) | undefined {
  const { declined, language } = words
  const last = latestCardTry(page.invoice)
  const begunAt = asksOf(page)[0]?.createdAt ?? 0
  if (last?.status !== InvoiceTransactionStatus.FAILED || last.createdAt < begunAt) return undefined
  const advice = declined.advice[last.decline?.advice ?? DeclineAdvice.UNSPECIFIED]
  const next = page.nextCharge?.retry && page.waitingAmount === 0 ? page.nextCharge : undefined
  const card = nameOf(page.triedCard, words)
  const rest = next ? declined.retry(momentIn(language, next.at), card, nameOf(next.card, words)) : advice
  const text = `${declined.nothingCharged(card)} ${rest}`
  return { title: declined.title, text, isRetry: next !== undefined }
}

function refusalOf(page: PaymentPage, words: Words): Said | undefined {
  const refused = asksOf(page).find(({ status }) => status === 'REFUSED')
  return refused && PARTS[refused.method].asks?.refused(words)
}
