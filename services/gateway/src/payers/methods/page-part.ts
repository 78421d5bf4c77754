import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import type { Said, Words } from '../checkout/words'

/** The paths of a page and, in `boletos`, of the boletos to print. `sandbox`: the URL at which payers are played. */
export type Places = { page: string; boletos: string; sandbox?: string | undefined }

/**
 * What was asked of the payer by a method, such as a boleto. REQUESTED: a bank has not answered. OPEN: it can be paid.
 * REFUSED: the bank made none. OVER: nobody can pay it any more. `createdAt`: epoch milliseconds.
 */
export type PageAsk = { status: 'REQUESTED' | 'OPEN' | 'PAID' | 'REFUSED' | 'OVER'; createdAt: number }

type Asks = {
  /** The latest ask that was not cancelled. */
  latest(page: PaymentPage): PageAsk | undefined
  /** The words for one that was refused. */
  refused(words: Words): Said
}

/** The part of the page for one method. */
export type PagePart = {
  /** Names its template, its button and its class. */
  name: string
  /** The path of its form, below the page's. */
  path: string
  /** The outline of its picture, 24 by 24. */
  icon: string
  /** What its template shows. */
  viewOf(page: PaymentPage, words: Words, places: Places): object
  /** Undefined for a method that asks nothing beforehand, such as a card. */
  asks: Asks | undefined
}
