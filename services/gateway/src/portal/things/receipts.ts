import type { movementSchema } from '@cofre/api/methods/movement'
import { dayOf } from '@cofre/platform/calendar-day'
import type { z } from 'zod'
import { typedReais, type Field } from '../desk/fields'
import { thing, type Action } from '../desk/thing'
import { methodOf, movedIn, MOVEMENTS, wordsOf, RECEIPT_REASONS } from '../words/invoice-words'
import { apply, leftOf, waits, type Receipt } from './apply-receipt'
import { link, moment, reais, reaisIfAny, taxNumber, time, word, type Badge } from '../words/value'

const OUTCOMES: Record<NonNullable<Receipt['outcome']>, Badge> = {
  APPLIED: { text: 'Applied to an invoice', mood: 'good' },
  RETURNED: { text: 'Given back', mood: 'quiet' },
  KEPT: { text: 'Kept', mood: 'quiet' },
}

function badgeOf(receipt: Receipt): Badge {
  const { outcome } = receipt
  if (outcome !== null) return OUTCOMES[outcome]
  return leftOf(receipt) > 0
    ? { text: 'Waits for you', mood: 'waiting' }
    : { text: 'On its way back', mood: 'waiting' }
}

/** The bank gives a Pix back by itself. */
const cameByPix = ({ ourNumber }: Receipt) => ourNumber === null

const giveBack: Action<Receipt> = {
  operation: 'returnUnexpectedReceipt',
  name: 'return',
  label: 'Give back by Pix',
  danger: true,
  applies: (receipt) => waits(receipt) && cameByPix(receipt),
  says: (receipt) =>
    word('The bank sends the money to the account that it came from. At most {left} can go back.', {
      left: reais(leftOf(receipt)),
    }),
  fields: (receipt) => [amountField(receipt), { name: 'note', label: 'Note', kind: 'text' }],
  done: 'The money goes back.',
}

const recordReturn: Action<Receipt> = {
  operation: 'returnUnexpectedReceipt',
  name: 'record-return',
  label: 'Record a return',
  applies: waits,
  says: (receipt) =>
    word('Records that you gave the money back in another way: {left} at most. No money moves.', {
      left: reais(leftOf(receipt)),
    }),
  fields: (receipt) => [
    amountField(receipt),
    {
      name: 'returnedAt',
      label: 'Given back on',
      kind: 'day',
      value: dayOf(Date.now()),
      required: true,
      isPast: true,
    },
    { name: 'reference', label: 'Reference', kind: 'text' },
    { name: 'note', label: 'Note', kind: 'text' },
  ],
  done: 'The return was recorded.',
}

function amountField(receipt: Receipt): Field {
  const left = leftOf(receipt)
  return {
    name: 'amountInCents',
    label: 'Amount',
    kind: 'money',
    value: typedReais(left),
    most: left,
    required: true,
  }
}

const keep: Action<Receipt> = {
  operation: 'keepUnexpectedReceipt',
  name: 'keep',
  label: 'Keep',
  applies: waits,
  says: (receipt) =>
    word('{left} becomes income without an invoice. You cannot undo this.', { left: reais(leftOf(receipt)) }),
  fields: () => [{ name: 'note', label: 'Why', kind: 'text', required: true }],
  done: 'The money was kept.',
}

export const receipts = thing<Receipt, Receipt, { movements: z.output<typeof movementSchema>[] }>({
  name: 'receipts',
  many: 'Unexpected receipts',
  none: 'All money that came was expected.',
  list: 'listUnexpectedReceipts',
  read: 'getUnexpectedReceipt',
  filters: [
    {
      name: 'resolved',
      label: 'Waits for you',
      kind: 'choice',
      options: [
        ['false', 'Yes'],
        ['true', 'No'],
      ],
    },
    { name: 'invoiceId', label: 'Invoice id', kind: 'text' },
    { name: 'ourNumber', label: 'Boleto: bank’s number or typed line', kind: 'text' },
    { name: 'bankReceiptId', label: 'Bank’s receipt', kind: 'text' },
  ],
  searched: ['ourNumber', 'bankReceiptId'],
  columns: [
    { name: 'Date', of: ({ paidAt }) => moment(paidAt) },
    { name: 'Receipt', of: ({ id }) => String(id), leads: true },
    { name: 'Why', of: ({ reason }) => reason && word(RECEIPT_REASONS[reason]) },
    { name: 'Payer', of: ({ payer }) => payer?.name ?? null },
    { name: 'Status', of: (receipt) => ({ badge: badgeOf(receipt) }) },
    { name: 'Received', of: ({ receivedInCents }) => reais(receivedInCents), number: true },
    { name: 'Waits', of: (receipt) => reaisIfAny(leftOf(receipt)), number: true },
  ],
  heading: ({ id }) => word('Receipt {id}', { id: String(id) }),
  beside: {
    movements: { operation: 'listMovements', query: ({ id }) => ({ receiptId: String(id), size: '100' }) },
  },
  page: (receipt, { movements }) => ({
    badge: badgeOf(receipt),
    total: reais(receipt.unexpectedInCents),
    blocks: [
      {
        facts: [
          ['Why', receipt.reason && word(RECEIPT_REASONS[receipt.reason])],
          ['Received', reais(receipt.receivedInCents)],
          ['Waits', reaisIfAny(leftOf(receipt))],
          ['On its way back', reaisIfAny(receipt.returningInCents)],
          ['Invoice', receipt.invoiceId && link(`/invoices/${receipt.invoiceId}`, String(receipt.invoiceId))],
          ['Payer', receipt.payer?.name ?? null],
          ['Payer’s document', taxNumber(receipt.payer?.document ?? null)],
          ['Paid on', moment(receipt.paidAt)],
          ['Bank’s number', receipt.ourNumber ?? receipt.txid],
          ['Bank’s receipt', receipt.bankReceiptId],
          ['Note', receipt.resolution],
        ],
      },
      {
        title: word('What became of it'),
        table: {
          columns: [
            { name: 'Date' },
            { name: 'Recorded' },
            { name: 'Kind' },
            { name: 'Method' },
            { name: 'Invoice' },
            { name: 'Note' },
            { name: 'Amount', number: true },
          ],
          rows: movements
            .toReversed()
            .map((movement) => [
              moment(movement.at),
              time(movement.recordedAt),
              { badge: MOVEMENTS[movement.kind] },
              methodOf(movement),
              movement.invoiceId === null
                ? word('None')
                : link(`/invoices/${movement.invoiceId}`, movement.invoiceNumber),
              wordsOf(movement),
              movedIn(movement),
            ]),
        },
        none: 'No money has moved yet.',
      },
    ],
  }),
  actions: [apply, giveBack, recordReturn, keep],
})
