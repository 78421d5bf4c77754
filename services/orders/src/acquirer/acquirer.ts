import type { DomainError } from '@cofre/platform/errors'
import type { AcquirerReference, Card } from '../charge/charge'

/** A seller's account at the acquirer. The vault has its key. */
export type Account = { sellerId: number; merchantId: string }

/** Until when a call may leave, epoch milliseconds, and the id by which the acquirer's support finds it. */
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

/** What a payer's authentication by 3-D Secure answered: it moves the liability to the issuer where it succeeded. */
export type PayerAuthentication = {
  /** Two digits. */
  eci: string
  version: string
  /** A secret of the payment; undefined where the payer was not authenticated. */
  authenticationValue: string | undefined
  referenceId: string | undefined
}

/** By which the vault finds a card of the seller: as it was sealed, or as it is kept. */
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

/** Nothing was done: nothing left this machine, or it never arrived. `refusal`: whose fault it was. */
type NotSent = { result: 'not_sent'; refusal?: DomainError }
/** Something may have left: never repeat, ask. */
type Unknown = { result: 'unknown' }

export type AuthorizationOutcome =
  | { result: 'approved'; captured: boolean; reference: AcquirerReference }
  | { result: 'declined'; code: string; adviceCode: string; reference: AcquirerReference }
  /** The acquirer did not take the request, or gave it up: nothing is held. */
  | { result: 'refused'; code: string }
  | NotSent
  | Unknown

/** Of one transaction: a capture, a refund or a void of one payment. */
export type OperationOutcome =
  | { result: 'done' }
  | { result: 'refused'; code: string }
  /** Another operation on the payment is in progress; nothing was done, try again in 5 s. */
  | { result: 'busy' }
  /** The payment is not in a state to be voided: undone already, or past the time. */
  | { result: 'gone' }
  | NotSent
  | Unknown

/** The truth at the acquirer about one payment. Amounts in cents. */
export type Found =
  | {
      result: 'found'
      /** `unsure`: declined with a code by which the acquirer itself does not know yet. */
      state: 'undecided' | 'unsure' | 'authorized' | 'captured' | 'declined' | 'aborted' | 'voided'
      amount: number
      capturedAmount: number
      voidedAmount: number
      code: string
      adviceCode: string
      reference: AcquirerReference
    }
  | { result: 'absent' }
  /** Several payments under one order number hold money: which one is ours is for people to find out. */
  | { result: 'several' }
  | Unknown

/** The company that moves the money, in our words. */
export type Acquirer = {
  authorize(sale: Sale, dispatch: Dispatch): Promise<AuthorizationOutcome>
  /** Asks the issuer whether a card is good. Nothing is held either way, so no answer counts as not sent. */
  verify(card: SentCard, dispatch: Dispatch): Promise<AuthorizationOutcome>
  capture(paymentId: string, amount: number, dispatch: Dispatch): Promise<OperationOutcome>
  /** Of an authorized payment the whole, of a captured one any part of what is left (a refund). */
  void(paymentId: string, amount: number, dispatch: Dispatch): Promise<OperationOutcome>
  /** By the acquirer's id, or where that is not known (empty) by our order number. */
  find(payment: { paymentId: string; orderNumber: string }, dispatch: Dispatch): Promise<Found>
}
