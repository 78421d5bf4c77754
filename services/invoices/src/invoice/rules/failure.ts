/** Why an attempt to pay failed without a decline of an issuer, in words for the seller. */
export const FAILURE_WORDS = {
  NOT_SENT: 'The payment did not reach the acquirer. Nothing was charged.',
  CARD_UNUSABLE: 'The card cannot be used. Nothing was charged.',
  TOO_MANY_ATTEMPTS: 'Too many payments were attempted at once. Nothing was charged.',
  REFUSED: 'The payment was refused before it reached the acquirer. Nothing was charged.',
  CHARGE_FAILED: 'The charge failed, and no issuer declined it. The transactions of the charge say why.',
  GIVEN_BACK: 'The invoice could not take this payment. The money was given back.',
} as const

export type Failure = keyof typeof FAILURE_WORDS

/** The failure of a payment that was refused before anything was done, by who refused it. */
const OF_REFUSAL = {
  busy: 'TOO_MANY_ATTEMPTS',
  card: 'CARD_UNUSABLE',
  token: 'CARD_UNUSABLE',
  seller: 'REFUSED',
} as const

/** The failure of a payment by which nothing was done. `refusedBy` is undefined when nobody refused it. */
export function failureOf(refusedBy: keyof typeof OF_REFUSAL | undefined): Failure {
  return refusedBy ? OF_REFUSAL[refusedBy] : 'NOT_SENT'
}
