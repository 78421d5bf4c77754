/** Why a receipt waits for a person. */
export type ReceiptReason =
  'UNDERPAID' | 'OVERPAID' | 'ALREADY_PAID' | 'INVOICE_VOIDED' | 'AFTER_EXPIRY' | 'UNKNOWN_BOLETO'

/** Money that the bank reports as received. Cents; epoch milliseconds. */
export type BankReceipt = { bankId: string; amount: number; paidAt: number }

/** The same as it is saved, with the part that no invoice took. */
export type Receipt = BankReceipt & {
  id: number
  sellerId: number | null
  account: string
  ourNumber: string
  boletoId: number | null
  invoiceId: number | null
  /** The part of the amount that no invoice takes. */
  unexpected: number
  reason: ReceiptReason | null
  resolvedAt: number | null
  resolution: string | null
  /** The member of the platform team who resolved it. Null when the seller did, or nobody has. */
  resolvedBy: string | null
  createdAt: number
}
