import type { Language } from '../email/email'

/** A letter to one customer, as it leaves. */
export type Mail = {
  to: { name: string; address: string }
  /** Who writes, to be read by people; null: the name that the deployment gave itself. */
  fromName: string | null
  /** The same whenever this e-mail is sent: a mail server or reader that gets it twice can tell. */
  messageId: string
  language: Language
  subject: string
  text: string
  html: string
}

/** `refused`: the server takes it neither now nor later; status 0: it was not asked, this is no address. `failed`: it may have it or not; to be tried again. */
export type MailOutcome =
  { is: 'sent' } | { is: 'refused'; status: number } | { is: 'failed'; code: string; status?: number }

/** Hands letters to a mail server. Never throws. */
export type Mailer = { send(mail: Mail): Promise<MailOutcome> }
