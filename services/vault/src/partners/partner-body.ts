import { pointerTo } from '@cofre/platform/json'
import { DomainError } from '@cofre/platform/errors'
import type { Card } from '../cards/card'
import type { Expiration } from '../body/expiration'
import { isJsonObject, type Json, type JsonObject } from '../body/json'
import { PLACEHOLDERS, type PartnerSetting, type Placeholder } from './partners'

const BY_TEXT = new Map<string, Placeholder>(PLACEHOLDERS.map((name) => [`{{${name}}}`, name]))

/**
 * The body with each placeholder filled in. Only a string that is a placeholder and nothing else counts, and what is
 * filled in is a value of the tree, not text: nothing can be injected. A member whose field the card lacks is left
 * out. Where the partner's settings don't allow that field the placeholder stays the text that it is: a customer may
 * be called so, and no caller can have card data put where it does not belong. Throws for a body with a place for card
 * data when there is no card: a newer caller may have named its card in a way that is not known here.
 */
export function fillPlaceholders(
  body: JsonObject,
  fields: PartnerSetting['fields'],
  card: Card | undefined,
): Json {
  return fill(body, '', fields, card && valuesOf(card)) ?? {}
}

type Values = Partial<Record<Placeholder, string | undefined>>

function fill(
  node: Json,
  pointer: string,
  fields: PartnerSetting['fields'],
  values: Values | undefined,
): Json | undefined {
  if (Array.isArray(node)) {
    return node.flatMap((element, index) => {
      const filled = fill(element, pointerTo(pointer, index), fields, values)
      return filled === undefined ? [] : [filled]
    })
  }
  if (isJsonObject(node)) {
    const members = Object.entries(node).flatMap(([name, value]): [string, Json][] => {
      const filled = fill(value, pointerTo(pointer, name), fields, values)
      return filled === undefined ? [] : [[name, filled]]
    })
    return Object.fromEntries(members)
  }
  const placeholder = typeof node === 'string' ? BY_TEXT.get(node) : undefined
  if (!placeholder || !fields[placeholder]?.includes(pointer)) return node
  if (!values) throw invalidCall()
  return values[placeholder]
}

function valuesOf({ number, holderName, expiration, cvv, token }: Card): Values {
  return {
    cardNumber: number.reveal(),
    holderName: holderName || undefined,
    'expiration:MM/YYYY': monthAndYear(expiration),
    cvv: cvv?.reveal(),
    tokenNumber: token?.number.reveal(),
    'tokenExpiration:MM/YYYY': token && monthAndYear(token.expiration),
    cryptogram: token?.cryptogram?.reveal(),
  }
}

function monthAndYear({ month, year }: Expiration): string {
  return `${String(month).padStart(2, '0')}/${year}`
}

/** Of a call that no setting could make right. */
export function invalidCall(): DomainError {
  return new DomainError('invalid_argument', 'INTERNAL', 'The call to the partner is not well formed.')
}
