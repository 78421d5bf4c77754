import { issuedRanges } from '@cofre/platform/card/card-brand'
import { moneyIn } from '@cofre/platform/written'
import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import {
  InvoiceTransactionStatus,
  PaymentMethod,
  type AcceptedMethod,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import { openBoletoOf } from './boleto-view'
import { installmentsOf, MOST_INSTALLMENTS } from './installments'
import { isPayable, isWaiting, latestCardTry, stateOf, type PageState } from './page-state'
import { summaryOf } from './summary-view'
import type { Said, Words } from './words'

/** The paths of a page and, in `boletos`, of the boletos to print. */
export type Places = { page: string; boletos: string }

/** Returns the contents of the page of an invoice at a moment (epoch milliseconds). */
export function viewOf(page: PaymentPage, words: Words, places: Places, at: number) {
  const { invoice = emptyInvoice(), boleto } = page
  const state = stateOf(page, at)
  const methods = invoice.acceptedMethods.map(({ method }) => method)
  const isZero = isPayable(state) && invoice.payableAmount === 0
  const canPay = isPayable(state) && !isZero
  const takes = (method: PaymentMethod) => canPay && methods.includes(method)
  return {
    state,
    waiting: isWaiting(state),
    summary: summaryOf(invoice, state, words),
    ended: isZero ? { mood: 'done', ...words.nothingToPay } : endOf(state, words),
    successUrl: /^https?:\/\//.test(invoice.successUrl) ? invoice.successUrl : '',
    alert: canPay ? (declineOf(page, words) ?? refusalOf(page, words)) : undefined,
    card: takes(PaymentMethod.CREDIT_CARD) ? cardOf(page, invoice, words) : undefined,
    boleto: takes(PaymentMethod.BOLETO)
      ? {
          requested: boleto?.status === BoletoStatus.PENDING,
          open: openBoletoOf(boleto, words.language, places.boletos),
        }
      : undefined,
  }
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

/** Returns the decline of the last card, unless the payer has asked for a boleto since. */
function declineOf({ invoice, boleto }: PaymentPage, { declined }: Words): Said | undefined {
  const last = latestCardTry(invoice)
  if (last?.status !== InvoiceTransactionStatus.FAILED || last.createdAt < (boleto?.createdAt ?? 0)) {
    return undefined
  }
  const advice = declined.advice[last.decline?.advice ?? DeclineAdvice.UNSPECIFIED]
  return { title: declined.title, text: `${declined.nothingCharged} ${advice}` }
}

function refusalOf({ boleto }: PaymentPage, { boleto: words, methods }: Words): Said | undefined {
  return boleto?.status === BoletoStatus.REFUSED ? { title: methods.boleto, text: words.refused } : undefined
}

/** The most payments over which the invoice may be spread by card. */
export function mostInstallments({ acceptedMethods }: Pick<Invoice, 'acceptedMethods'>): number {
  return cardSettingsOf(acceptedMethods)?.maxInstallments ?? MOST_INSTALLMENTS
}

/** True when the issuer authenticates the payer of a card payment. */
export function isAuthenticated({ acceptedMethods }: Pick<Invoice, 'acceptedMethods'>): boolean {
  return cardSettingsOf(acceptedMethods)?.threeDSecure ?? false
}

function cardSettingsOf(accepted: readonly AcceptedMethod[]) {
  return accepted.find(({ method }) => method === PaymentMethod.CREDIT_CARD)?.cardSettings
}

/** The full price by card over a number of payments, in cents. It includes a fee that the payer bears. */
export function priceOf({ invoice, cardPrices }: PaymentPage, installments: number): number {
  return cardPrices[installments - 1] ?? invoice?.payableAmount ?? 0
}

function cardOf(page: PaymentPage, invoice: Invoice, { card, language }: Words) {
  const payable = invoice.payableAmount
  const money = (cents: number) => moneyIn(language, cents)
  // Where the payer bears a fee, the full price depends on the number of payments, and each option shows it.
  const bearsFee = page.cardPrices.some((price) => price !== payable)
  const options = installmentsOf(payable, mostInstallments(invoice)).map(({ count }) => {
    const price = priceOf(page, count)
    const [each] = installmentsOf(price, count).slice(-1)
    const label = card.option(each ?? { count, each: price, first: price }, money, !bearsFee)
    return { value: count, price, label: bearsFee && count > 1 ? `${label} (${money(price)})` : label }
  })
  const pay = bearsFee && options.length > 1 ? card.payWithCard : card.pay(money(priceOf(page, 1)))
  const prices = options.map(({ price }) => price).join(',')
  return { options, pay, prices, brands: JSON.stringify(issuedRanges()) }
}
