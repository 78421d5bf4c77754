import { invoiceStatus } from '@cofre/api/invoice'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { Language } from '../../http/route'
import { dayOf } from './invoice-day'

/** The format of a table for the spreadsheets of a country. */
type Dialect = { before: string; separator: string; decimal: string }

const DIALECTS: Record<Language, Dialect> = {
  en: { before: '', separator: ',', decimal: '.' },
  // Excel in Portuguese ends a cell at a semicolon, and recognizes UTF-8 by its byte order mark.
  'pt-BR': { before: '\uFEFF', separator: ';', decimal: ',' },
}

const COLUMNS: readonly (readonly [name: string, cellOf: (invoice: Invoice, dialect: Dialect) => string])[] =
  [
    ['id', ({ id }) => String(id)],
    ['invoiceNumber', ({ invoiceNumber }) => textCell(invoiceNumber)],
    ['status', ({ status }) => invoiceStatus.nameOf(status)],
    ['customerName', ({ customer }) => textCell(customer?.name ?? '')],
    ['customerDocument', ({ customer }) => textCell(customer?.document ?? '')],
    ['dueDate', ({ dueDate }) => day(dueDate)],
    ['closeDate', ({ closeDate }) => day(closeDate)],
    ['paymentDate', ({ paymentDate }) => day(paymentDate)],
    ['amount', ({ amount }, dialect) => reais(amount, dialect)],
    ['payable', ({ payableAmount }, dialect) => reais(payableAmount, dialect)],
    ['paid', ({ paidAmount }, dialect) => reais(paidAmount, dialect)],
    ['refunded', ({ refundedAmount }, dialect) => reais(refundedAmount, dialect)],
  ]

/** Returns the first line (RFC 4180). */
export function csvHead(language: Language): string {
  const { before, separator } = DIALECTS[language]
  return `${before}${COLUMNS.map(([name]) => name).join(separator)}\r\n`
}

/** Returns a line for each invoice (RFC 4180). */
export function csvLines(invoices: readonly Invoice[], language: Language): string {
  const dialect = DIALECTS[language]
  return invoices
    .map((invoice) => `${COLUMNS.map(([, cellOf]) => cellOf(invoice, dialect)).join(dialect.separator)}\r\n`)
    .join('')
}

/** The places where a cell may begin, also in a spreadsheet of another country, which uses the other separator. */
const FORMULA = /(^|[,;\t\r\n])(?=\s*[=+\-@])|^(?=[\t\r\n])/g

/** Puts an apostrophe before text that a spreadsheet would take for a formula (OWASP, CSV injection). */
function textCell(text: string): string {
  const harmless = text.replace(FORMULA, "$1'")
  const isPlain = !/["\r\n,;]/.test(harmless)
  return isPlain ? harmless : `"${harmless.replaceAll('"', '""')}"`
}

function day(moment: number | undefined): string {
  return moment === undefined ? '' : dayOf(moment)
}

function reais(amountInCents: number, { decimal }: Dialect): string {
  const digits = String(amountInCents).padStart(3, '0')
  return `${digits.slice(0, -2)}${decimal}${digits.slice(-2)}`
}
