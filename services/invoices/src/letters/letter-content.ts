import { momentIn } from '@cofre/platform/written'
import { addDays, dayOf } from '../invoice/calendar-day'
import type { EmailKind } from '../email/email'
import type { Item, WholeInvoice } from '../invoice/invoice'
import { lateChargesOf } from '../invoice/late-charges'
import { ENGLISH } from './english'
import type { LetterFacts } from './letter'
import { oneLine } from './plain-text'
import { PORTUGUESE } from './portuguese'
import type { Dueness, Of, Words } from './words'

/** A label and its value. */
export type Line = { label: string; value: string }

/** The content of a letter, part by part, whether shown as HTML or as text. Each text is on one line. */
export type Content = {
  language: string
  subject: string
  /** Empty: the letter names no seller. */
  sellerName: string
  title: string
  greeting: string
  sentence: string
  /** The amount that the letter is about. */
  amount: Line
  facts: Line[]
  itemsLabel: string
  items: { description: string; count: string; total: string }[]
  /** How many items are left out; empty: none. */
  more: string
  /** The sums between the items and `amount`. */
  sums: Line[]
  note: string
  /** Where the invoice is paid. Undefined when it is paid already. */
  action: { label: string; url: string; orOpen: string } | undefined
  footer: string[]
}

/** The most items in a letter: the page of the invoice has all of them. */
const ITEMS_SHOWN = 20

/** The content of a letter, in its language. Lateness is counted up to the moment `at`. */
export function contentOf(facts: LetterFacts): Content {
  const { kind, invoice, language } = facts
  const words = language === 'en' ? ENGLISH : PORTUGUESE
  const sellerName = oneLine(facts.sellerName ?? '')
  return {
    language,
    sellerName,
    greeting: words.greeting(oneLine(invoice.customer.name)),
    ...(kind === 'RECEIPT'
      ? receiptOf(facts, words, sellerName)
      : requestOf({ ...facts, kind }, words, sellerName)),
    itemsLabel: words.labels.items,
    items: invoice.items.slice(0, ITEMS_SHOWN).map((item) => itemOf(item, words)),
    more: invoice.items.length > ITEMS_SHOWN ? words.more(invoice.items.length - ITEMS_SHOWN) : '',
    footer: [words.why(sellerName), ...(kind === 'RECEIPT' ? [] : [words.doubt])],
  }
}

type Message = Pick<
  Content,
  'subject' | 'title' | 'sentence' | 'amount' | 'facts' | 'sums' | 'note' | 'action'
>

const ASKING = { ISSUED: 'issued', DECLINED: 'declined' } as const

type Request = LetterFacts & { kind: Exclude<EmailKind, 'RECEIPT'> }

/** The letter that asks for payment. */
function requestOf({ kind, invoice, paymentUrl, at }: Request, words: Words, sellerName: string): Message {
  const { labels, money } = words
  const { fineAmount, interestAmount, payableAmount } = lateChargesOf(invoice, at)
  const of = wordsFor(invoice, words)
  const from = words.from(sellerName)
  const said = kind === 'REMINDER' ? words.reminder[duenessOf(invoice, at)] : words[ASKING[kind]]
  return {
    subject: said.subject(of, from),
    title: said.title,
    sentence: said.sentence(of, from),
    amount: { label: labels.toPay, value: money(payableAmount) },
    facts: [
      { label: labels.invoice, value: of.number },
      { label: labels.dueDate, value: of.due },
    ],
    sums: [
      ...(payableAmount > invoice.amount ? [{ label: labels.subtotal, value: money(invoice.amount) }] : []),
      ...lineOf(labels.fine, fineAmount, words),
      ...lineOf(labels.interest, interestAmount, words),
    ],
    note: interestAmount > 0 ? words.grows : '',
    action: { label: labels.pay, url: paymentUrl, orOpen: words.orOpen },
  }
}

/** The letter that confirms a payment. */
function receiptOf({ invoice, at }: LetterFacts, words: Words, sellerName: string): Message {
  const { labels, money, language } = words
  const { amount, paidAmount, refundedAmount, paymentDate } = invoice
  const of = wordsFor(invoice, words)
  const paidOn = momentIn(language, paymentDate ?? at)
  return {
    subject: words.receipt.subject(of, words.from(sellerName)),
    title: words.receipt.title,
    sentence: words.receipt.sentence(of, paidOn),
    amount: { label: labels.paid, value: money(paidAmount) },
    facts: [
      { label: labels.invoice, value: of.number },
      { label: labels.paidOn, value: paidOn },
    ],
    sums: [
      ...(paidAmount > amount ? [{ label: labels.subtotal, value: money(amount) }] : []),
      ...lineOf(labels.lateCharges, Math.max(paidAmount - amount, 0), words),
      ...lineOf(labels.refunded, refundedAmount, words),
    ],
    note: '',
    action: undefined,
  }
}

function wordsFor({ invoiceNumber, dueDate, lateOn }: WholeInvoice, { day }: Words): Of {
  return { number: oneLine(invoiceNumber), due: day(dayOf(dueDate)), lastDay: day(addDays(lateOn, -1)) }
}

/** `grace`: the due day was no business day, and the next one has not passed (invoice/lateness.ts). */
function duenessOf({ dueDate, lateOn }: WholeInvoice, at: number): Dueness {
  const [due, today] = [dayOf(dueDate), dayOf(at)]
  if (today < due) return 'before'
  if (today === due) return 'today'
  return today < lateOn ? 'grace' : 'late'
}

function lineOf(label: string, cents: number, { money }: Words): Line[] {
  return cents > 0 ? [{ label, value: money(cents) }] : []
}

function itemOf({ description, quantity, unitPrice }: Item, { money }: Words): Content['items'][number] {
  return {
    description: oneLine(description),
    count: quantity === 1 ? '' : `${quantity} × ${money(unitPrice)}`,
    total: money(quantity * unitPrice),
  }
}
