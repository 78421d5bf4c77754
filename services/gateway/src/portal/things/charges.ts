import type { ChargeJson } from '@cofre/api/charge'
import type { DisputeJson } from '@cofre/api/disputes/dispute'
import type { Action, Block, Column, TimelineEntry } from '../desk/thing'
import { thing } from '../desk/thing'
import { typedReais } from '../desk/fields'
import { link, reais, reaisIfAny, time, word, type Badge, type Value } from '../words/value'
import { BRANDS, cardWords } from '../words/card-words'
import { OUTCOMES, SOURCES, STATUSES, TRANSACTIONS } from '../words/charge-words'
import { chargeSurroundings, type Surroundings } from './charge-surroundings'
import { playedAt } from '../bills/played-at'
import { pixPayer } from '../../payers/play-payer'
import { declineAlert, failureWords } from '../words/decline-words'
import { DISPUTE_STATUSES } from './disputes'

type Payment = ChargeJson['payments'][number]

const columns: readonly Column<ChargeJson>[] = [
  { name: 'Date', of: ({ createdAt }) => time(createdAt) },
  { name: 'Charge', of: ({ id }) => String(id), leads: true },
  { name: 'Order reference', of: ({ orderReference }) => orderReference },
  { name: 'Paid with', of: ({ payments }) => payments.map(methodOf) },
  { name: 'Status', of: (charge) => ({ badge: badgeOf(charge) }) },
  { name: 'Amount', of: ({ amount }) => reais(amount), number: true },
  { name: 'Amount captured', of: ({ capturedAmount }) => reaisIfAny(capturedAmount), number: true },
  { name: 'Amount refunded', of: ({ refundedAmount }) => reaisIfAny(refundedAmount), number: true },
]

const capture: Action<ChargeJson> = {
  operation: 'captureCharge',
  name: 'capture',
  label: 'Capture the charge',
  applies: ({ links }) => links.capture !== null,
  says: ({ authorizedAmount }) =>
    word('The acquirer takes the money from the card. It releases what you leave out of {sum}.', {
      sum: reais(authorizedAmount),
    }),
  fields: ({ authorizedAmount }) => [
    {
      name: 'amount',
      label: 'Amount',
      kind: 'money',
      value: typedReais(authorizedAmount),
      most: authorizedAmount,
      required: true,
    },
  ],
  done: 'The capture was sent to the acquirer.',
}

const refund: Action<ChargeJson> = {
  operation: 'refundCharge',
  name: 'refund',
  label: 'Refund the charge',
  danger: true,
  applies: ({ links }) => links.refund !== null,
  says: (charge) =>
    charge.capturedAmount === 0
      ? word('Nothing was captured yet: the hold of {sum} on the card ends.', {
          sum: reais(charge.authorizedAmount),
        })
      : word('The money goes back the way it came. Of {captured}, {left} can still be refunded.', {
          captured: reais(charge.capturedAmount),
          left: reais(leftOf(charge)),
        }),
  warns: ({ transactions }) => {
    const newest = transactions.findLast(isRefund)
    return newest
      ? word('Look before you refund again: {sum} was refunded at {at}.', {
          sum: reais(newest.amount),
          at: { exactTime: newest.createdAt },
        })
      : null
  },
  fields: (charge) => [
    ...(charge.capturedAmount === 0
      ? []
      : [
          {
            name: 'amount',
            label: 'Amount',
            kind: 'money',
            value: typedReais(leftOf(charge)),
            most: leftOf(charge),
            required: true,
            hint: word('All that is left stands here. For a part, type less.'),
          } as const,
        ]),
    { name: 'reason', label: 'Reason', kind: 'text' },
  ],
  done: (charge: ChargeJson) => {
    const newest = charge.transactions.findLast(isRefund)
    const said = word('The refund was sent to the acquirer.')
    return newest
      ? word('{said} Its number is {id}. {when}', { said, id: String(newest.id), when: refundShows(charge) })
      : said
  },
}

/** A refund that was made, or may have been. */
function isRefund({ type, status }: ChargeJson['transactions'][number]): boolean {
  return type === 'REFUND' && status !== 'FAILED'
}

/** When the customer sees the money. */
function refundShows({ payments }: ChargeJson): Value {
  return payments.some(({ card }) => card)
    ? word('The customer sees it on this statement of the card or on the next one, by its closing day.')
    : word('The Pix goes back to the account that it came from, usually within minutes.')
}

const cancel: Action<ChargeJson> = {
  operation: 'cancelCharge',
  name: 'cancel',
  label: 'Cancel the charge',
  danger: true,
  applies: ({ links }) => links.cancel !== null,
  says: () =>
    word('The bank withdraws the Pix charge: nobody can pay it any more. A Pix that came before is kept.'),
  done: 'The charge is being withdrawn at the bank.',
}

/** What may still go back: a dispute's money is not the seller's to refund. */
function leftOf({ capturedAmount, refundedAmount, disputedAmount }: ChargeJson): number {
  return Math.max(0, capturedAmount - refundedAmount - disputedAmount)
}

/** The status, or that its money was taken back. */
function badgeOf({ status, disputedAmount }: ChargeJson): Badge {
  return disputedAmount > 0 ? { text: 'Charged back', mood: 'bad' } : STATUSES[status]
}

export const charges = thing<ChargeJson, ChargeJson, Surroundings>({
  name: 'charges',
  many: 'Charges',
  none: 'No charge has been made yet.',
  list: 'listCharges',
  read: 'getCharge',
  csv: 'exportCharges',
  filters: [
    {
      name: 'status',
      label: 'Status',
      kind: 'choice',
      options: Object.entries(STATUSES).map(([name, { text }]) => [name, text]),
    },
    { name: 'orderReference', label: 'Order reference', kind: 'text' },
    {
      name: 'brand',
      label: 'Card brand',
      kind: 'choice',
      options: Object.entries(BRANDS).map(([name, own]) => [name, { own }]),
    },
    { name: 'lastFour', label: 'Card’s last four digits', kind: 'text' },
    { name: 'amount', label: 'Amount', kind: 'money' },
    { name: 'createdFrom', label: 'From', kind: 'day' },
    { name: 'createdTo', label: 'To', kind: 'day' },
  ],
  searched: ['orderReference', 'lastFour', 'nsu', 'tid', 'authorizationCode', 'endToEndId'],
  columns,
  actions: [capture, refund, cancel],
  heading: ({ id }) => word('Charge {id}', { id: String(id) }),
  around: chargeSurroundings,
  page: (charge, { invoice, disputes, sandboxUrl }) => ({
    badge: badgeOf(charge),
    total: reais(charge.amount),
    blocks: [
      {
        ...disputedBlock(charge, disputes),
        facts: [
          ['Customer', invoice && link(`/customers/${invoice.customer.id}`, invoice.customer.name)],
          ['Invoice', invoice && link(`/invoices/${invoice.id}`, invoice.invoiceNumber)],
          ['Authorized', reais(charge.authorizedAmount)],
          ['Amount captured', reais(charge.capturedAmount)],
          ['Amount refunded', reais(charge.refundedAmount)],
          [
            'When the customer sees the refund',
            charge.transactions.some(isRefund) ? refundShows(charge) : null,
          ],
          ['Disputed', reaisIfAny(charge.disputedAmount)],
          ['Order reference', charge.orderReference],
          ['External reference', charge.externalReference === null ? null : String(charge.externalReference)],
          ['Request', charge.requestId],
          ['Created', time(charge.createdAt)],
          ['Last change', time(charge.updatedAt)],
        ],
      },
      ...charge.payments.map((payment, index) =>
        paymentBlock(payment, { number: index + 1, count: charge.payments.length, sandboxUrl }),
      ),
      {
        title: word('Timeline'),
        timeline: [...charge.transactions.map((each) => stepOf(charge, each)), ...disputes.map(disputeStep)],
        none: 'Nothing has reached the acquirer yet.',
      },
      ...metadataBlocks(charge),
    ],
  }),
})

/** What stands first on the page of a charge that its card holder disputed. */
function disputedBlock(
  { disputedAmount }: ChargeJson,
  disputes: readonly DisputeJson[],
): Pick<Block, 'alert'> {
  const [newest] = disputes
  if (!newest || (disputedAmount === 0 && newest.status !== 'NEEDS_RESPONSE')) return {}
  return {
    alert: {
      title: word('The card holder disputed this charge.'),
      text:
        disputedAmount > 0
          ? word('The money went back through the bank. Do not refund it: the customer would get it twice.')
          : word('The bank asks about it. Answer the dispute.'),
      link: link(`/disputes/${newest.id}`, word('Dispute {id}', { id: String(newest.id) })),
    },
  }
}

function stepOf(charge: ChargeJson, transaction: ChargeJson['transactions'][number]): TimelineEntry {
  return {
    what: word(TRANSACTIONS[transaction.type]),
    amount: reais(transaction.amount),
    badge: OUTCOMES[transaction.status],
    at: { exactTime: transaction.createdAt },
    note: noteOf(charge, transaction),
  }
}

function disputeStep({ id, amount, status, openedAt }: DisputeJson): TimelineEntry {
  return {
    what: word('Dispute {id}', { id: String(id) }),
    amount: reais(amount),
    badge: DISPUTE_STATUSES[status],
    at: { exactTime: openedAt },
  }
}

/** Why a transaction failed, with the acquirer's code, or else where or why the money was given back. */
function noteOf(
  { payments }: ChargeJson,
  { id, type, failure, reason, madeByAcquirer, payment }: ChargeJson['transactions'][number],
): Value {
  if (madeByAcquirer) return word('Made at the acquirer, not by a request to Cofre')
  if (failure) return failureWords(failure, payments[payment]?.decline ?? null)
  if (type !== 'REFUND') return reason
  const number = word('number {id}', { id: String(id) })
  return reason === null ? number : [number, reason]
}

type Among = { number: number; count: number; sandboxUrl: string | undefined }

function paymentBlock(payment: Payment, { number, count, sandboxUrl }: Among): Block {
  const { card, pix, acquirer, decline, status } = payment
  return {
    title: count > 1 ? word('Payment {number} of {count}', { number, count }) : word('Payment'),
    badge: STATUSES[payment.status] satisfies Badge,
    line: [methodOf(payment), reais(payment.amount)],
    ...(decline && { alert: declineAlert(decline) }),
    facts: [
      ['Paid with', card && word(SOURCES[card.source])],
      ['Installments', card && instalmentsOf(payment)],
      ['Payer', pix?.payer?.name ?? null],
      ['Payer’s document', pix?.payer?.document ?? null],
      ['Payable until', pix && time(pix.expiresAt)],
      [
        { text: 'Sandbox' },
        status === 'PENDING' && pix?.copyAndPaste ? playedAt(pixPayer(sandboxUrl, pix.copyAndPaste)) : null,
      ],
      ['Authorization code', acquirer.authorizationCode],
      ['NSU', acquirer.nsu],
      ['TID', acquirer.tid],
      [pix ? 'End-to-end id' : 'Acquirer payment id', acquirer.paymentId],
      [pix ? 'Txid' : 'Acquirer order number', acquirer.orderNumber],
      ['Return code', acquirer.returnCode],
    ],
  }
}

function metadataBlocks({ metadata }: ChargeJson): Block[] {
  const pairs = Object.entries(metadata)
  if (pairs.length === 0) return []
  return [{ title: word('Metadata'), facts: pairs.map(([text, value]) => [{ text }, String(value)]) }]
}

function methodOf({ card }: Payment): string {
  return card ? cardWords(card) : 'Pix'
}

/** "3 × R$ 10,00", or "R$ 10,01 + 2 × R$ 10,00" when the cents do not divide. */
function instalmentsOf({ installmentAmounts: [first = 0, next = first], installments }: Payment): Value {
  if (installments <= 1) return word('Paid in full')
  return first === next
    ? word('{count} × {amount}', { count: installments, amount: reais(first) })
    : word('{first} + {count} × {amount}', {
        first: reais(first),
        count: installments - 1,
        amount: reais(next),
      })
}
