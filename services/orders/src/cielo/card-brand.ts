// The acquirer's names of the brands.
const ACQUIRER_NAMES: Record<string, string> = {
  VISA: 'Visa',
  MASTERCARD: 'Master',
  AMEX: 'Amex',
  ELO: 'Elo',
  HIPERCARD: 'Hipercard',
  DINERS: 'Diners',
  DISCOVER: 'Discover',
  JCB: 'JCB',
}

const VERIFIED = ['VISA', 'MASTERCARD', 'ELO']

/** The acquirer's name of a brand; undefined for a brand that it does not take. */
export function acquirerBrand(brand: string): string | undefined {
  return ACQUIRER_NAMES[brand]
}

/** True when the acquirer takes the brand in that many installments: Discover, a foreign brand, takes only one. */
export function brandTakes(brand: string, installments: number): boolean {
  return acquirerBrand(brand) !== undefined && (installments === 1 || brand !== 'DISCOVER')
}

/** True when the acquirer can verify a card of the brand without a sale (Zero Auth). */
export function verifiesBrand(brand: string): boolean {
  return VERIFIED.includes(brand)
}

/** True when the acquirer wants to know that a card of the brand was kept for later use. */
export function marksStoredCards(brand: string): boolean {
  return VERIFIED.includes(brand)
}
