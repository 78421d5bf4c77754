import { holdsCardNumber, LONGEST_TEXT, LOOKS_LIKE_CARD } from '@cofre/platform/card/card-number'
import { isAskedNumber } from '@cofre/platform/card/tax-number'
import type { FieldError } from '@cofre/platform/errors'
import { pointerTo } from '@cofre/platform/json'

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Returns the places where a card number stands by mistake, in a query or in a body that the vault does not read: it
 * would be stored in the open. A card number in a name is shown as a pointer to the object that holds it. `refused`:
 * pointers of texts that their schema finds too long. Those are not searched, nor is a text too long for any schema.
 */
export function misplacedCards(value: unknown, refused = NOTHING, pointer = '#'): FieldError[] {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value)
    return !refused.has(pointer) && isCard(pointer, text) ? [fault(pointer, LOOKS_LIKE_CARD)] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, held]) => {
    if (isCard(pointer, name)) return [fault(pointer, `has a name in it that ${LOOKS_LIKE_CARD}`)]
    return misplacedCards(held, refused, pointerTo(pointer, name))
  })
}

function isCard(pointer: string, text: string): boolean {
  return text.length <= LONGEST_TEXT && holdsCardNumber(text) && !isAskedNumber(pointer, text)
}

function fault(pointer: string, detail: string): FieldError {
  return { pointer, code: 'CARD_DATA_MISPLACED', detail }
}
