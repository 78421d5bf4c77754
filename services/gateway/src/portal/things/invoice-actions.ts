import type { InvoiceJson, invoiceChargeSchema } from '@cofre/api/invoice'
import type { invoiceEmailSchema } from '@cofre/api/invoice-email'
import type { RecurringJson } from '@cofre/api/recurring-invoice'
import { dayOf } from '@cofre/platform/calendar-day'
import type { z } from 'zod'
import { recordReturn, refundPix } from '../bills/give-back'
import { typedReais } from '../desk/fields'
import type { Action, Ask } from '../desk/thing'
import { reais, word } from '../words/value'
import { editInvoice } from './new-invoice'

type InvoiceAction = Action<InvoiceJson>
type InvoiceEmailJson = z.output<typeof invoiceEmailSchema>
type InvoiceChargeJson = z.output<typeof invoiceChargeSchema>

const isOwed = ({ status }: InvoiceJson) => status === 'CLOSED' || status === 'UNCOLLECTIBLE'
const today = () => dayOf(Date.now())

const sendEmail: InvoiceAction = {
  operation: 'sendInvoiceEmail',
  name: 'send',
  label: 'Send by e-mail',
  // The customer may have got an address since: the invoice keeps the one that it was made with.
  applies: ({ status }) => status !== 'CANCELLED',
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
    (automaticCharge.status === 'NEEDS_CARD' ||
      (['GIVEN_UP', 'WAITING'].includes(automaticCharge.status) && automaticCharge.attempts > 0)) &&
    automaticCharge.reason !== 'RECURRING_INVOICE_PAUSED',
  says: async (invoice, ask) => {
    const late = invoice.fineInCents + invoice.interestInCents
    const isLateAsked = late > 0 && (await paysLateness(invoice, ask))
    const sum = reais(isLateAsked ? invoice.payableInCents : invoice.payableInCents - late)
    return late > 0 && !isLateAsked
      ? word(
          'The card of the recurring invoice is charged {sum} now. Once that is paid, {late} of fine and interest is written off: the recurring invoice does not charge it to the card.',
          { sum, late: reais(late) },
        )
      : word('The card of the recurring invoice is charged {sum} now.', { sum })
  },
  done: ({ status, transactions }: InvoiceChargeJson) => {
    if (status === 'PAID') return word('The card was charged.')
    return transactions.some((each) => each.status === 'PENDING')
      ? word('The card was asked for the payment. “Payment attempts” shows what becomes of it.')
      : word('The payment did not go through. “Payment attempts” says why.')
  },
}

/** Whether the recurring invoice of an invoice has its card pay fine and interest. */
async function paysLateness({ recurringInvoiceId }: InvoiceJson, ask: Ask): Promise<boolean> {
  if (recurringInvoiceId === null) return false
  const billed = await ask('getRecurringInvoice', {}, { id: String(recurringInvoiceId) })
  return (billed as RecurringJson).cardPaysFineAndInterest
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
