import type { AgingJson, CustomerAgingJson } from '@cofre/api/reports/aging'
import type { Block } from '../desk/thing'
import type { Word } from '../words/portuguese'
import { link, reais, word } from '../words/value'

/** The columns of an aging list, the youngest debts first. */
export const AGES: readonly { name: keyof AgingJson; label: Word }[] = [
  { name: 'notDue', label: 'Not due' },
  { name: 'days1To30', label: '1 to 30 days' },
  { name: 'days31To60', label: '31 to 60 days' },
  { name: 'days61To90', label: '61 to 90 days' },
  { name: 'over90Days', label: 'Over 90 days' },
]

/** What a customer owes; empty where the person may not see it. */
export type Debt = CustomerAgingJson | readonly []

/** What a customer owes, and for how long. */
export function debtBlocks(debt: Debt): Block[] {
  if (!('owed' in debt)) return []
  const { owed, pastDue, daysLate, oldestInvoice, fineInCents, interestInCents, isLowerBound } = debt
  const title = word('What the customer owes')
  if (!oldestInvoice) return [{ title, none: 'The customer owes nothing.' }]
  const more = (amount: number) => (amount > 0 ? reais(amount) : null)
  return [
    {
      title,
      facts: [
        [
          'Owed',
          isLowerBound
            ? word('More than {total}', { total: reais(owed.amountInCents) })
            : reais(owed.amountInCents),
        ],
        ['Of that, past due', reais(pastDue.amountInCents)],
        ['Oldest invoice', link(`/invoices/${oldestInvoice.id}`, oldestInvoice.invoiceNumber)],
        ['Days late', daysLate > 0 ? daysLate : null],
        ['Fine on top', more(fineInCents)],
        ['Interest on top', more(interestInCents)],
      ],
      table: {
        columns: [{ name: 'Lateness' }, { name: 'Invoices', number: true }, { name: 'Owed', number: true }],
        rows: AGES.filter(({ name }) => debt[name].count > 0).map(({ name, label }) => [
          word(label),
          debt[name].count,
          reais(debt[name].amountInCents),
        ]),
      },
    },
  ]
}
