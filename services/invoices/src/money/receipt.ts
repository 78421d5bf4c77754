import type { BankReceipt, PaidFor } from '../methods/ask'
import type { AskMethod } from '../methods/methods'

/** Why a receipt waits for a person. */
export type ReceiptReason =
  | 'UNDERPAID'
  | 'OVERPAID'
  | 'ALREADY_PAID'
  | 'INVOICE_VOIDED'
  | 'AFTER_EXPIRY'
  | 'UNKNOWN_BOLETO'
  | 'UNKNOWN_PIX'

/**
 * What became of the last of it. APPLIED: an invoice took it. RETURNED: the seller gave it back. KEPT: the seller
 * keeps it as income without an invoice.
 */
export type ReceiptOutcome = 'APPLIED' | 'RETURNED' | 'KEPT'

/** The reason for money that no ask of a method asked for. */
export const UNKNOWN_ASK: Record<AskMethod, ReceiptReason> = {
  BOLETO: 'UNKNOWN_BOLETO',
  PIX: 'UNKNOWN_PIX',
}

/** Money of the bank as it is saved, with what it was paid for, and the part that no invoice took. */
export type Receipt = Omit<BankReceipt, 'returns' | 'original'> &
  PaidFor & {
    id: number
    sellerId: number | null
    /** Null when no ask of the account has the number. */
    askId: number | null
    invoiceId: number | null
    /** The part of the amount that no invoice takes. */
    unexpected: number
    /** What of that still waits for a person. */
    openAmount: number
    /** What of that is on its way back to the payer. */
    returningAmount: number
    reason: ReceiptReason | null
    /** When nothing of it waited any more. */
    resolvedAt: number | null
    outcome: ReceiptOutcome | null
    resolution: string | null
    /** The member of the platform team who resolved it. Null when the seller did, or nobody has. */
    resolvedBy: string | null
    /** How many events its seller was sent. */
    events: number
    createdAt: number
  }
