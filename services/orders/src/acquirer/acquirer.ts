import type { DomainError } from '@cofre/platform/errors'
import type { AcquirerReference, Card } from '../charge/charge'

/** A seller's account at the acquirer. The vault has its key. */
export type Account = { sellerId: number; merchantId: string }

/** Until when a call may leave, in epoch milliseconds, and the id by which the acquirer's support finds it. */
export type Dispatch = { account: Account; deadline: number; requestId: string }

export type CardHolder = {
  name: string
  document: string
  email: string
  birthdate: string
  address?: { street: string; number: string; city: string; state: string; zipCode: string } | undefined
}

/** 3-D Secure Data Only: the issuer sees the data, liability does not shift. */
export type DataOnly = {
  eci: string
  version: string
  referenceId: string
  authenticationValue?: string | undefined
}

/** The answer of a payer's 3-D Secure authentication. A successful one moves the liability to the issuer. */
export type PayerAuthentication = {
  /** Two digits. */
  eci: string
  version: string
  /** A secret of the payment; undefined when the payer was not authenticated. */
  authenticationValue: string | undefined
  referenceId: string | undefined
}

/** The vault finds a seller's card by it: sealed, or kept. */
export type CardReference = { handle: string } | { cardToken: string }

export type SentCard = { reference: CardReference; card: Card }

export type Sale = SentCard & {
  orderNumber: string
  /** Cents, above 0. */
  amount: number
  installments: number
  capture: boolean
  /** The seller charges a stored card while its holder is not there. */
  merchantInitiated: boolean
  customer: CardHolder
  dataOnly?: DataOnly | undefined
  authentication?: PayerAuthentication | undefined
}

/** Nothing was done: nothing left this machine, or it never arrived. `refusal` names the reason. */
type NotSent = { result: 'not_sent'; refusal?: DomainError }
/** The request may have left: never repeat it, ask. */
type Unknown = { result: 'unknown' }

export type AuthorizationOutcome =
  | { result: 'approved'; captured: boolean; reference: AcquirerReference }
  | { result: 'declined'; code: string; adviceCode: string; reference: AcquirerReference }
  /** The acquirer did not take the request, or aborted it: nothing is held. */
  | { result: 'refused'; code: string }
  | NotSent
  | Unknown

/** The outcome of one transaction: a capture, refund or void of one payment. */
export type OperationOutcome =
  | { result: 'done' }
  | { result: 'refused'; code: string }
  /** Another operation on the payment is in progress; nothing was done, try again in 5 s. */
  | { result: 'busy' }
  /** The payment is in no state to be voided: it is voided already, or it is too late. */
  | { result: 'gone' }
  | NotSent
  | Unknown

/** The acquirer's state of one payment. Amounts in cents. */
export type Found =
  | {
      result: 'found'
      /** `unsure`: declined with a code that means the acquirer itself does not know the outcome yet. */
      state: 'undecided' | 'unsure' | 'authorized' | 'captured' | 'declined' | 'aborted' | 'voided'
      amount: number
      capturedAmount: number
      voidedAmount: number
      code: string
      adviceCode: string
      reference: AcquirerReference
    }
  | { result: 'absent' }
  /** Several payments under one order number hold money: people must find out which one is ours. */
  | { result: 'several' }
  | Unknown

/** The company that moves the money, in our own terms. */
export type Acquirer = {
  authorize(sale: Sale, dispatch: Dispatch): Promise<AuthorizationOutcome>
  /** Asks the issuer whether a card is good. Nothing is held either way, so no answer counts as not sent. */
  verify(card: SentCard, dispatch: Dispatch): Promise<AuthorizationOutcome>
  capture(paymentId: string, amount: number, dispatch: Dispatch): Promise<OperationOutcome>
  /** Voids an authorized payment whole; refunds any part of the rest of a captured one. */
  void(paymentId: string, amount: number, dispatch: Dispatch): Promise<OperationOutcome>
  /** Finds a payment by the acquirer's id, or by our order number when the id is empty. */
  find(payment: { paymentId: string; orderNumber: string }, dispatch: Dispatch): Promise<Found>
}
