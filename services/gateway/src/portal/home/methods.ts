import type { Period } from '../../api/reports/periods'
import { reais as reaisCell, textCell, type Columns } from '../../api/csv/csv'
import { BRANDS } from '../words/card-words'
import { METHODS } from '../words/invoice-words'
import type { Words } from '../words/language'
import type { Word } from '../words/portuguese'
import { link, reais, word, type Value } from '../words/value'
import { byMethod, type MethodSales, type Sales } from './sales'

export const METHOD_COLUMNS: readonly Word[] = ['Payments', 'Gross', 'Amount refunded', 'Net']

/** What each way of paying brought in days, each with the way to its list, and the sum of all. */
export function methodTable(sales: readonly Sales[], days: Period, { show }: Words) {
  const methods = byMethod(sales)
  const sum = (of: (each: MethodSales) => number) => methods.reduce((all, each) => all + of(each), 0)
  return {
    rows: methods.map((each) => [
      show(link(listOf(each, days), nameOf(each))),
      ...amountsOf(each.count, each.sold, each.refunded).map(show),
    ]),
    totals: amountsOf(
      sum(({ count }) => count),
      sum(({ sold }) => sold),
      sum(({ refunded }) => refunded),
    ).map(show),
  }
}

function amountsOf(count: number, sold: number, refunded: number): Value[] {
  return [count, reais(sold), refunded === 0 ? null : reais(refunded), reais(sold - refunded)]
}

function nameOf({ source, method }: MethodSales): Value {
  if (source === 'vouchers') return word('Voucher {brand}', { brand: method })
  if (source === 'charges') return method === 'PIX' ? 'Pix' : (BRANDS[method] ?? method)
  return word('{method}, of invoices', { method: word(METHODS[method as keyof typeof METHODS]) })
}

function listOf({ source, method }: MethodSales, { from, to }: Period): string {
  return source === 'invoices'
    ? `/movements?from=${from}&to=${to}&method=${method}`
    : `/${source}?createdFrom=${from}&createdTo=${to}`
}

/** A line of the CSV: one way of paying in one period. */
export type MethodLine = Period & MethodSales

export function methodLines(sales: readonly Sales[]): MethodLine[] {
  return sales.flatMap(({ from, to, methods }) => methods.map((each) => ({ from, to, ...each })))
}

export const METHOD_CSV: Columns<MethodLine> = [
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
  ['source', ({ source }) => source],
  ['method', ({ method }) => textCell(method)],
  ['count', ({ count }) => String(count)],
  ['gross', ({ sold }, dialect) => reaisCell(sold, dialect)],
  ['refunded', ({ refunded }, dialect) => reaisCell(refunded, dialect)],
  ['net', ({ sold, refunded }, dialect) => reaisCell(sold - refunded, dialect)],
]
