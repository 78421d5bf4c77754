import type { InvoiceEntryJson, InvoiceJson } from '@cofre/api/invoice'
import type { Block } from '../desk/thing'
import { thing } from '../desk/thing'
import { day, link, moment, reais, reaisIfAny, taxNumber, time, word, type Value } from '../words/value'
import { cardsOfTries } from './charge-surroundings'
import { cardRefunds } from '../bills/give-back'
import { invoiceBadge } from '../bills/invoice-badge'
import { lettersBlock } from '../bills/letters-block'
import { unreachedInvoice } from '../bills/warnings-block'
import { invoiceActions } from './invoice-actions'
import { newInvoice } from './new-invoice'
import { INVOICE_STATUSES, METHODS, methodOf, movedIn, MOVEMENTS, wordsOf } from '../words/invoice-words'
import {
  triesBlock,
  automaticBlock,
  waitingBlock,
  boletosBlock,
  refundsBlock,
  type Beside,
} from '../bills/invoice-blocks'

export const invoices = thing<InvoiceEntryJson, InvoiceJson, Beside>({
  name: 'invoices',
  many: 'Invoices',
  none: 'No invoice has been made yet.',
  list: 'listInvoices',
  read: 'getInvoice',
  csv: 'exportInvoices',
  filters: [
    {
      name: 'status',
      label: 'Status',
      kind: 'choice',
      options: Object.entries(INVOICE_STATUSES).map(([name, { text }]) => [name, text]),
    },
    {
      name: 'pastDue',
      label: 'Past due',
      kind: 'choice',
      options: [
        ['true', 'Yes'],
        ['false', 'No'],
      ],
    },
    {
      name: 'unreachable',
      label: 'Reaches nobody',
      kind: 'choice',
      options: [
        ['true', 'Yes'],
        ['false', 'No'],
      ],
    },
    { name: 'invoiceNumber', label: 'Number', kind: 'text' },
    { name: 'document', label: 'CPF or CNPJ', kind: 'text' },
    { name: 'ourNumber', label: 'Boleto: bank’s number or typed line', kind: 'text' },
    { name: 'paymentLinkProductId', label: 'Product of the payment link', kind: 'text' },
    { name: 'dueDateFrom', label: 'Due from', kind: 'day' },
    { name: 'dueDateTo', label: 'Due to', kind: 'day' },
  ],
  searched: ['invoiceNumber', 'document', 'ourNumber'],
  columns: [
    { name: 'Number', of: ({ invoiceNumber }) => invoiceNumber, leads: true },
    { name: 'Customer', of: ({ customer }) => customer.name },
    { name: 'Due', of: ({ dueDate }) => day(dueDate) },
    { name: 'Status', of: (invoice) => ({ badge: invoiceBadge(invoice) }) },
    { name: 'Amount', of: ({ amountInCents }) => reais(amountInCents), number: true },
    { name: 'Amount paid', of: ({ paidInCents }) => reaisIfAny(paidInCents), number: true },
    { name: 'Balance', of: ({ balanceInCents }) => reaisIfAny(balanceInCents), number: true },
  ],
  creations: [newInvoice],
  beside: {
    movements: 'listInvoiceMovements',
    boletos: 'listBoletos',
    refunds: 'listInvoiceRefunds',
    letters: 'listInvoiceEmails',
    waiting: {
      operation: 'listUnexpectedReceipts',
      query: ({ id }) => ({ invoiceId: String(id), resolved: 'false' }),
    },
  },
  around: async (invoice, ask) => ({ cards: await cardsOfTries(invoice, ask) }),
  heading: ({ invoiceNumber }) => word('Invoice {number}', { number: invoiceNumber }),
  page: (invoice, { movements, boletos, refunds, waiting, letters, cards, sandboxUrl }) => ({
    badge: invoiceBadge(invoice),
    total: reais(invoice.amountInCents),
    blocks: [
      {
        ...unreachedInvoice(invoice),
        facts: factsOf(invoice),
        shared: { label: 'Payment page', url: invoice.paymentUrl },
      },
      ...waitingBlock(waiting),
      {
        title: word('Items'),
        table: {
          columns: [
            { name: 'Item' },
            { name: 'Quantity', number: true },
            { name: 'Unit price', number: true },
            { name: 'Total', number: true },
          ],
          rows: invoice.items.map(({ description, quantity, unitPriceInCents, totalInCents }) => [
            description,
            quantity,
            reais(unitPriceInCents),
            reais(totalInCents),
          ]),
        },
      },
      triesBlock(invoice, cards),
      ...automaticBlock(invoice),
      {
        title: word('Money'),
        timeline: movements.map((movement) => ({
          what: word(MOVEMENTS[movement.kind].text),
          amount: movement.kind === 'WRITE_OFF' ? reais(movement.amountInCents) : movedIn(movement),
          badge: MOVEMENTS[movement.kind],
          at: moment(movement.at),
          note: [methodOf(movement), movement.pix?.endToEndId ?? null, ...wordsOf(movement)].filter(
            (each) => each !== null,
          ),
        })),
        none: 'No money has moved yet.',
      },
      ...boletosBlock(invoice, { boletos, sandboxUrl }),
      ...refundsBlock(refunds),
      lettersBlock(letters),
    ],
  }),
  documents: [
    {
      operation: 'getInvoice',
      name: 'preview',
      label: 'Preview',
      isPage: true,
      applies: ({ status }) => status !== 'CANCELLED',
    },
  ],
  actions: invoiceActions,
  ways: cardRefunds,
})

function factsOf(invoice: InvoiceJson): Block['facts'] {
  const { customer } = invoice
  return [
    ['Customer', link(`/customers/${customer.id}`, customer.name)],
    ['CPF or CNPJ', taxNumber(customer.document)],
    ['E-mail', customer.email],
    ['Due', day(invoice.dueDate)],
    ['Payable until', day(invoice.paymentLimitDate)],
    ['Payable now', invoice.payableInCents > 0 ? reais(invoice.payableInCents) : null],
    ['Fine', reaisIfAny(invoice.fineInCents)],
    ['Interest', reaisIfAny(invoice.interestInCents)],
    ['Discount', reaisIfAny(invoice.discountInCents)],
    ['Discount until', day(invoice.discountUntil)],
    ['Amount paid', reaisIfAny(invoice.paidInCents)],
    ['Paid on', time(invoice.paymentDate)],
    ['Amount refunded', reaisIfAny(invoice.refundedInCents)],
    ['Disputed', reaisIfAny(invoice.disputedInCents)],
    ['Written off', reaisIfAny(invoice.writtenOffInCents)],
    ['Balance', reaisIfAny(invoice.balanceInCents)],
    ['Accepts', invoice.acceptedPaymentMethods.map(({ method }): Value => word(METHODS[method]))],
    [
      'Recurring invoice',
      invoice.recurringInvoiceId &&
        link(`/recurring/${invoice.recurringInvoiceId}`, String(invoice.recurringInvoiceId)),
    ],
    [
      'Product of the payment link',
      invoice.paymentLinkProductId &&
        link(`/products/${invoice.paymentLinkProductId}`, String(invoice.paymentLinkProductId)),
    ],
    ['Created', time(invoice.createdAt)],
  ]
}
