import { isBounded, pointerTo } from '@cofre/platform/json'
import { isJsonObject, parseJson, type Json } from '../body/json'
import type { PartnerSetting } from './partners'
import { HIDDEN, isSensitiveName } from '@cofre/platform/card/sensitive-names'

// Digits enough for a card number, in one piece or in groups, whatever stands beside them.
const CARD_LIKE = /\d(?:[ .-]?\d){11}/
const DATE_AND_TIME = /\b\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?)?/g

/**
 * A partner's answer without card data. A text that holds digits enough for a card number is hidden whole, as is what
 * is card data by its name: were only the number that was sent hidden, a caller whose own guesses the partner echoes
 * would learn which of them is right. `secrets`: what the call carried or brought, hidden with the text around it, also
 * as a form spells it. `identifiers`: JSON pointers whose digits are the partner's own, `*` for any element
 * of an array; `captures`, `grants`: those of what stays here. The answer is always written anew: of a member that stands twice
 * only the last one was looked at.
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

// `/Payment/0/PaymentId` is the place `/Payment/*/PaymentId`.
function anyElement(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}

/** Of card data by name only what a partner, or we, masked already may be shown: `411111******1111`. */
function hideUnlessMasked(value: Json): Json {
  const shown = value === null || (typeof value === 'string' && /^\d{0,6}\*+\d{0,4}$/.test(value))
  return shown ? value : HIDDEN
}

/** Dates with their time are not counted; amounts have at most eleven digits. */
function maskText(text: string, secrets: readonly string[]): string {
  if (secrets.some((secret) => text.includes(secret))) return HIDDEN
  return CARD_LIKE.test(text.replace(DATE_AND_TIME, '')) ? HIDDEN : text
}

function asInForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
