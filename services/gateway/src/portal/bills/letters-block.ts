import type { ListedEmailJson } from '@cofre/api/invoice-email'
import type { Block } from '../desk/thing'
import type { Word } from '../words/portuguese'
import { time, word, type Badge } from '../words/value'

const KINDS: Record<ListedEmailJson['kind'], Word> = {
  ISSUED: 'Request to pay',
  REMINDER: 'Reminder',
  RECEIPT: 'Receipt of the payment',
  DECLINED: 'The card could not be charged',
  NOT_COLLECTED: 'Pix Automático did not go through',
  GIVEN_BACK: 'A charge was given back',
  REFUNDED: 'Refund',
  VOIDED: 'Cancelled invoice',
  BOOKLET: 'Booklet',
  RETRY_PLANNED: 'Declined card, which is charged again',
}

const STATUSES: Record<ListedEmailJson['status'], Badge> = {
  WAITING: { text: 'On its way', mood: 'waiting' },
  SENT: { text: 'Sent', mood: 'good' },
  REFUSED: { text: 'Refused by the mail server', mood: 'bad' },
  OUTDATED: { text: 'Not sent: no longer true', mood: 'quiet' },
  EXPIRED: { text: 'Not sent: the mail server did not answer', mood: 'bad' },
}

/** Which letter went to the customer when, to which address, and what became of it. */
export function lettersBlock(letters: readonly ListedEmailJson[]): Block {
  return {
    title: word('E-mails to the customer'),
    table: {
      columns: [{ name: 'Date' }, { name: 'E-mail' }, { name: 'E-mail address' }, { name: 'Outcome' }],
      rows: letters.map(({ kind, to, status, createdAt, endedAt }) => [
        time(endedAt ?? createdAt),
        word(KINDS[kind]),
        to,
        { badge: STATUSES[status] },
      ]),
    },
    none: 'No e-mail was sent in the last 30 days.',
  }
}
