import { BRAND_NAMES as BRANDS } from '@cofre/platform/card/card-brand'

export { BRANDS }

/** "Visa •••• 1111". */
export function cardWords(card: { brand: string; lastFour: string }): string {
  return `${BRANDS[card.brand] ?? card.brand} •••• ${card.lastFour}`
}
