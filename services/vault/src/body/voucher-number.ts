import type { CardNumberFault } from '@cofre/platform/card/card-number'
import { isJsonObject, type Json } from './json'

/** The first fault of what was given as a voucher's number: 12 to 19 digits, whose check digit no issuer promises. */
export function faultOfVoucherNumber(value: string): CardNumberFault | undefined {
  if (!/^\d+$/.test(value)) return 'FORMAT'
  return value.length < 12 || value.length > 19 ? 'LENGTH' : undefined
}

/** Every voucher number that a body gives, even one that is badly written; at most `limit` of them. */
export function voucherNumbersIn(body: Json, limit: number): ReadonlySet<string> {
  const numbers = new Set<string>()
  const look = (node: Json): void => {
    if (typeof node !== 'object' || node === null || numbers.size >= limit) return
    if (isJsonObject(node) && Object.hasOwn(node, 'cardNumber')) addNumber(numbers, node.cardNumber)
    for (const inner of Object.values(node)) look(inner)
  }
  look(body)
  return numbers
}

function addNumber(numbers: Set<string>, given: Json | undefined): void {
  if (typeof given !== 'string' && typeof given !== 'number') return
  const digits = String(given).replaceAll(/[ .-]/g, '')
  if (faultOfVoucherNumber(digits) === undefined) numbers.add(digits)
}
