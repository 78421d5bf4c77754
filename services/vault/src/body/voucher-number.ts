import type { CardNumberFault } from '@cofre/platform/card/card-number'
import { isJsonObject, type Json } from './json'

/** Returns the first fault of a given voucher number, which has 12 to 19 digits. No issuer promises a check digit. */
export function faultOfVoucherNumber(value: string): CardNumberFault | undefined {
  if (!/^\d+$/.test(value)) return 'FORMAT'
  return value.length < 12 || value.length > 19 ? 'LENGTH' : undefined
}

/** Returns every voucher number in a body, also those with spaces, dots or dashes; at most `limit` of them. */
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
