// As the acquirer writes them.
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

/** The brand in the acquirer's words, or undefined for one that it does not take. */
export function acquirerBrand(brand: string): string | undefined {
  return ACQUIRER_NAMES[brand]
}

/** Whether the acquirer takes the brand in that many instalments: all but Discover, a foreign one, take several. */
export function brandTakes(brand: string, installments: number): boolean {
  return acquirerBrand(brand) !== undefined && (installments === 1 || brand !== 'DISCOVER')
}

/** Whether the acquirer can verify a card of the brand without a sale (Zero Auth). */
export function verifiesBrand(brand: string): boolean {
  return VERIFIED.includes(brand)
}

/** Whether the acquirer wants to be told that the card was kept for later use. */
export function marksStoredCards(brand: string): boolean {
  return VERIFIED.includes(brand)
}
