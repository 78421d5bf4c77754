import type { InvoiceJson } from '@cofre/api/invoice'
import type { invoiceEmailSchema } from '@cofre/api/invoice-email'
import { dayOf } from '@cofre/platform/calendar-day'
import type { z } from 'zod'
import { recordReturn, refundPix } from '../bills/give-back'
import { typedReais } from '../desk/fields'
import type { Action } from '../desk/thing'
import { reais, word } from '../words/value'
import { editInvoice } from './new-invoice'

type InvoiceAction = Action<InvoiceJson>
type InvoiceEmailJson = z.output<typeof invoiceEmailSchema>

const isOwed = ({ status }: InvoiceJson) => status === 'CLOSED' || status === 'UNCOLLECTIBLE'
const today = () => dayOf(Date.now())

const sendEmail: InvoiceAction = {
  operation: 'sendInvoiceEmail',
  name: 'send',
  label: 'Send by e-mail',
  applies: ({ status, customer }) => status !== 'CANCELLED' && customer.email !== null,
  says: ({ status, customer }) =>
    status === 'PAID'
      ? word('{name} gets a receipt at the e-mail address that the customer’s page shows.', {
          name: customer.name,
        })
      : word('{name} gets a link to the payment page at the e-mail address that the customer’s page shows.', {
          name: customer.name,
        }),
  fields: () => [
    {
      name: 'language',
      label: 'Language',
      kind: 'choice',
      value: 'pt-BR',
      options: [
        ['pt-BR', 'Portuguese'],
        ['en', 'English'],
      ],
    },
  ],
  done: ({ to }: InvoiceEmailJson) => word('The e-mail is on its way to {address}.', { address: to }),
}

const finalize: InvoiceAction = {
  operation: 'finalizeInvoice',
  name: 'finalize',
  label: 'Finalize',
  applies: ({ status }) => status === 'OPEN',
  says: ({ amountInCents }) =>
    word('The invoice asks for {sum} from now on, and its items stay as they are.', {
      sum: reais(amountInCents),
    }),
  done: 'The invoice was finalized.',
}

const recordPayment: InvoiceAction = {
  operation: 'recordExternalPayment',
  name: 'record-payment',
  label: 'Record a payment',
  applies: isOwed,
  says: ({ payableInCents }) =>
    word('Records money that you received in another way. {sum} is payable today. No money moves.', {
      sum: reais(payableInCents),
    }),
  fields: ({ payableInCents }) => [
    {
      name: 'amountInCents',
      label: 'Amount',
      kind: 'money',
      value: typedReais(payableInCents),
      required: true,
    },
    { name: 'paidAt', label: 'Paid on', kind: 'day', isPast: true, value: today(), required: true },
    {
      name: 'kind',
      label: 'How',
      kind: 'choice',
      value: 'TRANSFER',
      options: [
        ['TRANSFER', 'Bank transfer'],
        ['CASH', 'Cash'],
        ['OTHER_PROVIDER', 'Another provider'],
      ],
    },
    { name: 'reference', label: 'Reference', kind: 'text' },
  ],
  done: 'The payment was recorded.',
}

const writeOff: InvoiceAction = {
  operation: 'writeOffInvoice',
  name: 'write-off',
  label: 'Write off',
  danger: true,
  applies: (invoice) => isOwed(invoice) && invoice.paidInCents > 0,
  says: ({ payableInCents }) =>
    word('You ask for this money no more. {sum} is owed today.', { sum: reais(payableInCents) }),
  fields: ({ payableInCents }) => [
    {
      name: 'amountInCents',
      label: 'Amount',
      kind: 'money',
      value: typedReais(payableInCents),
      required: true,
    },
    { name: 'reason', label: 'Reason', kind: 'text', required: true },
  ],
  done: 'The amount was written off.',
}

const retryCharge: InvoiceAction = {
  operation: 'retryAutomaticCharge',
  name: 'retry',
  label: 'Charge the card now',
  applies: ({ status, automaticCharge }) =>
    status === 'CLOSED' &&
    automaticCharge !== null &&
    ['GIVEN_UP', 'WAITING', 'NEEDS_CARD'].includes(automaticCharge.status) &&
    automaticCharge.attempts > 0 &&
    automaticCharge.reason !== 'RECURRING_INVOICE_PAUSED',
  says: ({ automaticCharge, payableInCents }) =>
    word(
      automaticCharge?.status === 'GIVEN_UP'
        ? 'The card of the recurring invoice is charged once more, now. {sum} is payable today; without fine and interest, if the plan says so.'
        : 'The card of the recurring invoice is charged now, and not only on its next day. {sum} is payable today; without fine and interest, if the plan says so.',
      { sum: reais(payableInCents) },
    ),
  done: 'The card was asked for the payment. The timeline shows what became of it.',
}

const markUncollectible: InvoiceAction = {
  operation: 'markInvoiceUncollectible',
  name: 'uncollectible',
  label: 'Mark as uncollectible',
  applies: ({ status }) => status === 'CLOSED',
  says: () => word('You no longer expect the payment. The invoice can still be paid.'),
  done: 'The invoice was marked as uncollectible.',
}

const voidInvoice: InvoiceAction = {
  operation: 'voidInvoice',
  name: 'void',
  label: 'Void the invoice',
  danger: true,
  applies: ({ status, paidInCents }) => status !== 'PAID' && status !== 'CANCELLED' && paidInCents === 0,
  says: () =>
    word(
      'Nobody can pay the invoice any more. If an e-mail has asked the customer to pay, another one now says that it was cancelled. You cannot undo this.',
    ),
  done: 'The invoice was voided.',
}

export const invoiceActions: readonly InvoiceAction[] = [
  editInvoice,
  finalize,
  sendEmail,
  recordPayment,
  refundPix,
  recordReturn,
  retryCharge,
  writeOff,
  markUncollectible,
  voidInvoice,
]
