import type { InvoiceJson } from '@cofre/api/invoice'
import { dayOf } from '@cofre/platform/calendar-day'
import { typedReais, type Field } from '../desk/fields'
import type { Action, Way } from '../desk/thing'
import { reais, word } from '../words/value'

/** What of the paid amount the seller still holds, cents. */
function leftOf({ paidInCents, refundedInCents, disputedInCents }: InvoiceJson): number {
  return paidInCents - refundedInCents - disputedInCents
}

type Attempt = InvoiceJson['transactions'][number]

/** The attempts by which money of this method came. What was paid outside Cofre has none. */
function paidBy({ transactions }: InvoiceJson, method: Attempt['type']): Attempt[] {
  return transactions.filter(({ type, status }) => type === method && status === 'SUCCEEDED')
}

function canGoBack(invoice: InvoiceJson, method: Attempt['type']): boolean {
  return leftOf(invoice) > 0 && paidBy(invoice, method).length > 0
}

function amountField(invoice: InvoiceJson): Field {
  return {
    name: 'amountInCents',
    label: 'Amount',
    kind: 'money',
    value: typedReais(leftOf(invoice)),
    most: leftOf(invoice),
    required: true,
  }
}

/** A card payment goes back at its charge. */
export function cardRefunds(invoice: InvoiceJson): Way[] {
  if (!canGoBack(invoice, 'CREDIT_CARD')) return []
  return paidBy(invoice, 'CREDIT_CARD').flatMap(({ chargeId }) =>
    chargeId === null
      ? []
      : [
          {
            operation: 'refundCharge',
            label: 'Refund to the card' as const,
            to: `/charges/${chargeId}/refund`,
          },
        ],
  )
}

export const refundPix: Action<InvoiceJson> = {
  operation: 'refundInvoice',
  name: 'refund',
  label: 'Refund by Pix',
  danger: true,
  applies: (invoice) => canGoBack(invoice, 'PIX'),
  says: (invoice) =>
    word('The bank sends the money to the account that it came from. At most {left} can go back.', {
      left: reais(leftOf(invoice)),
    }),
  fields: (invoice) => [
    amountField(invoice),
    ...(paidBy(invoice, 'PIX').length > 1
      ? [
          {
            name: 'endToEndId',
            label: 'End-to-end id',
            kind: 'text',
            hint: word('Needed only where several Pix paid the invoice.'),
          } as const,
        ]
      : []),
    { name: 'reason', label: 'Reason', kind: 'text' },
  ],
  done: 'The refund was sent to the bank.',
}

export const recordReturn: Action<InvoiceJson> = {
  operation: 'recordInvoiceReturn',
  name: 'record-return',
  label: 'Record a return',
  applies: (invoice) => leftOf(invoice) > 0,
  says: (invoice) =>
    word(
      canGoBack(invoice, 'PIX') || canGoBack(invoice, 'CREDIT_CARD')
        ? 'Records money that you gave back in another way: at most {left}. No money moves.'
        : 'This money did not come by Pix or card, so Cofre cannot send it back. Give it back yourself, then record it here: at most {left}.',
      { left: reais(leftOf(invoice)) },
    ),
  fields: (invoice) => [
    amountField(invoice),
    {
      name: 'returnedAt',
      label: 'Given back on',
      kind: 'day',
      isPast: true,
      value: dayOf(Date.now()),
      required: true,
    },
    { name: 'reference', label: 'Reference', kind: 'text' },
  ],
  done: 'The return was recorded.',
}
