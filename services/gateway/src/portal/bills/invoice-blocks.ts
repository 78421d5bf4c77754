import type { boletoSchema, unexpectedReceiptSchema } from '@cofre/api/boleto'
import type { InvoiceJson } from '@cofre/api/invoice'
import type { ListedEmailJson } from '@cofre/api/invoice-email'
import type { movementSchema } from '@cofre/api/methods/movement'
import type { invoiceRefundSchema } from '@cofre/api/methods/pix-refund'
import type { z } from 'zod'
import type { Block } from '../desk/thing'
import { day, link, moment, reais, time, word } from '../words/value'
import { boletoPayer } from '../../payers/play-payer'
import { playedAt } from './played-at'
import { slipWarning } from './warnings-block'
import { AUTOMATIC, AUTOMATIC_REASONS } from '../words/automatic-words'
import { declineWords, failureWords } from '../words/decline-words'
import { BOLETO_STATUSES, METHODS, RECEIPT_REASONS, REFUND_STATUSES, TRIES } from '../words/invoice-words'

/** What is read beside an invoice, for its page. */
export type Beside = {
  movements: z.output<typeof movementSchema>[]
  boletos: z.output<typeof boletoSchema>[]
  refunds: z.output<typeof invoiceRefundSchema>[]
  waiting: z.output<typeof unexpectedReceiptSchema>[]
  letters: ListedEmailJson[]
  /** By the id of the charge. */
  cards: ReadonlyMap<number, string>
  /** Where payers are played; undefined outside a sandbox. */
  sandboxUrl?: string | undefined
}

const MANY_DECLINES = 4
const HOUR_MS = 3_600_000

/** After several declines in an hour the payment page makes a payer wait, whom a clerk then hears of it from. */
function waitingPayer({ status, transactions }: InvoiceJson): Pick<Block, 'alert'> {
  const declined = transactions.filter(({ decline }) => decline !== null)
  const [first, last] = [declined.at(-MANY_DECLINES), declined.at(-1)]
  const isPayable = status === 'CLOSED' || status === 'UNCOLLECTIBLE'
  if (!isPayable || !first || !last || last.createdAt - first.createdAt > HOUR_MS) return {}
  return {
    alert: {
      title: word('Several cards were declined within an hour.'),
      text: word(
        'The payment page may make the customer wait before another card. Other ways to pay stay open.',
      ),
    },
  }
}

export function triesBlock(invoice: InvoiceJson, cards: Beside['cards']): Block {
  return {
    title: word('Payment attempts'),
    ...waitingPayer(invoice),
    table: {
      columns: [
        { name: 'Date' },
        { name: 'Method' },
        { name: 'Outcome' },
        { name: 'Amount', number: true },
        { name: 'Charge' },
        { name: 'Reason' },
      ],
      rows: invoice.transactions.map(
        ({ type, status, amountInCents, chargeId, decline, failure, createdAt }) => [
          time(createdAt),
          cards.get(chargeId ?? 0) ?? word(METHODS[type]),
          { badge: TRIES[status] },
          reais(amountInCents),
          chargeId && link(`/charges/${chargeId}`, String(chargeId)),
          decline ? declineWords(decline) : failure && failureWords({ ...failure, acquirerCode: null }, null),
        ],
      ),
    },
    none: 'Nobody has tried to pay yet.',
  }
}

/** What the card or the permission of the customer does next, and why. */
export function automaticBlock({ automaticCharge: charge, transactions }: InvoiceJson): Block[] {
  if (!charge) return []
  const declined = transactions.findLast(({ decline }) => decline?.code === charge.reason)?.decline
  const known = AUTOMATIC_REASONS[charge.reason ?? '']
  return [
    {
      title: word('Automatic charge'),
      badge: AUTOMATIC[charge.status],
      facts: [
        ['Why', declined ? declineWords(declined) : known ? word(known) : charge.reason],
        ['Next attempt', day(charge.nextAttemptAt)],
        ['Attempts', charge.attempts],
      ],
    },
  ]
}

/** Money that came for the invoice, and that somebody has to see to. */
export function waitingBlock(waiting: Beside['waiting']): Block[] {
  if (waiting.length === 0) return []
  return [
    {
      title: word('Money that waits for you'),
      table: {
        columns: [{ name: 'Date' }, { name: 'Receipt' }, { name: 'Why' }, { name: 'Amount', number: true }],
        rows: waiting.map(({ id, paidAt, reason, openInCents }) => [
          moment(paidAt),
          link(`/receipts/${id}`, word('Receipt {id}', { id: String(id) })),
          reason && word(RECEIPT_REASONS[reason]),
          reais(openInCents),
        ]),
      },
    },
  ]
}

export function boletosBlock(
  { customer }: InvoiceJson,
  { boletos, sandboxUrl }: Pick<Beside, 'boletos' | 'sandboxUrl'>,
): Block[] {
  if (boletos.length === 0) return []
  return [
    {
      title: word('Boletos'),
      ...slipWarning(boletos, customer.id),
      table: {
        columns: [
          { name: 'Boleto' },
          { name: 'Status' },
          { name: 'Due' },
          { name: 'Amount', number: true },
          { name: 'Typed line' },
          { name: 'Slip' },
          ...(sandboxUrl ? [{ name: 'Sandbox' } as const] : []),
        ],
        rows: boletos.map(({ id, status, dueDate, amountInCents, digitableLine, pdfUrl }) => [
          String(id),
          { badge: BOLETO_STATUSES[status] },
          day(dueDate),
          reais(amountInCents),
          digitableLine,
          digitableLine && { address: pdfUrl, text: word('PDF') },
          ...(sandboxUrl
            ? [status === 'REGISTERED' ? playedAt(boletoPayer(sandboxUrl, digitableLine ?? '')) : null]
            : []),
        ]),
      },
    },
  ]
}

export function refundsBlock(refunds: Beside['refunds']): Block[] {
  if (refunds.length === 0) return []
  return [
    {
      title: word('Pix refunds'),
      table: {
        columns: [
          { name: 'Date' },
          { name: 'Status' },
          { name: 'Amount', number: true },
          { name: 'Pix id (end-to-end)' },
          { name: 'Id of the return' },
          { name: 'Reason' },
        ],
        rows: refunds.map(
          ({ createdAt, status, amountInCents, endToEndId, bankRefundId, reason, failure }) => [
            time(createdAt),
            { badge: REFUND_STATUSES[status] },
            reais(amountInCents),
            endToEndId,
            bankRefundId,
            failure ?? reason,
          ],
        ),
      },
    },
  ]
}
