import type { Invoice, Warning } from './invoice'

const CUSTOMARY_FINE_BPS = 200
const CUSTOMARY_INTEREST_BPS = 100
const WHOLE_BPS = 10_000
const DAYS_OF_A_MONTH = 30

/**
 * Warnings about terms that are accepted and that a court may reduce: for consumers a fine above 2 % (Código de Defesa
 * do Consumidor, art. 52 § 1), and interest above the customary 1 % a month.
 */
export function warningsOf({
  amount,
  fine,
  interest,
}: Pick<Invoice, 'amount' | 'fine' | 'interest'>): Warning[] {
  const fineBps = fine?.percentageBps ?? bpsOf(fine?.amountInCents ?? 0, amount)
  const ofMonth = (interest?.dailyAmountInCents ?? 0) * DAYS_OF_A_MONTH
  const interestBps = interest?.monthlyPercentageBps ?? bpsOf(ofMonth, amount)
  return [
    ...(fineBps > CUSTOMARY_FINE_BPS
      ? [{ pointer: '#/fine', code: 'FINE_ABOVE_CUSTOM', detail: 'is above 2 % of the total' }]
      : []),
    ...(interestBps > CUSTOMARY_INTEREST_BPS
      ? [
          {
            pointer: '#/interest',
            code: 'INTEREST_ABOVE_CUSTOM',
            detail: 'is above 1 % of the total a month',
          },
        ]
      : []),
  ]
}

function bpsOf(part: number, amount: number): number {
  if (part === 0) return 0
  return amount === 0 ? Infinity : (part * WHOLE_BPS) / amount
}
