import type { CalendarDay } from '@cofre/platform/calendar-day'
import { mod10, mod11 } from './check-digit'
import { dueFactor } from './due-factor'
import { BANK, freeFieldOf } from './our-number'

/** The largest amount, cents, that fits ten digits without reaching into the due factor. */
export const MAX_BOLETO_AMOUNT = 9_999_999_999
const REAL = '9'

/** The data of a barcode. Cents. */
export type Coded = { dueDay: CalendarDay; amount: number; ourNumber: string }

/** The 44 digits of the barcode (FEBRABAN: bank, currency, check digit, due factor, amount, free field). */
export function barcodeOf({ dueDay, amount, ourNumber }: Coded): string {
  return barcodeWith({ bank: BANK.code, dueDay, amount, freeField: freeFieldOf(ourNumber) })
}

/** The barcode of any bank. Throws for an amount below one cent or above 99,999,999.99. */
export function barcodeWith({
  bank,
  dueDay,
  amount,
  freeField,
}: {
  bank: string
  dueDay: CalendarDay
  amount: number
  freeField: string
}): string {
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > MAX_BOLETO_AMOUNT) {
    throw new Error('a boleto asks for 0.01 to 99,999,999.99')
  }
  if (!/^\d{25}$/.test(freeField)) throw new Error('a free field has 25 digits')
  const head = `${bank}${REAL}`
  const tail = `${dueFactor(dueDay)}${String(amount).padStart(10, '0')}${freeField}`
  return `${head}${mod11(head + tail)}${tail}`
}

/** The 47 digits that are typed in place of the barcode. */
export function digitableLineOf(barcode: string): string {
  const fields = [barcode.slice(0, 4) + barcode.slice(19, 24), barcode.slice(24, 34), barcode.slice(34, 44)]
  const checked = fields.map((field) => `${field}${mod10(field)}`)
  return `${checked.join('')}${barcode.slice(4, 5)}${barcode.slice(5, 19)}`
}

/** The digitable line as it is printed: 00190.00009 01234.567004 00000.042176 2 15030000012345. */
export function printedLine(line: string): string {
  return line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8')
}
