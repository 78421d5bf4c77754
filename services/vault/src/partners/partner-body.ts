import { pointerTo } from '@cofre/platform/json'
import { DomainError } from '@cofre/platform/errors'
import type { Card } from '../cards/card'
import type { Expiration } from '../body/expiration'
import { isJsonObject, type Json, type JsonObject } from '../body/json'
import type { Grant } from '../grants/grant'
import type { KeptGrant } from '../grants/grants'
import { PLACEHOLDERS, type PartnerSetting, type Placeholder } from './partners'

const BY_TEXT = new Map<string, Placeholder>(PLACEHOLDERS.map((name) => [`{{${name}}}`, name]))

/**
 * Returns the body with each placeholder filled in. Only a string that is a placeholder and nothing else counts. Its
 * value replaces a node of the tree, not text, so nothing can be injected. A member is left out when the card lacks its
 * field. A placeholder stays as text where the settings don't allow its field: a customer may have that name. No caller
 * can have card data put where it does not belong. Throws when the body has a place for card data but there is no card.
 * A newer caller may have named its card in an unknown way. The same holds for an identity provider's grant.
 */
export function fillPlaceholders(
  body: JsonObject,
  fields: PartnerSetting['fields'],
  { card, kept }: { card: Card | undefined; kept: KeptGrant | undefined },
): JsonObject {
  const values: Values = { ...(card ? valuesOfCard(card) : {}), ...(kept ? valuesOfGrant(kept.grant) : {}) }
  const valueOf = (placeholder: Placeholder) => {
    if (!(placeholder in values)) throw invalidCall()
    return values[placeholder]
  }
  return fillMembers(body, '', { fields, valueOf })
}

/** Returns the placeholders that stand where the settings allow them. */
export function placeholdersIn(body: JsonObject, fields: PartnerSetting['fields']): ReadonlySet<Placeholder> {
  const found = new Set<Placeholder>()
  fillMembers(body, '', { fields, valueOf: (placeholder) => void found.add(placeholder) })
  return found
}

type Values = Partial<Record<Placeholder, string | undefined>>
type Fill = { fields: PartnerSetting['fields']; valueOf(placeholder: Placeholder): string | undefined }

function fill(node: Json, pointer: string, how: Fill): Json | undefined {
  if (Array.isArray(node)) {
    return node.flatMap((element, index) => {
      const filled = fill(element, pointerTo(pointer, index), how)
      return filled === undefined ? [] : [filled]
    })
  }
  if (isJsonObject(node)) return fillMembers(node, pointer, how)
  const placeholder = typeof node === 'string' ? BY_TEXT.get(node) : undefined
  const isPlace = placeholder && how.fields[placeholder]?.includes(pointer)
  return isPlace ? how.valueOf(placeholder) : node
}

function fillMembers(object: JsonObject, pointer: string, how: Fill): JsonObject {
  const members = Object.entries(object).flatMap(([name, value]): [string, Json][] => {
    const filled = fill(value, pointerTo(pointer, name), how)
    return filled === undefined ? [] : [[name, filled]]
  })
  return Object.fromEntries(members)
}

function valuesOfCard({ number, holderName, expiration, cvv, token }: Card): Values {
  return {
    cardNumber: number.reveal(),
    holderName: holderName || undefined,
    'expiration:MM/YYYY': monthAndYear(expiration),
    'expiration:YYYYMM': `${expiration.year}${twoDigits(expiration.month)}`,
    cvv: cvv?.reveal(),
    tokenNumber: token?.number.reveal(),
    'tokenExpiration:MM/YYYY': token && monthAndYear(token.expiration),
    cryptogram: token?.cryptogram?.reveal(),
  }
}

function valuesOfGrant({ code, refreshToken }: Grant): Values {
  return { authorizationCode: code, refreshToken }
}

function monthAndYear({ month, year }: Expiration): string {
  return `${twoDigits(month)}/${year}`
}

function twoDigits(month: number): string {
  return String(month).padStart(2, '0')
}

/** The error for a call that no setting could make right. */
export function invalidCall(): DomainError {
  return new DomainError('invalid_argument', 'INTERNAL', 'The call to the partner is not well formed.')
}
