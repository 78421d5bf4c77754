import type { Words } from '../words/language'
import { centsOf } from './fields'
import type { Thing } from './thing'

/** A filter that takes what a person typed. `typed`: as the list's own form has it. */
export type Way = { name: string; value: string; typed: string }

/** References of the seller's own, which are compared letter by letter. */
const REFERENCES: ReadonlySet<string> = new Set(['orderReference', 'referenceId'])
/** The digits of the numbers that Cofre gives invoices. */
const INVOICE_DIGITS = 6
/**
 * The form of what a filter compares, where the API takes any text: another text finds nothing by it, and is not asked
 * for. An acquirer's names of a sale (ISO 8583, fields 37 and 38) are kept as it sent them; a Pix has 32 letters and digits.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  nsu: /^(?=.*\d)[a-z\d]{1,20}$/i,
  tid: /^(?=.*\d)[a-z\d]{10,40}$/i,
  authorizationCode: /^[a-z\d]{1,8}$/i,
  endToEndId: /^E[a-z\d]{31}$/i,
  bankReceiptId: /^[\w.-]{1,100}$/,
  email: /@/,
}
/** "fatura 14", "Invoice #14", "contestação nº 3". */
const NAMED = /^(\p{L}{5,})\s+(?:n[ºo°.]*\s*)?#?(\S+)$/iu
/** As many letters of a list's name are the same in its singular. */
const STEM = 6

/** The lists to look in, and for what: a word before a number names one list. */
export function wantedOf(
  things: readonly Thing[],
  q: string,
  { t }: Words,
): { wanted: readonly Thing[]; text: string } {
  const [, kind = '', text = ''] = NAMED.exec(q) ?? []
  const stem = plain(kind).slice(0, STEM)
  const named =
    stem === '' || !/\d/.test(text) ? [] : things.filter(({ many }) => plain(t(many)).startsWith(stem))
  return named.length > 0 ? { wanted: named, text } : { wanted: things, text: q }
}

/** Every filter of a list that may take a text, with the few forms that it may stand in. */
export function waysOf({ searched = [], filters }: Thing, q: string): Way[] {
  const texts = searched.flatMap((name) => formsOf(name, q).map((value) => ({ name, value, typed: value })))
  const cents = /^R\$|,\d\d$/i.test(q) ? centsOf(q) : undefined
  if (cents === undefined) return texts
  const sums = filters.filter(({ kind }) => kind === 'money')
  return [...texts, ...sums.map(({ name }) => ({ name, value: String(cents), typed: q }))]
}

function formsOf(name: string, q: string): string[] {
  if (FORMS[name]?.test(q) === false) return []
  if (REFERENCES.has(name)) return [...new Set([q, q.toUpperCase(), q.toLowerCase()])]
  if (name === 'invoiceNumber' && /^\d+$/.test(q)) return [...new Set([q, q.padStart(INVOICE_DIGITS, '0')])]
  return [q]
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
