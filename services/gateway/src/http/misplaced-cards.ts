import { holdsCardNumber } from '@cofre/platform/card/card-number'
import type { FieldError } from '@cofre/platform/errors'
import { pointerTo } from '@cofre/platform/json'

/**
 * Returns the places where a card number stands by mistake, in a query or in a body that the vault does not read: it
 * would be stored in the open. A card number in a name is shown as a pointer to the object that holds it.
 */
export function misplacedCards(value: unknown, pointer = '#'): FieldError[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return holdsCardNumber(String(value)) ? [fault(pointer)] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, held]) => {
    if (holdsCardNumber(name)) return [fault(pointer)]
    const at = pointerTo(pointer, name)
    return isDocument(name, held) ? [] : misplacedCards(held, at)
  })
}

/** A CNPJ has as many digits as a Diners card, and some begin and end like a Diners number. */
function isDocument(name: string, value: unknown): boolean {
  return name === 'document' && /^\d{11}(\d{3})?$/.test(String(value))
}

function fault(pointer: string): FieldError {
  return { pointer, code: 'CARD_DATA_MISPLACED', detail: 'must not contain card data' }
}
