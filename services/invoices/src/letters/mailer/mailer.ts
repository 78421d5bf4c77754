import { count } from '@cofre/platform/telemetry/metrics'
import type { Letter } from '../letter'
import type { Language } from '../queue/email'

/** A letter to one recipient, as it is sent. */
export type Mail = Letter & {
  to: { name: string; address: string }
  /** The sender's name, for people to read. Null: the name that the deployment gave itself. */
  fromName: string | null
  /** The same each time this e-mail is sent: a mail server or mailbox that gets it twice can recognize it. */
  messageId: string
  language: Language
}

/** `refused`: for good; status 0: an invalid address, the server was not asked. `failed`: may have arrived; retry. */
export type MailOutcome =
  { is: 'sent' } | { is: 'refused'; status: number } | { is: 'failed'; code: string; status?: number }

/** Hands letters to a mail server. Never throws. */
export type Mailer = { send(mail: Mail): Promise<MailOutcome> }

/** Counts an attempt to send an e-mail. */
export function countTried(kind: string, outcome: string): void {
  count('emails_tried', 'Attempts to send e-mails, by outcome.', { kind, outcome })
}
