import { cardIn, momentIn, type CardName } from '@cofre/platform/written'
import { addDays, dayOf, startOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { asksToPay, type AskingKind } from './queue/email'
import type { Item, WholeInvoice } from '../invoice/rules/invoice'
import { lateChargesOf } from '../invoice/rules/late-charges'
import { lateFromOf } from '../invoice/rules/lateness'
import { bookletOf } from './booklet-content'
import { ENGLISH } from './english'
import { declineReasonOf } from './decline-reason'
import type { LetterFacts } from './letter'
import { oneLine } from './plain-text'
import { PORTUGUESE } from './portuguese'
import type { Dueness, Of, Tried, Words } from './words'

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
  /** `url`: its page, where it has one. */
  items: { description: string; count: string; total: string; url?: string }[]
  /** How many items are left out; empty: none. */
  more: string
  /** The sums between the items and `amount`. */
  sums: Line[]
  note: string
  /** Where the invoice is paid. Undefined when it is paid already. */
  action: { label: string; url: string; orOpen: string } | undefined
  /** How to pay by Pix: `code`, which is a text to copy and a picture. Undefined: there is no charge to pay. */
  pix: { title: string; howTo: string; label: string; code: string; picture: string } | undefined
  footer: string[]
}

/** The most items of an invoice in a letter: its page has all of them. */
const ITEMS_SHOWN = 20

/** The content of a letter, in its language. Lateness is counted up to the moment `at`. */
export function contentOf(facts: LetterFacts): Content {
  const { kind, invoice, language } = facts
  const words = language === 'en' ? ENGLISH : PORTUGUESE
  const sellerName = oneLine(facts.sellerName ?? '')
  // What went back, and what nobody has to pay, is no bill: its letter lists no items.
  const items = kind === 'RECEIPT' || asksToPay(kind) ? invoice.items : []
  const more = kind === 'BOOKLET' ? 0 : items.length - ITEMS_SHOWN
  return {
    language,
    sellerName,
    greeting: words.greeting(oneLine(invoice.customer.name)),
    items: items.slice(0, ITEMS_SHOWN).map((item) => itemOf(item, words)),
    ...messageOf(facts, words, sellerName),
    pix: facts.pix && {
      ...words.pix,
      howTo: words.pix.howTo(words.day(facts.pix.payableUntil)),
      code: facts.pix.copyAndPaste,
    },
    itemsLabel: kind === 'BOOKLET' ? words.labels.invoices : words.labels.items,
    more: more > 0 ? words.more(more) : '',
    footer: [
      ...(facts.contact ? [words.questions(facts.contact)] : []),
      words.why(sellerName),
      ...(asksToPay(kind) ? [words.doubt(sellerName)] : []),
    ],
  }
}

function messageOf({ kind, ...facts }: LetterFacts, words: Words, sellerName: string): Message {
  if (kind === 'RECEIPT') return receiptOf(facts, words, sellerName)
  if (kind === 'GIVEN_BACK') return givenBackOf(facts, words, sellerName)
  if (kind === 'REFUNDED') return refundedOf(facts, words, sellerName)
  if (kind === 'VOIDED') return voidedOf(facts, words, sellerName)
  if (kind === 'BOOKLET') return bookletOf(facts, words, sellerName)
  return requestOf({ ...facts, kind }, words, sellerName)
}

/** What each kind of letter says itself. `items`: where they are not those of the invoice. */
export type Message = Pick<
  Content,
  'subject' | 'title' | 'sentence' | 'amount' | 'facts' | 'sums' | 'note' | 'action'
> &
  Partial<Pick<Content, 'items'>>

const ASKING = {
  ISSUED: 'issued',
  DECLINED: 'declined',
  NOT_COLLECTED: 'notCollected',
  RETRY_PLANNED: 'retry',
} as const

type Request = LetterFacts & { kind: Exclude<AskingKind, 'BOOKLET'> }

/** The letter that asks for payment. */
function requestOf({ kind, invoice, ...facts }: Request, words: Words, sellerName: string): Message {
  const { labels, money } = words
  const { paymentUrl, slip, at } = facts
  const { payableAmount, interestAmount } = lateChargesOf(invoice, at)
  const of = wordsFor(invoice, words)
  const from = words.from(sellerName)
  const said = kind === 'REMINDER' ? words.reminder[duenessOf(invoice, at)] : words[ASKING[kind]]
  const charge = kind === 'DECLINED' || kind === 'RETRY_PLANNED' ? invoice.automaticCharge : null
  const nextAttemptAt = charge?.nextAttemptAt ?? null
  const triedOn = nextAttemptAt === null ? undefined : words.day(dayOf(nextAttemptAt))
  // A first request has its due date.
  const freeDay = kind === 'ISSUED' ? undefined : lastFreeDay(invoice, at)
  return {
    subject: said.subject(of, from),
    title: said.title,
    sentence: said.sentence(of, from, triedOf(facts.cards, triedOn, words)),
    amount: { label: invoice.paidAmount > 0 ? labels.left : labels.toPay, value: money(payableAmount) },
    facts: [
      { label: labels.invoice, value: of.number },
      { label: labels.dueDate, value: of.due },
      ...(slip ? [{ label: labels.boletoLine, value: slip.line }] : []),
    ],
    sums: owedSums(invoice, words, at),
    note: [
      ...(charge ? [words.whyDeclined[declineReasonOf(charge.reason)]] : []),
      ...(freeDay === undefined ? [] : [words.free(words.day(freeDay))]),
      ...(facts.waiting > 0 ? [words.waits(money(facts.waiting))] : []),
      ...(interestAmount > 0 ? [words.grows] : []),
      ...(slip ? [words.attached] : []),
    ].join(' '),
    action: { label: labels.pay, url: paymentUrl, orOpen: words.orOpen },
  }
}

function triedOf(cards: LetterFacts['cards'], on: string | undefined, { language }: Words): Tried {
  const nameOf = (card: CardName | undefined) => card && cardIn(language, card)
  return { card: nameOf(cards?.tried), next: nameOf(cards?.next), on }
}

/** Days that a due date may move by, for holidays and a weekend. */
const HOLIDAYS = 10
const MOST_DAYS = 400

/** The last day on which a late invoice costs neither fine nor interest, where that is later than its due date. */
function lastFreeDay(invoice: WholeInvoice, at: number): CalendarDay | undefined {
  const [today, due] = [dayOf(at), lateFromOf(invoice)]
  if (today < due || !isFreeAt(invoice, at)) return undefined
  const starts = [invoice.fine, invoice.interest].flatMap((each) => each?.startsAfterDays ?? [])
  const days = Array.from({ length: Math.min(MOST_DAYS, Math.max(0, ...starts) + HOLIDAYS) }, (_none, day) =>
    addDays(due, day),
  )
  const first = days.find((day) => day > today && !isFreeAt(invoice, startOf(day)))
  const last = first && addDays(first, -1)
  return last !== undefined && last > due ? last : undefined
}

function isFreeAt(invoice: WholeInvoice, at: number): boolean {
  const { fineAmount, interestAmount } = lateChargesOf(invoice, at)
  return fineAmount === 0 && interestAmount === 0
}

type Told = Omit<LetterFacts, 'kind'>

/** The letter that reports a charge of a card that was given back. */
function givenBackOf({ invoice, attempted }: Told, words: Words, sellerName: string): Message {
  const { labels, givenBack, money } = words
  const of = wordsFor(invoice, words)
  const from = words.from(sellerName)
  const said = invoice.status === 'PAID' ? givenBack.paidOtherwise : givenBack.notTaken
  return {
    subject: givenBack.subject(of, from),
    title: givenBack.title,
    sentence: said(of, from),
    amount: { label: labels.givenBack, value: money(attempted) },
    facts: [{ label: labels.invoice, value: of.number }],
    sums: [],
    note: givenBack.shows,
    action: undefined,
  }
}

/** The letter that reports money that paid the invoice and went back, all or some of it. */
function refundedOf({ invoice, refund, at }: Told, words: Words, sellerName: string): Message {
  const { labels, refunded, money, day } = words
  const of = wordsFor(invoice, words)
  const from = words.from(sellerName)
  const { amount, method, isWhole, at: goneAt } = refund ?? { amount: 0, method: null, isWhole: false, at }
  const said = isWhole ? refunded.whole : refunded.part
  return {
    subject: refunded.subject(of, from, money(amount)),
    title: refunded.title,
    sentence: said(of, from, day(dayOf(goneAt))),
    amount: { label: labels.givenBack, value: money(amount) },
    facts: [{ label: labels.invoice, value: of.number }],
    sums: [],
    note: refunded.comes[method ?? 'EXTERNAL'],
    action: undefined,
  }
}

/** The letter that nobody need pay an invoice any more. */
function voidedOf({ invoice }: Told, words: Words, sellerName: string): Message {
  const { labels, voided, money } = words
  const of = wordsFor(invoice, words)
  const from = words.from(sellerName)
  return {
    subject: voided.subject(of, from),
    title: voided.title,
    sentence: voided.sentence(of, from),
    amount: { label: labels.voided, value: money(invoice.amount) },
    facts: [
      { label: labels.invoice, value: of.number },
      { label: labels.dueDate, value: of.due },
    ],
    sums: [],
    note: voided.note,
    action: undefined,
  }
}

/** What stands between the items and what is still to be paid. */
function owedSums(invoice: WholeInvoice, words: Words, at: number): Line[] {
  const { labels, money } = words
  const { amount, paidAmount, writtenOffAmount } = invoice
  const { fineAmount, interestAmount, payableAmount, ...early } = lateChargesOf(invoice, at)
  const { discountAmount, discountUntil = at } = early
  return [
    ...(payableAmount === amount ? [] : [{ label: labels.subtotal, value: money(amount) }]),
    ...lineOf(labels.fine, fineAmount, words),
    ...lineOf(labels.interest, interestAmount, words),
    ...lineOf(words.discount(words.day(dayOf(discountUntil))), discountAmount, words),
    ...lineOf(labels.alreadyPaid, paidAmount, words),
    ...lineOf(labels.writtenOff, writtenOffAmount, words),
  ]
}

/** The letter that confirms a payment. */
function receiptOf({ invoice, payments, paymentUrl, at }: Told, words: Words, sellerName: string): Message {
  const { labels, money, language } = words
  const { amount, paidAmount, refundedAmount, paymentDate } = invoice
  const of = wordsFor(invoice, words)
  const paidOn = momentIn(language, paymentDate ?? at)
  return {
    subject: words.receipt.subject(of, words.from(sellerName)),
    title: words.receipt.title,
    sentence: words.receipt.sentence(of, words.from(sellerName), paidOn),
    amount: { label: labels.paid, value: money(paidAmount) },
    facts: [
      { label: labels.invoice, value: of.number },
      { label: labels.paidOn, value: paidOn },
      ...(payments.length > 0
        ? [{ label: labels.paidBy, value: payments.map((each) => words.paidBy(each)).join(', ') }]
        : []),
    ],
    sums: [
      ...(paidAmount === amount ? [] : [{ label: labels.subtotal, value: money(amount) }]),
      ...lineOf(labels.lateCharges, paidAmount - amount, words),
      ...lineOf(labels.writtenOff, amount - paidAmount, words),
      ...lineOf(labels.refunded, refundedAmount, words),
    ],
    note: '',
    // Of a plan that charges a card, the receipt may be the only letter that leads to the page where the card is removed.
    action: invoice.automaticCharge
      ? { label: labels.manage, url: paymentUrl, orOpen: words.orOpen }
      : undefined,
  }
}

function wordsFor(invoice: WholeInvoice, { day }: Words): Of {
  const lastDay = day(addDays(invoice.lateOn, -1))
  return { number: oneLine(invoice.invoiceNumber), due: day(lateFromOf(invoice)), lastDay }
}

/** `grace`: the due day was no business day, and the next one has not passed (invoice/lateness.ts). */
function duenessOf(invoice: WholeInvoice, at: number): Dueness {
  const [due, today] = [lateFromOf(invoice), dayOf(at)]
  if (today < due) return 'before'
  if (today === due) return 'today'
  const mayCost = invoice.fine !== null || invoice.interest !== null
  return today < invoice.lateOn && mayCost ? 'grace' : 'late'
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
