/** An acquirer's terms for the cards of a brand. */
export type BrandTerms = {
  /** Whether a payment may have more than one installment. */
  installments: boolean
  /** Whether a card can be verified without a sale (amount 0). */
  verification: boolean
}

/** The form of an acquirer's id. `fault` completes the sentence that refuses another one: "must be …". */
export type IdFormat = { pattern: RegExp; fault: string }

/** The rules and times that differ between acquirers. */
export type Capabilities = {
  /** By our name of the brand. The acquirer does not take a brand that is missing here. */
  brands: Readonly<Partial<Record<string, BrandTerms>>>
  merchantId: IdFormat
  paymentId: IdFormat
  /** The acquirer takes order numbers of capital letters and digits, up to this length; at least 16. */
  orderNumberLength: number
  /** How long one call may take. */
  timeoutMs: number
  /** The shortest time between two operations on one payment: the acquirer refuses a sooner one. */
  pauseMs: number
  /** How long an authorization may wait for its capture. */
  captureWindowDays: number
  /** How long after a call's last moment to leave the acquirer's silence still proves nothing. */
  absenceGraceMs: number
  /** How long after that moment a decline that its adapter calls `unsure` may still become an approval. */
  unsureDeclineMs: number
  /** How long after a sale the acquirer answers questions about it. */
  answeredForDays: number
}
