import type { Aging } from '@cofre/proto/invoices/v1/reports'
import type { Invoice } from '../invoice/rules/invoice'
import { owedAt } from '../invoice/rules/late-charges'
import { daysLate, lateFromOf } from '../invoice/rules/lateness'

/** What is counted of an invoice that somebody owes. */
export type OwedInvoice = Pick<
  Invoice,
  | 'id'
  | 'invoiceNumber'
  | 'customer'
  | 'status'
  | 'dueDate'
  | 'lateFrom'
  | 'lateOn'
  | 'open'
  | 'fine'
  | 'interest'
>

/** Some invoices that are late for the same days. Cents. */
export type Debt = { days: number; count: number; amount: number }

/** The columns of an aging list, by the first day that belongs to each. */
const COLUMNS = [
  ['over90Days', 91],
  ['days61To90', 61],
  ['days31To60', 31],
  ['days1To30', 1],
  ['notDue', 0],
] as const

export function agingOf(debts: readonly Debt[]): {
  [Column in (typeof COLUMNS)[number][0]]: NonNullable<Aging[Column]>
} {
  const none = () => ({ count: 0, amount: 0 })
  const aging = {
    notDue: none(),
    days1To30: none(),
    days31To60: none(),
    days61To90: none(),
    over90Days: none(),
  }
  for (const { days, count, amount } of debts) {
    const [column] = COLUMNS.find(([, first]) => days >= first) ?? ['notDue']
    aging[column].count += count
    aging[column].amount += amount
  }
  return aging
}

/** What some invoices of a customer are owed at a moment (epoch milliseconds). Cents. */
export function debtOf(invoices: readonly OwedInvoice[], at: number) {
  const [oldest] = invoices.toSorted((one, other) => (lateFromOf(one) < lateFromOf(other) ? -1 : 1))
  const owed = invoices.map((invoice) => ({ days: daysLate(invoice, at), ...owedAt(invoice, at) }))
  return {
    aging: agingOf(owed.map(({ days, principal: amount }) => ({ days, count: 1, amount }))),
    fine: owed.reduce((sum, { fine }) => sum + fine, 0),
    interest: owed.reduce((sum, { interest }) => sum + interest, 0),
    daysLate: Math.max(0, ...owed.map(({ days }) => days)),
    oldest,
  }
}
