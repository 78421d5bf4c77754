import type { EmailKind, Language, RefundFacts } from './queue/email'
import type { BookletPaper } from './booklet-paper'
import type { ChargedCards } from './charged-cards'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { qrPng } from '@cofre/platform/qr-code'
import type { OpenPix } from './open-pix'
import type { Contact } from '../catalog/settings/billing-settings-store'
import type { Theme } from '../catalog/themes/theme'
import type { PaidWay } from '../invoice/store/paid-ways-store'
import { contentOf } from './letter-content'
import { htmlOf, PIX_PICTURE } from './letter-html'
import { textOf } from './letter-text'

/** The facts of which a letter is made. */
export type LetterFacts = {
  kind: EmailKind
  language: Language
  invoice: WholeInvoice
  theme: Theme
  /** Null: the letter names no seller. */
  sellerName: string | null
  /** Whom the payer asks. Null: the letter names the seller alone. */
  contact: Contact | null
  /** The page on which the invoice is paid, and what comes before the public id in the address of each. */
  paymentUrl: string
  pagesUrl: string
  /** Money that came, and of which the seller has not decided yet, cents. */
  waiting: number
  /** Undefined: the invoice has no boleto that can be paid, or the letter asks for no payment. */
  slip: Slip | undefined
  /** Undefined as a slip is. */
  pix: OpenPix | undefined
  /** With DECLINED and RETRY_PLANNED. */
  cards: ChargedCards | undefined
  /** With RECEIPT: how it was paid, each way once. */
  payments: readonly PaidWay[]
  /** With GIVEN_BACK: what the card was charged, cents. */
  attempted: number
  /** With BOOKLET. */
  booklet: BookletPaper | undefined
  /** With REFUNDED. */
  refund: RefundFacts | null
  /** Epoch milliseconds: lateness is counted up to then. */
  at: number
}

/** A boleto that can be paid now: its digitable line, and its page. */
export type Slip = { line: string; pdf: Buffer }

/** Finds the slip of an invoice. Undefined: there is none by which it can be paid now. */
export type SlipOf = (invoiceId: number) => Promise<Slip | undefined>

/** `cid`: names a picture that the letter itself shows. */
type Attachment = { filename: string; contentType: string; content: Buffer; cid?: string }

/** An e-mail as a customer reads it. */
export type Letter = {
  subject: string
  text: string
  html: string
  /** Where an answer goes. Undefined: nobody reads it. */
  replyTo?: string
  attachments?: Attachment[]
}

/** Writes the letter to a customer about an invoice. */
export function letterOf(facts: LetterFacts): Letter {
  const content = contentOf(facts)
  const { slip, pix, booklet, contact } = facts
  const attachments = [
    ...(slip ? [pdfOf('boleto.pdf', slip.pdf)] : []),
    ...(booklet?.pdf ? [pdfOf('boletos.pdf', booklet.pdf)] : []),
    ...(pix ? [pictureOf(pix)] : []),
  ]
  return {
    subject: content.subject,
    text: textOf(content),
    html: htmlOf(content, facts.theme),
    ...(contact?.email ? { replyTo: contact.email } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
  }
}

function pictureOf({ copyAndPaste }: OpenPix): Attachment {
  return { filename: 'pix.png', contentType: 'image/png', content: qrPng(copyAndPaste), cid: PIX_PICTURE }
}

function pdfOf(filename: string, content: Buffer): Attachment {
  return { filename, contentType: 'application/pdf', content }
}
