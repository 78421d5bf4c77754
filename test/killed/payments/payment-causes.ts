import type { What } from '../points'

const OF_PAYMENTS = [
  'boleto registration',
  'boleto query',
  'boleto withdrawal',
  'card payment begun',
  'card payment resolved',
  'boleto begun',
  'boleto saved',
  'money received',
] as const satisfies What[]

/** The story that leads to each moment of paying. */
export const PAYMENT_CAUSES: Partial<Record<What, 'payment'[]>> = Object.fromEntries(
  OF_PAYMENTS.map((moment) => [moment, ['payment']]),
)
