import type { MethodName } from '@cofre/api/methods/payment-methods'
import type { DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import type { Language } from '@cofre/platform/written'
import type { Installments } from './installments'
import type { BuyerField } from '../buy/buyer'

/** A heading and its text. */
export type Said = { title: string; text: string }

/** The faults of the fields of a card; the script shows each beside its field. */
export type CardFaults = {
  number: string
  expiry: string
  expired: string
  cvv: string
  holder: string
  installments: string
}

/** How often Pix Automático collects. */
export type PixEvery = 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUALLY' | 'YEARLY'

/** All texts of the page in one language. */
export type Words = {
  language: Language
  /** The other language of the page, with the name that it gives itself. */
  otherLanguage: { language: Language; name: string }
  skip: string
  /** The title of the window. */
  payTitle(number: string, sellerName: string): string
  labels: {
    invoice: string
    billedTo: string
    dueDate: string
    paidOn: string
    card: string
    items: string
    subtotal: string
    fine: string
    interest: string
    lateCharges: string
    refunded: string
    toPay: string
    /** To be paid after a part was. */
    left: string
    alreadyPaid: string
    writtenOff: string
    total: string
    paid: string
    pastDue: string
  }
  more(count: number): string
  moment(day: string, clock: string): string
  discount(lastDay: string): string
  includesLateCharges: string
  grows: string
  /** Of a sandbox alone. */
  playPayer: string
  /** Money came of which the seller has not decided yet. */
  waits(amount: string): string
  howToPay: string
  /** The name of each method. */
  methods: Record<MethodName, string>
  card: {
    number: string
    expiry: string
    expiryHint: string
    cvv: string
    cvvHint: string
    holder: string
    installments: string
    option(of: Installments, money: (cents: number) => string, interestFree: boolean): string
    pay(amount: string): string
    /** The button where the price depends on the number of payments. */
    payWithCard: string
    paying: string
    safe: string
    /** The payer’s consent to further charges. */
    keep: string
    needsScript: string
    needsHttps: string
    noAnswer: string
    faults: CardFaults
  }
  boleto: {
    intro: string
    create: string
    creating: string
    ready: string
    payUntil: string
    amount: string
    line: string
    copy: string
    copied: string
    pdf: string
    waits: string
    requested: Said
    unavailable: string
    refused: string
    barcode: string
  }
  pix: {
    intro: string
    create: string
    creating: string
    ready: string
    payUntil: string
    amount: string
    howTo: string
    code: string
    copy: string
    copied: string
    qrCode: string
    /** The time left, on the last day. */
    left: string
    waits: string
    /** Looks again. */
    havePaid: string
    /** Pix Automático: what the code permits too, and when the payer's bank pays this invoice. */
    automatic: {
      title: string
      text(of: { every: PixEvery; amount: string | undefined; first: string }): string
      cancel: string
      collected(day: string): string
    }
    requested: Said
    unavailable: string
    refused: string
  }
  /** The page of a payment link. */
  buy: {
    pageTitle(product: string, sellerName: string): string
    price: string
    payBy: string
    upTo(best: string): string
    who: string
    why: string
    name: string
    document: string
    email: string
    go: string
    faults: Record<BuyerField, string>
    closed: Said
    /** Too many purchases of one person wait for their payment. */
    waiting(minutes: number): Said
  }
  /** Cards that are charged automatically. `cards`: as people call them; empty when they are not known. */
  keptCard: {
    text(cards: readonly string[]): string
    remove: string
    /** Shown before they are removed. */
    ask: { title: string; text(cards: readonly string[]): string; yes: string; no: string }
    /** Shown once they are removed. */
    removed: { title: string; text(cards: readonly string[]): string; pay: string; back: string }
    /** How invoices come from then on, with an e-mail address of their payer and without. */
    mailed: string
    notMailed: string
  }
  /** A stored card will be charged on a day. `card` undefined: its name is not known. */
  nextCharge(on: string, card: string | undefined): string
  declined: {
    title: string
    nothingCharged(card: string | undefined): string
    /** A stored card is charged next on a day: `next`, or the same `card` again. */
    retry(on: string, card: string | undefined, next: string | undefined): string
    advice: Record<DeclineAdvice, string>
  }
  confirming: Said
  refresh: string
  paid: Said
  backToShop: string
  print: string
  void: Said
  expired: Said
  /** The invoice accepts no method that the page offers. */
  noMethod: string
  nothingToPay: Said
  notFound: Said
  tooMany: { title: string; text(minutes: number): string }
  openTooLong: Said
  sealExpired: Said
  /** The amount of the invoice is no longer the one that the page showed. */
  amountChanged: Said
  cardNotTaken: Said
  /** The issuer asks the payer on a page of its own. */
  challenge: Said & { go: string }
  /** The issuer did not authenticate the payer. */
  notAuthenticated: Said
  /** Too many payers return from their issuers at once: this payer may or may not have paid. */
  busy: Said
  tryAgain: string
  unavailable: Said
  failed: Said
  requestId: string
  footer: string
}
