/** The brands as their cards spell them. */
export const BRANDS: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'Amex',
  ELO: 'Elo',
  HIPERCARD: 'Hipercard',
  DINERS: 'Diners',
  DISCOVER: 'Discover',
  JCB: 'JCB',
}

/** "Visa •••• 1111". */
export function cardWords(card: { brand: string; lastFour: string }): string {
  return `${BRANDS[card.brand] ?? card.brand} •••• ${card.lastFour}`
}
