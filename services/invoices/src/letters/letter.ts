import type { EmailKind, Language } from '../email/email'
import type { WholeInvoice } from '../invoice/invoice'
import type { Theme } from '../theme/theme'
import { contentOf } from './letter-content'
import { htmlOf } from './letter-html'
import { textOf } from './letter-text'

/** The facts of which a letter is made. */
export type LetterFacts = {
  kind: EmailKind
  language: Language
  invoice: WholeInvoice
  theme: Theme
  /** Null: the letter names no seller. */
  sellerName: string | null
  /** The page on which the invoice is paid. */
  paymentUrl: string
  /** Epoch milliseconds: lateness is counted up to then. */
  at: number
}

/** An e-mail as a customer reads it. */
export type Letter = { subject: string; text: string; html: string }

/** Writes the letter to a customer about an invoice. */
export function letterOf(facts: LetterFacts): Letter {
  const content = contentOf(facts)
  return { subject: content.subject, text: textOf(content), html: htmlOf(content, facts.theme) }
}
