import { maskCardNumbersIn } from './card-number'
import { isBounded, isJsonObject, parseJson, pointerTo, type Json } from './json'
import type { Pan } from './pan'
import { HIDDEN, isSensitiveName } from './sensitive-names'

/**
 * A partner's answer without card data: the number that was sent, whatever else looks like a card number, and what
 * is card data by its name. `identifiers`: JSON pointers whose digits are the partner's own; only the number that was
 * sent is masked there. An answer without card data is returned byte for byte.
 */
export function maskAnswer(body: Buffer, sent: Pan, identifiers: readonly string[]): Buffer {
  const parsed = parseJson(body)
  if (parsed === undefined || !isBounded(parsed)) return maskText(body, sent)
  const masked = JSON.stringify(maskJson(parsed, '', sent.reveal(), identifiers))
  return masked === JSON.stringify(parsed) ? body : Buffer.from(masked)
}

function maskJson(node: Json, pointer: string, sent: string, identifiers: readonly string[]): Json {
  if (Array.isArray(node)) {
    return node.map((element, index) => maskJson(element, pointerTo(pointer, index), sent, identifiers))
  }
  if (isJsonObject(node)) {
    const members = Object.entries(node).map(([name, value]): [string, Json] => {
      const at = pointerTo(pointer, name)
      const masked = maskJson(value, at, sent, identifiers)
      return [maskCardNumbersIn(name, sent), isSensitiveName(name) ? hideUnlessMasked(masked) : masked]
    })
    return Object.fromEntries(members)
  }
  if (typeof node !== 'string' && typeof node !== 'number') return node
  const text = String(node)
  const masked = identifiers.includes(pointer) ? text.replaceAll(sent, HIDDEN) : maskCardNumbersIn(text, sent)
  return masked === text ? node : masked
}

/** Of card data by name only what a partner, or we, masked already may be shown: `411111******1111`. */
function hideUnlessMasked(value: Json): Json {
  const shown = value === null || (typeof value === 'string' && /^\d{0,6}\*+\d{0,4}$/.test(value))
  return shown ? value : HIDDEN
}

/** Bytes that are not JSON: read one byte a character, so that what is not masked stays as it was. */
function maskText(body: Buffer, sent: Pan): Buffer {
  return Buffer.from(maskCardNumbersIn(body.toString('latin1'), sent.reveal()), 'latin1')
}
