import type { BookletFacts } from '../../src/booklets/html/draw-booklet'
import type { BookletSlip } from '../../src/booklets/booklet-slip'
import { addDays } from '@cofre/platform/calendar-day'
import { DEFAULT_THEME } from '../../src/catalog/themes/theme'
import { invoiceWith, noon } from './letters'
import { slip } from './slips'

/** A slip of a booklet that began in March 2027, by its cycle, with some changes. */
export function bookletSlip(
  cycle: number,
  changes: { invoice?: Parameters<typeof invoiceWith>[0]; boleto?: Parameters<typeof slip>[0] | null } = {},
): BookletSlip {
  const day = new Date(Date.UTC(2027, 1 + cycle, 10)).toISOString().slice(0, 10)
  const number = String(cycle).padStart(6, '0')
  const invoice = invoiceWith({
    id: cycle,
    invoiceNumber: number,
    dueDate: noon(day),
    amount: 123_456,
    recurringInvoiceId: 1,
    cycle,
    ...changes.invoice,
  })
  const boleto =
    changes.boleto === null
      ? null
      : slip({
          dueDay: day,
          lateOn: addDays(day, 1),
          payableUntil: addDays(day, 30),
          amount: 123_456,
          ourNumber: `1234567${String(cycle).padStart(10, '0')}`,
          documentNumber: number,
          ...changes.boleto,
        })
  return { invoice, boleto }
}

/** A booklet of twelve, seen on 1 March 2027. */
export function bookletWith(changes: Partial<BookletFacts> = {}): BookletFacts {
  return {
    slips: Array.from({ length: 12 }, (_, at) => bookletSlip(at + 1)),
    charges: 12,
    theme: DEFAULT_THEME,
    sellerName: 'Padaria Sol',
    isPayable: true,
    baseUrl: 'https://pay.example.com',
    at: noon('2027-03-01'),
    ...changes,
  }
}
