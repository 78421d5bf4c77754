import { sumOf } from '@cofre/platform/money'
import type { Item } from './invoice'

/** The sum of items, cents. */
export function amountOf(items: readonly Pick<Item, 'quantity' | 'unitPrice'>[]): number {
  return sumOf(items.map(({ quantity, unitPrice }) => quantity * unitPrice))
}
