/** Why money is on the list of what waits for a person. */
export type ReceiptReason =
  'UNDERPAID' | 'OVERPAID' | 'ALREADY_PAID' | 'INVOICE_VOIDED' | 'AFTER_EXPIRY' | 'UNKNOWN_BOLETO'

/** Money that the bank says came in. Cents; epoch milliseconds. */
export type BankReceipt = { bankId: string; amount: number; paidAt: number }

/** The same as it is kept: what an invoice took of it, and what none did. */
export type Receipt = BankReceipt & {
  id: number
  sellerId: number | null
  account: string
  ourNumber: string
  boletoId: number | null
  invoiceId: number | null
  /** Of the amount, what no invoice takes. */
  unexpected: number
  reason: ReceiptReason | null
  resolvedAt: number | null
  resolution: string | null
  /** Whoever of the platform team saw to it; null: the seller did, or nobody has. */
  resolvedBy: string | null
  createdAt: number
}
