import { randomUUID } from 'node:crypto'

const MAILS_MAX = 1_000

export type Attachment = { filename: string | null; contentType: string; size: number }

/** A mail as its receiver reads it. */
export type ReceivedMail = {
  id: string
  from: string
  to: string
  messageId: string
  subject: string
  text: string
  html: string
  attachments: Attachment[]
  /** Epoch milliseconds. */
  receivedAt: number
}

/** The received mails, of which the newest 1000 are kept. */
export class Mailbox {
  private mails: ReceivedMail[] = []

  /** Adds a mail. As in real mailboxes, a repeated Message-ID at one address is shown once. */
  receive(mail: Omit<ReceivedMail, 'id'>): void {
    const isKnown = this.mails.some(
      ({ to, messageId }) => messageId !== '' && to === mail.to && messageId === mail.messageId,
    )
    if (isKnown) return
    this.mails.unshift({ ...mail, id: randomUUID() })
    this.mails.length = Math.min(this.mails.length, MAILS_MAX)
  }

  /** Returns mails, newest first: of one address in upper or lower case, or of all. */
  list(to?: string): readonly ReceivedMail[] {
    const wanted = to?.toLowerCase()
    return this.mails.filter((mail) => wanted === undefined || mail.to.toLowerCase() === wanted)
  }

  get(id: string): ReceivedMail | undefined {
    return this.mails.find((mail) => mail.id === id)
  }

  empty(): void {
    this.mails = []
  }
}
