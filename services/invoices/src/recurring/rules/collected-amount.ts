import { discountOf } from '../../invoice/rules/discounts'
import type { Invoice } from '../../invoice/rules/invoice'

/** Our own `refusal` of a collection that would ask for another amount than the payer has permitted. */
export const OTHER_AMOUNT = 'OTHER_AMOUNT'

/**
 * What Pix Automático collects of an invoice, cents: what is owed of it without lateness, less the discount until the due
 * date. It is the same in each cycle, whatever the weekday, and on each day of the tries: the payer permits one amount.
 */
export function collectedAmount(
  { amount, discounts }: Pick<Invoice, 'amount' | 'discounts'>,
  owed: number,
): number {
  const onDueDate = discounts.find(({ daysBeforeDueDate }) => daysBeforeDueDate === 0)
  return owed - (onDueDate ? Math.min(discountOf(amount, onDueDate), owed - 1) : 0)
}
