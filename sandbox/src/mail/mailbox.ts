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

/** All mail that came, the newest 1000. */
export class Mailbox {
  private mails: ReceivedMail[] = []

  /** As mailboxes in life do, it shows a mail once that came to the same address under the same Message-ID again. */
  receive(mail: Omit<ReceivedMail, 'id'>): void {
    const isKnown = this.mails.some(
      ({ to, messageId }) => messageId !== '' && to === mail.to && messageId === mail.messageId,
    )
    if (isKnown) return
    this.mails.unshift({ ...mail, id: randomUUID() })
    this.mails.length = Math.min(this.mails.length, MAILS_MAX)
  }

  /** The newest first; of one address, in upper or lower case, or of all. */
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
