import { databaseNow } from '@cofre/platform/service/database-clock'
import { dayOf } from '@cofre/platform/calendar-day'
import { currentCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Language } from '../../http/route'

/** The format of a table for the spreadsheets of a country. */
export type Dialect = { before: string; separator: string; decimal: string }

const DIALECTS: Record<Language, Dialect> = {
  en: { before: '', separator: ',', decimal: '.' },
  // Excel in Portuguese ends a cell at a semicolon, and recognizes UTF-8 by its byte order mark.
  'pt-BR': { before: '\uFEFF', separator: ';', decimal: ',' },
}

/** The columns of a table: a name, and the cell of a row. */
export type Columns<Row> = readonly (readonly [
  name: string,
  cellOf: (row: Row, dialect: Dialect) => string,
])[]

/** Returns the first line (RFC 4180). */
export function csvHead<Row>(columns: Columns<Row>, language: Language): string {
  const { before, separator } = DIALECTS[language]
  return `${before}${columns.map(([name]) => name).join(separator)}\r\n`
}

/** Returns a line for each row (RFC 4180). */
export function csvLines<Row>(columns: Columns<Row>, rows: readonly Row[], language: Language): string {
  const dialect = DIALECTS[language]
  return rows
    .map((row) => `${columns.map(([, cellOf]) => cellOf(row, dialect)).join(dialect.separator)}\r\n`)
    .join('')
}

/**
 * The places where a formula may begin, also in a spreadsheet of another country, which uses the other separator. There, quotes
 * at the beginning of a cell are dropped. Full-width signs count in some languages.
 */
const FORMULA = /(^|[,;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/g

/** Puts an apostrophe before text that a spreadsheet would take for a formula (OWASP, CSV injection). */
export function textCell(text: string): string {
  const harmless = text.replace(FORMULA, "$1'")
  const isPlain = !/["\r\n,;]/.test(harmless)
  return isPlain ? harmless : `"${harmless.replaceAll('"', '""')}"`
}

/** A CPF or CNPJ in its printed form: a spreadsheet would take its digits for a number, and drop zeros. */
export function documentCell(document: string): string {
  const cpf = /^(\d{3})(\d{3})(\d{3})(\d{2})$/
  const cnpj = /^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/
  return textCell(document.replace(cpf, '$1.$2.$3-$4').replace(cnpj, '$1.$2.$3/$4-$5'))
}

export function day(moment: number | undefined): string {
  return moment === undefined ? '' : dayOf(moment)
}

export function reais(amountInCents: number, { decimal }: Dialect): string {
  const digits = String(Math.abs(amountInCents)).padStart(3, '0')
  return `${amountInCents < 0 ? '-' : ''}${digits.slice(0, -2)}${decimal}${digits.slice(-2)}`
}

/** How long one page may take. The whole file has no limit. */
const PAGE_MS = 30_000

/** The rows of the first page, so that a file begins as soon as a list is shown; each next page has twice as many, up to a limit. */
const FIRST_SIZE = 50
const SIZE_MAX = 500

/** A page of a file: its rows, and whether more follow. */
type Page = { more: boolean }

/**
 * The pages of a file. The first is read before the answer begins: a failure until then is a problem with its own
 * status. Each further page is requested after the one before was sent.
 */
export async function readPages<Each extends Page>(
  read: (size: number, before: Each | undefined, first: Each | undefined) => Promise<Each>,
): Promise<AsyncIterable<Each>> {
  const call = currentCall()
  if (!call) throw new Error('an export outside a call')
  // The stream requests pages long after the request began, so each page has a deadline of its own.
  const readInCall = (size: number, before?: Each, first?: Each) =>
    runCall({ ...call, deadline: databaseNow() + PAGE_MS }, () => read(size, before, first))
  const first = await readInCall(FIRST_SIZE)
  return (async function* () {
    let page = first
    for (let size = FIRST_SIZE; ; page = await readInCall(size, page, first)) {
      yield page
      if (!page.more) return
      size = Math.min(SIZE_MAX, 2 * size)
    }
  })()
}

/** The lines of a file, page by page. */
export async function* csvOf<Each extends Page, Row>(
  pages: AsyncIterable<Each>,
  columns: Columns<Row>,
  rowsOf: (page: Each) => readonly Row[],
  language: Language,
): AsyncGenerator<string> {
  yield csvHead(columns, language)
  for await (const page of pages) yield csvLines(columns, rowsOf(page), language)
}

/** The headers of a file. */
export function csvHeaders(name: string, language: Language) {
  return {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    'Content-Language': language,
  }
}

export const CSV_DIALECT =
  'With `Accept-Language: pt-BR` the file has semicolons, decimal commas and a byte order mark. Dates are days of America/Sao_Paulo, amounts are reais. Text that a spreadsheet would read as a formula begins with an apostrophe. Some generators of Java clients read every answer as JSON: read this one with an HTTP client.'
