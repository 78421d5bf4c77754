import type { PaymentMethod } from '../../methods/methods'
import type { Owed } from './late-charges'

/**
 * What happened to money. PAYMENT: it came in. REFUND: it was given back the way it came. RETURN: it was given back in
 * another way. WRITE_OFF: the seller asks for it no more. DISPUTE: a card's holder took it back through the issuer.
 * DISPUTE_WON: it came back.
 */
export type MovementKind = 'PAYMENT' | 'REFUND' | 'RETURN' | 'WRITE_OFF' | 'DISPUTE' | 'DISPUTE_WON'

/** How money moved. EXTERNAL: outside this service, as the seller recorded it. */
export type MovementMethod = PaymentMethod | 'EXTERNAL'

/**
 * Why a part is asked for no more. LATENESS_WAIVED: of fine and interest. NOT_ASKED: the payer was asked for less.
 * EARLY_PAYMENT_DISCOUNT: the payment came in time.
 */
export type WriteOffReason = 'LATENESS_WAIVED' | 'NOT_ASKED' | 'BY_SELLER' | 'EARLY_PAYMENT_DISCOUNT'

/** The acquirer's names of a card payment, by which it is found in its statements. */
export type CardFacts = { nsu: string; tid: string; authorizationCode: string; installments: number }

/** What an amount is made of, cents; their sum is the amount. `fee`: borne by the payer on top of what was owed. */
export type Parts = Owed & { fee: number }

/** One entry of the journal of money: it is added and never changed. Cents; times in epoch milliseconds. */
export type Movement = Parts & {
  id: number
  sellerId: number
  /** Null for money that no invoice took. */
  invoiceId: number | null
  kind: MovementKind
  /** Null for a write-off: no money moved. */
  method: MovementMethod | null
  amount: number
  /** When the money moved. */
  at: number
  recordedAt: number
  /** The attempt to pay by which it moved, and the charge of the orders service. */
  transactionId: number | null
  chargeId: number | null
  receiptId: number | null
  /** Of a dispute: the orders service's id of it. */
  disputeId: number | null
  card: CardFacts | null
  /** Of a write-off. */
  reason: WriteOffReason | null
  /** What the seller said of it, and what it calls it elsewhere. */
  note: string | null
  reference: string | null
}

/** Where a movement comes from; what is left out is null. */
export type Source = Partial<
  Pick<Movement, 'transactionId' | 'chargeId' | 'receiptId' | 'disputeId' | 'card' | 'note' | 'reference'>
>

export const NOTHING: Owed = { principal: 0, fine: 0, interest: 0 }

export function sumOf({ principal, fine, interest }: Owed): number {
  return principal + fine + interest
}

type Of = Pick<Movement, 'sellerId' | 'kind' | 'method' | 'at' | 'recordedAt'> & {
  invoiceId: number | null
  reason?: WriteOffReason
}

/** A movement before it has an id. */
export function movement(of: Of, parts: Parts, source: Source = {}): Movement {
  const { principal, fine, interest, fee } = parts
  const none = {
    transactionId: null,
    chargeId: null,
    receiptId: null,
    disputeId: null,
    card: null,
    note: null,
    reference: null,
  }
  const amount = sumOf(parts) + fee
  return { id: 0, reason: null, ...none, ...of, amount, principal, fine, interest, fee, ...source }
}
