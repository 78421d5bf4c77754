import type { Card } from './card'
import { maskCardNumbersIn } from './card-number'
import { isBounded, isJsonObject, parseJson, pointerTo, type Json } from './json'
import { HIDDEN, isSensitiveName } from './sensitive-names'

type Sent = Pick<Card, 'number' | 'cvv'>

/**
 * A partner's answer without card data: the number that was sent, whatever else looks like a card number, and what
 * is card data by its name. `identifiers`: JSON pointers whose digits are the partner's own; only the number that was
 * sent is masked there. An answer without card data is returned byte for byte.
 */
export function maskAnswer(body: Buffer, sent: Sent, identifiers: readonly string[]): Buffer {
  const parsed = parseJson(body)
  if (parsed === undefined || !isBounded(parsed)) return maskBytes(body, sent)
  const masked = JSON.stringify(maskJson(parsed, '', sent, identifiers))
  return masked === JSON.stringify(parsed) ? body : Buffer.from(masked)
}

function maskJson(node: Json, pointer: string, sent: Sent, identifiers: readonly string[]): Json {
  if (Array.isArray(node)) {
    return node.map((element, index) => maskJson(element, pointerTo(pointer, index), sent, identifiers))
  }
  if (isJsonObject(node)) {
    const members = Object.entries(node).map(([name, value]): [string, Json] => {
      const masked = maskJson(value, pointerTo(pointer, name), sent, identifiers)
      return [maskText(name, sent), isSensitiveName(name) ? hideUnlessMasked(masked) : masked]
    })
    return Object.fromEntries(members)
  }
  if (typeof node !== 'string' && typeof node !== 'number') return node
  const text = String(node)
  const number = sent.number.reveal()
  const masked = identifiers.includes(pointer) ? text.replaceAll(number, HIDDEN) : maskText(text, sent)
  return masked === text ? node : masked
}

/** Of card data by name only what a partner, or we, masked already may be shown: `411111******1111`. */
function hideUnlessMasked(value: Json): Json {
  const shown = value === null || (typeof value === 'string' && /^\d{0,6}\*+\d{0,4}$/.test(value))
  return shown ? value : HIDDEN
}

/** Where the number is quoted, so may be the CVV; elsewhere three digits are anything. */
function maskText(text: string, sent: Sent): string {
  const masked = maskCardNumbersIn(text, sent.number.reveal())
  return masked === text ? text : hideCvv(masked, sent)
}

/** Bytes that are not JSON: read one byte a character, so that what is not masked stays as it was. */
function maskBytes(body: Buffer, sent: Sent): Buffer {
  const text = body.toString('latin1')
  return Buffer.from(hideCvv(maskCardNumbersIn(text, sent.number.reveal()), sent), 'latin1')
}

function hideCvv(text: string, { cvv }: Sent): string {
  return cvv ? text.replace(new RegExp(`(?<!\\d)${cvv.reveal()}(?!\\d)`, 'g'), HIDDEN) : text
}
