import type { DomainError } from '@cofre/platform/errors'
import type { AcquirerReference, Card, Initiation } from '../charge/charge'
import type { AcquirerName } from './acquirer-name'
import type { Capabilities } from './capabilities'
import type { Disputes } from './dispute-cases'

/** A seller's account at an acquirer. The vault has its key. */
export type Account = { sellerId: number; merchantId: string }

/** Until when a call may leave, in epoch milliseconds, and the id by which the acquirer's support finds it. */
export type Dispatch = { account: Account; deadline: number; requestId: string }

export type CardHolder = {
  name: string
  document: string
  email: string
  birthdate: string
  address?:
    | { street: string; number: string; lineTwo: string; city: string; state: string; zipCode: string }
    | undefined
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

/**
 * A kept card, as the brands see it. `lastSaleId`: the issuer's id of the latest approved payment with it, which may be
 * empty; undefined when no payment with it was approved yet.
 */
export type StoredCredential = Initiation & { lastSaleId: string | undefined }

/** `brandIsGuess`: other brands may have issued the card too. `credential`: undefined when the card is not kept. */
export type SentCard = {
  reference: CardReference
  card: Card
  brandIsGuess: boolean
  credential: StoredCredential | undefined
}

export type Sale = SentCard & {
  orderNumber: string
  /** Cents, above 0. */
  amount: number
  installments: number
  capture: boolean
  customer: CardHolder
  /** What the card statement says. Empty: what the establishment has. */
  softDescriptor: string
  dataOnly?: DataOnly | undefined
  authentication?: PayerAuthentication | undefined
}

/** Nothing was done: nothing left this machine, or it never arrived. `refusal` names the reason. */
export type NotSent = { result: 'not_sent'; refusal?: DomainError }
/** The request may have left: never repeat it, ask. */
export type Unknown = { result: 'unknown' }

export type AuthorizationOutcome =
  | { result: 'approved'; captured: boolean; reference: AcquirerReference }
  /**
   * `code`: of ABECS, or the acquirer's own. `adviceCode`: Mastercard's. `renewed`: the issuer has given the stored card
   * a new number, under which it can be charged.
   */
  | { result: 'declined'; code: string; adviceCode: string; reference: AcquirerReference; renewed?: true }
  /** The acquirer did not take the request, or aborted it: nothing is held. */
  | { result: 'refused'; code: string }
  | NotSent
  | Unknown

/** The outcome of one transaction: a capture, refund or void of one payment. */
export type OperationOutcome =
  | { result: 'done' }
  | { result: 'refused'; code: string }
  /** Another operation on the payment is in progress; nothing was done, try again after the acquirer's pause. */
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

/** A company that moves the money, in our own terms. */
export type Acquirer = {
  capabilities: Capabilities
  authorize(sale: Sale, dispatch: Dispatch): Promise<AuthorizationOutcome>
  /** Asks the issuer whether a card is good. Nothing is held either way, so no answer counts as not sent. */
  verify(card: SentCard, dispatch: Dispatch): Promise<AuthorizationOutcome>
  capture(paymentId: string, amount: number, dispatch: Dispatch): Promise<OperationOutcome>
  /** Voids an authorized payment whole; refunds any part of the rest of a captured one. */
  void(paymentId: string, amount: number, dispatch: Dispatch): Promise<OperationOutcome>
  /** Finds a payment by the acquirer's id, or by our order number when the id is empty. */
  find(payment: { paymentId: string; orderNumber: string }, dispatch: Dispatch): Promise<Found>
  /** Undefined: it shows no disputes. */
  disputes?: Disputes
}

/** Who holds the money of charges and gives it back: an acquirer, or the sellers' bank for Pix. */
export type Holder = Pick<Acquirer, 'void'> & {
  /** Only cards are captured by a call of its own. */
  capture?: Acquirer['capture']
  capabilities: Pick<Capabilities, 'timeoutMs' | 'absenceGraceMs' | 'pauseMs' | 'paymentId'>
}

/** Every acquirer, by its name: a table without one does not compile. */
export type Acquirers = Readonly<Record<AcquirerName, Acquirer>>
