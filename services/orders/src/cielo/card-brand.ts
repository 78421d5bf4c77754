import type { BrandTerms } from '../acquirer/capabilities'
import type { KnownBrand } from '../charge/brand-refusal'

/** `name`: Cielo's name of the brand. */
type CieloBrand = BrandTerms & { name: string }

const VERIFIED = { installments: true, verification: true }
const NOT_VERIFIED = { installments: true, verification: false }

/** The brands that Cielo takes. Discover, a foreign brand, takes one payment only; Zero Auth knows three brands. */
export const BRANDS: Readonly<Partial<Record<string, CieloBrand>>> = {
  VISA: { name: 'Visa', ...VERIFIED },
  MASTERCARD: { name: 'Master', ...VERIFIED },
  AMEX: { name: 'Amex', ...NOT_VERIFIED },
  ELO: { name: 'Elo', ...VERIFIED },
  HIPERCARD: { name: 'Hipercard', ...NOT_VERIFIED },
  DINERS: { name: 'Diners', ...NOT_VERIFIED },
  DISCOVER: { name: 'Discover', installments: false, verification: false },
  JCB: { name: 'JCB', ...NOT_VERIFIED },
}

/** True when Cielo wants to know that a card of the brand was kept for later use: those that it verifies. */
export function marksStoredCards({ brand, isGuess }: KnownBrand): boolean {
  return isGuess || BRANDS[brand]?.verification === true
}
