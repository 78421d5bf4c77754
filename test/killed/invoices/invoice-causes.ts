import type { What } from '../points'

const OF_INVOICES = [
  'customer made',
  'customer deleted',
  'product made',
  'invoice made',
  'invoice changed',
  'past due told',
  'invoice events published',
  'invoice outbox emptied',
  'invoice notification',
] as const satisfies What[]

/** The story that leads to each moment of invoices. */
export const INVOICE_CAUSES: Partial<Record<What, 'invoice'[]>> = Object.fromEntries(
  OF_INVOICES.map((moment) => [moment, ['invoice']]),
)

/** The moment of an invoice that stays unpaid after its due date. */
export const OF_LATENESS: readonly What[] = ['past due told']
export const OF_CUSTOMERS_ENDS: readonly What[] = ['customer deleted']
