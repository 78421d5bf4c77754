import type { ChargeReport, InvoiceReport, VoucherReport } from '@cofre/api/reports/report'
import { addDays } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import type { Request, RequestHandler, Response } from 'express'
import { csvHead, csvHeaders, csvLines, reais as reaisCell, type Columns } from '../../api/csv/csv'
import { sendText } from '../../http/answer'
import { askApi } from '../desk/api'
import { readFilters } from '../desk/filters'
import { faultsOf } from '../desk/list'
import type { Filter } from '../desk/thing'
import { monthLinks } from '../desk/months'
import { leaveOf } from '../pages'
import type { Portal } from '../portal-context'
import { todayOf } from '../sandbox/clock'
import { textOf, wordsOf } from '../words/language'
import type { Word } from '../words/portuguese'
import { day, link, reais, type Value } from '../words/value'
import { METHOD_COLUMNS, METHOD_CSV, methodLines, methodTable } from './methods'
import { salesOf, sumOf, type Amount, type Sales } from './sales'

const DAYS = 30

const FILTERS: readonly Filter[] = [
  { name: 'from', label: 'From', kind: 'day' },
  { name: 'to', label: 'To', kind: 'day' },
  {
    name: 'by',
    label: 'By',
    kind: 'choice',
    isAlwaysOne: true,
    options: [
      ['day', 'Day'],
      ['week', 'Week'],
      ['month', 'Month'],
    ],
  },
]

/** The amounts of a report, by the names of the CSV's columns. */
const AMOUNTS: readonly { name: Amount; label: Word }[] = [
  { name: 'captured', label: 'Charges captured' },
  { name: 'paid', label: 'Received on invoices' },
  { name: 'vouchers', label: 'Paid by voucher' },
  { name: 'fees', label: 'Payer fees' },
  { name: 'refunded', label: 'Amount refunded' },
  { name: 'disputed', label: 'Taken by disputes' },
  { name: 'won', label: 'Given back by disputes' },
  { name: 'net', label: 'Net' },
]

/** Sales by day, week or month. Its days stand in its address. */
export function showReport(portal: Portal): RequestHandler {
  return async (req, res) => {
    const asked = readAsked(req, res)
    const { sales, faults } = await ask(portal, res, asked)
    const words = wordsOf(res)
    const { t, show } = words
    portal.show(res, {
      view: 'reports',
      title: 'Reports',
      section: 'home',
      status: Object.keys(faults).length > 0 ? 422 : 200,
      data: {
        path: `${portal.root}/reports`,
        months: monthLinks(`${portal.root}/reports`, words, todayOf(res), { by: asked.by }),
        disputes: `${portal.root}/disputes?openedFrom=${asked.from}&openedTo=${asked.to}`,
        shownFilters: FILTERS.map(({ options = [], ...filter }) => ({
          ...filter,
          options: options.map(([value, text]) => [value, textOf(text, t)]),
        })),
        filters: asked,
        faults,
        isFiltered: Object.keys(readFilters(req, FILTERS)).length > 0,
        columns: AMOUNTS.map(({ label }) => t(label)),
        rows: sales
          .toReversed()
          .map((each) => [
            show(periodOf(each)),
            ...AMOUNTS.map(({ name }) => show(each[name] === 0 ? null : reais(each[name]))),
          ]),
        totals: AMOUNTS.map(({ name }) => show(reais(sumOf(sales, name)))),
        csv: `${portal.root}/reports.csv?${new URLSearchParams(asked).toString()}`,
        methods: methodTable(sales, asked, words),
        methodColumns: METHOD_COLUMNS.map((label) => t(label)),
        methodCsv: `${portal.root}/reports-by-method.csv?${new URLSearchParams(asked).toString()}`,
      },
    })
  }
}

/** The same as CSV, the oldest first. */
export function exportReport(portal: Portal): RequestHandler {
  return exported(portal, 'sales', COLUMNS, (sales) => sales)
}

/** Each way of paying in each period, as CSV. */
export function exportMethods(portal: Portal): RequestHandler {
  return exported(portal, 'sales-by-method', METHOD_CSV, methodLines)
}

function exported<Row>(
  portal: Portal,
  name: string,
  columns: Columns<Row>,
  rowsOf: (sales: readonly Sales[]) => readonly Row[],
): RequestHandler {
  return async (req, res) => {
    const { sales } = await ask(portal, res, readAsked(req, res))
    const { language } = wordsOf(res)
    leaveOf(res)()
    const rows = rowsOf(sales)
    const text = (async function* () {
      yield csvHead(columns, language)
      yield csvLines(columns, rows, language)
    })()
    await sendText(res, { status: 200, headers: csvHeaders(name, language), text })
  }
}

const COLUMNS: Columns<Sales> = [
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
  ...AMOUNTS.map(
    ({ name }) =>
      [
        name,
        (sales: Sales, dialect: Parameters<typeof reaisCell>[1]) => reaisCell(sales[name], dialect),
      ] as const,
  ),
]

/** A period, which leads to its own report: what was sold in it, by method. */
function periodOf({ from, to }: Sales): Value {
  const days =
    from === to ? day(from) : ({ word: '{from} to {to}', with: { from: day(from), to: day(to) } } as const)
  return link(`/reports?from=${from}&to=${to}`, days)
}

type Asked = { from: string; to: string; by: string }

function readAsked(req: Request, res: Response): Asked {
  const today = todayOf(res)
  return { from: addDays(today, 1 - DAYS), to: today, by: 'day', ...readFilters(req, FILTERS) }
}

async function ask(portal: Portal, res: Response, query: Asked) {
  try {
    const [charges, invoices, vouchers] = await Promise.all([
      askApi(portal, res, 'reportCharges', { query }),
      askApi(portal, res, 'reportInvoices', { query }),
      askApi(portal, res, 'reportVouchers', { query }),
    ])
    const sales = salesOf(
      (charges.body as ChargeReport).periods,
      (invoices.body as InvoiceReport).periods,
      (vouchers.body as VoucherReport).periods,
    )
    return { sales, faults: {} }
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== 'VALIDATION_FAILED') throw error
    return { sales: [], faults: faultsOf(error) }
  }
}
