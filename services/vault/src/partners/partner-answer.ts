import { isBounded, pointerTo } from '@cofre/platform/json'
import { isJsonObject, parseJson, type Json } from '../body/json'
import type { PartnerSetting } from './partners'
import { HIDDEN, isSensitiveName } from '@cofre/platform/card/sensitive-names'

// Enough digits for a card number, in one piece or in groups, with any text around them.
const CARD_LIKE = /\d(?:[ .-]?\d){11}/
const DATE_AND_TIME = /\b\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?)?/g

/**
 * Returns a partner's answer without card data. A text with enough digits for a card number is hidden whole, as is
 * card data known by its name. Hiding only the number that was sent would confirm a caller's guesses: where the
 * partner echoes them, the hidden one is right. `secrets`: those that the call carried or brought. The text around
 * one is hidden too, and so is its spelling in a form. `identifiers`: JSON pointers whose digits are the partner's own,
 * `*` for any array index. `captures`, `grants`: pointers of values that stay here. The answer is always serialized
 * again: of a member that stands twice, only the last one was looked at.
 */
export function maskAnswer(body: Buffer, secrets: readonly string[], setting: Shown): Buffer {
  const hidden = secrets.flatMap((secret) => [secret, asInForm(secret)])
  const parsed = parseJson(body)
  if (parsed === undefined || !isBounded(parsed))
    return Buffer.from(maskText(body.toString('latin1'), hidden), 'latin1')
  return Buffer.from(JSON.stringify(maskJson(parsed, '', hidden, setting)))
}

/** A header of an answer, hidden when it holds a secret. */
export function maskHeader(value: string, secrets: readonly string[]): string {
  return secrets.some((secret) => value.includes(secret)) ? HIDDEN : value
}

type Shown = Pick<PartnerSetting, 'identifiers' | 'captures' | 'grants'>

function maskJson(node: Json, pointer: string, secrets: readonly string[], setting: Shown): Json {
  if (Array.isArray(node)) {
    return node.map((element, index) => maskJson(element, pointerTo(pointer, index), secrets, setting))
  }
  if (isJsonObject(node)) {
    const members = Object.entries(node).map(([name, value]): [string, Json] => {
      const masked = maskJson(value, pointerTo(pointer, name), secrets, setting)
      return [maskText(name, secrets), isSensitiveName(name) ? hideUnlessMasked(masked) : masked]
    })
    return Object.fromEntries(members)
  }
  if (typeof node !== 'string' && typeof node !== 'number') return node
  const text = String(node)
  const { identifiers, captures, grants } = setting
  if (pointer === captures?.tokenNumber || pointer === captures?.cryptogram) return HIDDEN
  if (pointer === grants?.accessToken || pointer === grants?.refreshToken) return HIDDEN
  if (maskText(text, secrets) === text) return node
  const own = identifiers.includes(anyElement(pointer))
  return own && !secrets.some((secret) => text.includes(secret)) ? node : HIDDEN
}

// `/Payment/0/PaymentId` matches `/Payment/*/PaymentId`.
function anyElement(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}

/** Hides card data known by its name, unless the partner or the vault masked it already: `411111******1111`. */
function hideUnlessMasked(value: Json): Json {
  const shown = value === null || (typeof value === 'string' && /^\d{0,6}\*+\d{0,4}$/.test(value))
  return shown ? value : HIDDEN
}

/** Hides a text with a secret or a card-like number. Dates with times don't count; amounts have up to 11 digits. */
function maskText(text: string, secrets: readonly string[]): string {
  if (secrets.some((secret) => text.includes(secret))) return HIDDEN
  return CARD_LIKE.test(text.replace(DATE_AND_TIME, '')) ? HIDDEN : text
}

function asInForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
