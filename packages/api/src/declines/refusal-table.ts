/** A code with which the acquirer refuses a payment before any issuer sees it, and the member that it did not take. */
export type Refusal = { codes: readonly string[]; member: string; message: string }

/** The codes that a seller can act on, from the error table of Cielo's e-commerce API. The rest concern the operator. */
export const REFUSALS: readonly Refusal[] = [
  {
    codes: ['117', '214'],
    member: 'holder.name',
    message:
      'The acquirer does not take the name of the card’s holder. It takes the letters A to Z and spaces.',
  },
  { codes: ['105', '155'], member: 'customer.name', message: 'The acquirer does not take the payer’s name.' },
  {
    codes: ['104', '156', '157', '304'],
    member: 'customer.document',
    message: 'The acquirer does not take the payer’s document.',
  },
  { codes: ['158'], member: 'customer.email', message: 'The payer’s e-mail address is too long.' },
  {
    codes: ['183'],
    member: 'customer.birthdate',
    message: 'The acquirer does not take the payer’s date of birth.',
  },
  {
    codes: ['147', '148', '149', '150', '151', '152', '153', '154'],
    member: 'customer.address',
    message: 'A part of the payer’s address is too long.',
  },
  {
    codes: ['130', '180', '181'],
    member: 'cardToken',
    message: 'The acquirer could not read the card. Ask the shopper for the card again.',
  },
  { codes: ['146'], member: 'cvv', message: 'The acquirer does not take the security code.' },
  {
    codes: ['123', '179'],
    member: 'installments',
    message: 'The acquirer does not take this many installments.',
  },
  { codes: ['185'], member: 'card', message: 'The acquirer does not take the brand of this card.' },
]

/** Zero Auth, the acquirer's verification of a card with amount 0, has a code of its own. For a sale, 57 is a decline. */
export const VERIFICATION_REFUSAL: Refusal = {
  codes: ['57'],
  member: 'card',
  message: 'The acquirer cannot verify a card of this brand with amount 0. Authorize the real amount.',
}

/** Returns the explanation of a refusal of a payment, in cents; undefined for a code that concerns no member. */
export function refusalOf(acquirerCode: string, amount: number): Refusal | undefined {
  const known = amount === 0 ? [VERIFICATION_REFUSAL, ...REFUSALS] : REFUSALS
  return known.find(({ codes }) => codes.includes(acquirerCode.trim()))
}
