import { COLLECTIONS } from '../bills/collected'
import { ADDRESS } from '../things/customer-fields'
import type { Word } from '../words/portuguese'
import { EXTERNAL, METHODS } from '../words/invoice-words'
import { day, link, reais, taxNumber, word, type Value } from '../words/value'
import type { AuditRow } from './audit-store'

/** What a person typed, as the form calls it. Without `as` a number is shown as it is, and a text in quotes. */
type Named = {
  label: Word
  as?: 'money' | 'percent' | 'day' | 'time' | 'document'
  /** Codes in words. */
  words?: Readonly<Record<string, Word>>
  /** What ids were called when they were chosen. */
  chosen?: Readonly<Record<string, string>> | undefined
  /** The path of the things whose id it is. */
  to?: string
}

/** By the API's names, without the number of a row. */
const NAMES: Readonly<Record<string, Named>> = {
  ...Object.fromEntries(Object.entries(METHODS).map(([name, label]) => [name, { label }])),
  ...Object.fromEntries(Object.entries(ADDRESS).map(([name, label]) => [`address.${name}`, { label }])),
  active: { label: 'Sold' },
  affiliateId: { label: 'Store' },
  cardId: { label: 'Card', words: { kept: 'The card that the customer keeps' } },
  collectionMethod: { label: 'Payment', words: COLLECTIONS },
  customerId: { label: 'Customer', to: '/customers' },
  description: { label: 'Description' },
  'discounts.daysBeforeDueDate': { label: 'Ends how many days before the due date' },
  discounts: { label: 'Discount for early payment' },
  document: { label: 'CPF or CNPJ', as: 'document' },
  dueDate: { label: 'Due', as: 'day' },
  email: { label: 'E-mail' },
  endpointId: { label: 'Endpoint', to: '/endpoints' },
  endToEndId: { label: 'End-to-end id' },
  events: { label: 'Events' },
  feePassThrough: { label: 'The payer bears the card fee' },
  'fine.percentageBps': { label: 'Fine', as: 'percent' },
  'interest.monthlyPercentageBps': { label: 'Interest', as: 'percent' },
  invoice: { label: 'Invoice', to: '/invoices' },
  invoiceNumber: { label: 'Number of the invoice' },
  isOthers: { label: 'I have checked that the money is for another customer' },
  'items.productId': { label: 'Product', to: '/products' },
  'items.quantity': { label: 'Quantity' },
  'items.unitPriceInCents': { label: 'Unit price', as: 'money' },
  kind: { label: 'How', words: EXTERNAL },
  language: { label: 'Language', words: { 'pt-BR': 'Portuguese', en: 'English' } },
  logoUrl: { label: 'Logo' },
  maxInstallments: { label: 'Most installments' },
  methods: { label: 'Ways to pay by the link', words: METHODS },
  name: { label: 'Name' },
  nextCycleDate: { label: 'Next cycle', as: 'day' },
  note: { label: 'Note' },
  paidAt: { label: 'Paid on', as: 'day' },
  paymentLimitDate: { label: 'Payable until', as: 'day' },
  phone: { label: 'Phone' },
  'phone.areaCode': { label: 'Area code (DDD)' },
  'phone.number': { label: 'Phone' },
  primaryColor: { label: 'Buttons' },
  rateLimit: { label: 'Attempts per second, at most' },
  reason: { label: 'Reason' },
  reference: { label: 'Reference' },
  returnedAt: { label: 'Given back on', as: 'day' },
  scopes: { label: 'Scopes' },
  secondaryColor: { label: 'Secondary text' },
  since: { label: 'Since', as: 'time' },
  softDescriptor: { label: 'Text on the card statement' },
  to: { label: 'Moved to', as: 'time' },
  type: { label: 'Event' },
  url: { label: 'URL' },
  value: { label: 'Price', as: 'money' },
  writeOffRest: { label: 'Write off what the money does not cover' },
}

/** They stand in the sentence, or go with a form and say nothing. */
const LEFT_OUT: readonly string[] = [
  'amount',
  'amountInCents',
  'before',
  'named',
  'after',
  'role',
  'steps',
  'seen',
  'updatedAt',
  'another',
]

type Detail = Readonly<Record<string, unknown>>

/** What the sentence leaves out, each with its name: what was typed, and what stood there before. The CSV has the rest. */
export function detailsOf({ detail }: Pick<AuditRow, 'detail'>): Value[] {
  const given = detail as Detail
  const before = given['before']
  const was = typeof before === 'object' && before !== null ? (before as Detail) : {}
  const named = (given['named'] ?? {}) as Readonly<Record<string, Readonly<Record<string, string>>>>
  return Object.entries(given)
    .filter(([name, value]) => !LEFT_OUT.includes(name) && !isOfEmptyRow(name, given) && isShown(value))
    .map(([name, value]) => {
      const shownAs = NAMES[name.replace(/\.\d+/, '')]
      const known = shownAs && { ...shownAs, chosen: named[name] }
      const label = known ? word(known.label) : name
      const shown = Object.hasOwn(was, name)
        ? word('{name}: {after}, before {before}', {
            name: label,
            after: valueIn(known, value),
            before: valueIn(known, was[name]),
          })
        : word('{name}: {value}', { name: label, value: valueIn(known, value) })
      return known?.to && isId(value) ? link(`${known.to}/${value}`, shown) : shown
    })
}

/** A row of a form without a product bills nothing. */
function isOfEmptyRow(name: string, given: Detail): boolean {
  const [, row] = /^items\.(\d+)\./.exec(name) ?? []
  return row !== undefined && !Object.hasOwn(given, `items.${row}.productId`)
}

function isShown(value: unknown): boolean {
  return value !== null && value !== '' && (typeof value !== 'object' || Array.isArray(value))
}

function isId(value: unknown): value is string | number {
  return /^\d{1,15}$/.test(String(value))
}

function valueIn(known: Named | undefined, value: unknown): Value {
  if (typeof value === 'boolean') return word(value ? 'Yes' : 'No')
  if (value === null || value === '' || value === undefined) return word('nothing')
  if (Array.isArray(value)) return value.map((each) => codeIn(known, String(each)))
  if (typeof value === 'number') return numberIn(known, value)
  if (typeof value !== 'string') return null
  if (known?.as === 'document') return taxNumber(value)
  const isCode = known?.words !== undefined || known?.to !== undefined
  return isCode ? codeIn(known, value) : word('“{value}”', { value })
}

function codeIn(known: Named | undefined, value: string): Value {
  const text = known?.words?.[value]
  return text ? word(text) : (known?.chosen?.[value] ?? value)
}

function numberIn(known: Named | undefined, value: number): Value {
  if (known?.as === 'money') return reais(value)
  if (known?.as === 'percent') return word('{number}%', { number: value / 100 })
  if (known?.as === 'time') return { time: value }
  return known?.as === 'day' ? day(value) : codeIn(known, String(value))
}
