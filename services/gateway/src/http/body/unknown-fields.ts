import type { FieldError } from '@cofre/platform/errors'
import { pointerTo, safePointer } from '@cofre/platform/json'
import type { z } from 'zod'
import { MAX_LISTED, nearestOf } from '../faults'
import { isCountry, synonymOf } from './synonyms'
import { jsonSchemaOf, knownOf, type JsonSchema, type Known } from './known-members'

/**
 * Returns the faults of members of a body, or parameters of a query, that the schema does not know: a typo could move
 * money. A fault names the nearest known name.
 */
export function unknownFields(schema: z.ZodType, sent: unknown): FieldError[] {
  const root = jsonSchemaOf(schema)
  let unknown = 0
  // Only a fault that the answer shows is compared with all known names.
  const faultOf = (pointer: string, name: string, known: Known) => {
    unknown += 1
    return unknownField(pointer, name, unknown > MAX_LISTED ? [] : [...known.members.keys()])
  }
  const walk = (value: unknown, schemas: readonly JsonSchema[], pointer: string): FieldError[] => {
    if (typeof value !== 'object' || value === null) return []
    const known = knownOf(root, schemas)
    if (Array.isArray(value))
      return value.flatMap((entry, at) => walk(entry, known.entries, pointerTo(pointer, at)))
    const strayCard = known.isClosed ? strayCardIn(value, known) : []
    const strays = strayCard.length > 0 ? [strayCardFault(pointer)] : []
    const faults = Object.entries(value).flatMap(([name, held]) => {
      if (strayCard.includes(name)) return []
      const at = pointerTo(pointer, name)
      const schemasOfMember = known.members.get(name)
      if (schemasOfMember) return walk(held, schemasOfMember, at)
      return known.isClosed ? [faultOf(at, name, known)] : []
    })
    return [...strays, ...faults]
  }
  return walk(sent, [root], '#')
}

/** The members of a card, in the open or as the vault opened it. */
const OF_A_CARD = ['cardNumber', 'encryptedCard', 'holder', 'expiration', 'cvv']

/** Returns the members of a card that stand beside the member `card` rather than in it. */
function strayCardIn(value: object, { members }: Known): string[] {
  const hasCard = Object.hasOwn(value, 'cardNumber') || Object.hasOwn(value, 'encryptedCard')
  if (!hasCard || !members.has('card') || members.has('cardNumber')) return []
  return OF_A_CARD.filter((name) => Object.hasOwn(value, name) && !members.has(name))
}

function strayCardFault(pointer: string): FieldError {
  const detail = 'holds a card outside the member card: send card.encryptedCard, or card.cardNumber'
  return { pointer, code: 'UNKNOWN_FIELD', detail }
}

function unknownField(pointer: string, name: string, known: readonly string[]): FieldError {
  const listed = name.replace(/\[\]$/, '')
  if (listed !== name && known.includes(listed)) {
    const detail = `has no brackets: repeat ${listed}, or separate its values by commas`
    return { pointer: `#/${listed}`, code: 'UNKNOWN_FIELD', detail }
  }
  if (isCountry(name, known)) {
    const detail = 'is not known here: leave it out, because every address is in Brazil'
    return { pointer: safePointer(pointer), code: 'UNKNOWN_FIELD', detail }
  }
  const nearest = synonymOf(name, known) ?? nearestOf(name, known)
  const question = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return { pointer: safePointer(pointer), code: 'UNKNOWN_FIELD', detail: `is not known here${question}` }
}
