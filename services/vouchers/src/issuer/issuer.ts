import type { DomainError } from '@cofre/platform/errors'
import type { CardType } from '../brands/brand'
import type { DeclineCode } from '../payment/decline'

/** Until when a call may leave, epoch milliseconds; in whose account; the id by which the issuer's support finds it. */
export type Dispatch = { sellerId: number; account: string; deadline: number; requestId: string }

export type Sale = {
  /** The vault has the card under it. */
  token: string
  /** The token with the CVV that was given for this once, sealed by the vault; empty: none was given. */
  handle: string
  orderNumber: string
  cardType: CardType
  /** Cents. */
  amount: number
  /** CPF or CNPJ of the buyer, without mask. */
  document: string
}

/** Nothing was done, and nothing left this machine: repeating is safe. `refusal`: why the vault would not call. */
type NotSent = { result: 'not_sent'; refusal?: DomainError }
/** Something may have left: never repeat, ask. */
type Unknown = { result: 'unknown' }

export type PaymentOutcome =
  /** `amount`: as the issuer approved it, cents. */
  | { result: 'approved'; amount: number; issuerPaymentId: string; authorizationCode: string }
  | { result: 'declined'; code: DeclineCode; issuerCode: string; issuerPaymentId: string }
  /** The issuer did not take the request: nothing was paid. */
  | { result: 'refused'; issuerCode: string }
  | NotSent
  | Unknown

export type CancelOutcome =
  | { result: 'done' }
  /** The issuer gives this payment back no more. */
  | { result: 'refused' }
  | NotSent
  | Unknown

/** The truth at the issuer about one payment. Amount in cents. */
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

/** A payment as the issuer is asked about it. */
export type Named = { orderNumber: string; issuerPaymentId: string }

/** The company that issued the cards of a brand, in our words. */
export type Issuer = {
  pay(sale: Sale, dispatch: Dispatch): Promise<PaymentOutcome>
  /** By our order number. */
  find(payment: Named, dispatch: Dispatch): Promise<Found>
  /** Gives the whole back. */
  cancel(payment: Named, dispatch: Dispatch): Promise<CancelOutcome>
}
