import type { InvoicesResult } from './measure-invoices'
import type { MeasuredCost } from './invoice-costs'

/** Returns the results as Markdown: lists and changes, exports. */
export function invoicesReport({ costs, exports }: InvoicesResult): string {
  const head = [
    '',
    'page',
    'p50 ms',
    'with few',
    'ratio',
    'p99 ms',
    'with few',
    'ratio',
    'SQL ms',
    'with few',
  ]
  const exported = exports.map(({ rows, seconds, memory }) => [
    rows.toLocaleString('en'),
    seconds.toFixed(1),
    (rows / seconds).toFixed(0),
    ...memory.flatMap(({ before, quarters }) => [
      before.toFixed(0),
      quarters.map((mib) => mib.toFixed(0)).join(' · '),
    ]),
  ])
  const names =
    exports[0]?.memory.flatMap(({ name }) => [
      `${name} before, MiB`,
      `${name} at most in each quarter, MiB`,
    ]) ?? []
  return [
    table(head, costs.map(rowOf)),
    'CSV, as it is sent:',
    table(['rows', 'seconds', 'rows/s', ...names], exported),
  ].join('\n\n')
}

function rowOf({ what, page, few, many }: MeasuredCost): string[] {
  const beside = (of: 'p50' | 'p99') => [
    many[of].toFixed(2),
    few[of].toFixed(2),
    (many[of] / few[of]).toFixed(2),
  ]
  return [what, page, ...beside('p50'), ...beside('p99'), many.sqlMs.toFixed(2), few.sqlMs.toFixed(2)]
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
