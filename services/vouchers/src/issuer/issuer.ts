import type { DomainError } from '@cofre/platform/errors'
import type { CardType } from '../brands/brand'
import type { DeclineCode } from '../payment/decline'

/** How a call leaves: in whose account, until when (epoch milliseconds), and with which id for the issuer's support. */
export type Dispatch = { sellerId: number; account: string; deadline: number; requestId: string }

export type Sale = {
  /** The vault keeps the card under this token. */
  token: string
  /** The token with the CVV for this one payment, sealed by the vault; empty when none was given. */
  handle: string
  orderNumber: string
  cardType: CardType
  /** Cents. */
  amount: number
  /** CPF or CNPJ of the buyer, without mask. */
  document: string
}

/** The issuer did nothing: repeating is safe. `refusal`: why the vault would not call. */
type NotSent = { result: 'not_sent'; refusal?: DomainError }
/** The call may have left: never repeat it, ask the issuer. */
type Unknown = { result: 'unknown' }

export type PaymentOutcome =
  /** `amount`: the one that the issuer approved, in cents. */
  | { result: 'approved'; amount: number; issuerPaymentId: string; authorizationCode: string }
  | { result: 'declined'; code: DeclineCode; issuerCode: string; issuerPaymentId: string }
  /** The issuer did not take the request: nothing was paid. */
  | { result: 'refused'; issuerCode: string }
  | NotSent
  | Unknown

export type CancelOutcome =
  | { result: 'done' }
  /** The issuer no longer gives this payment back. */
  | { result: 'refused' }
  | NotSent
  | Unknown

/** The state of one payment at the issuer. Amount in cents. */
export type Found =
  | {
      result: 'found'
      state: 'approved' | 'declined' | 'canceled'
      amount: number
      issuerPaymentId: string
      authorizationCode: string
      code: DeclineCode
      issuerCode: string
    }
  | { result: 'absent' }
  | Unknown

/** The names by which the issuer is asked about a payment. */
export type Named = { orderNumber: string; issuerPaymentId: string }

/** The company that issued the cards of a brand, in our words. */
export type Issuer = {
  pay(sale: Sale, dispatch: Dispatch): Promise<PaymentOutcome>
  /** Finds a payment by our order number. */
  find(payment: Named, dispatch: Dispatch): Promise<Found>
  /** Gives the whole amount back. */
  cancel(payment: Named, dispatch: Dispatch): Promise<CancelOutcome>
}
