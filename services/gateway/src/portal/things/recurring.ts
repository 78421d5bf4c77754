import type { CustomerJson } from '@cofre/api/customer'
import type { InvoiceEntryJson } from '@cofre/api/invoice'
import type { RecurringJson, scheduleSchema } from '@cofre/api/recurring-invoice'
import type { z } from 'zod'
import { collectedBy, type KeptCards } from '../bills/collected'
import { termFacts } from '../bills/plan-terms'
import { planWarning } from '../bills/warnings-block'
import { invoiceBadge } from '../bills/invoice-badge'
import { thing, type Action, type Block } from '../desk/thing'
import type { Word } from '../words/portuguese'
import { day, link, reais, taxNumber, time, word, type Badge, type Value } from '../words/value'
import { editRecurring } from '../bills/edit-recurring'
import { FREQUENCIES, newBooklet, newRecurring } from './new-recurring'
import { voidBooklet } from './void-booklet'

const STATUSES: Record<RecurringJson['status'], Badge> = {
  ACTIVE: { text: 'Running', mood: 'good' },
  PAUSED: { text: 'Paused', mood: 'waiting' },
  FINISHED: { text: 'Finished', mood: 'quiet' },
  CANCELLED: { text: 'Cancelled', mood: 'quiet' },
}

const KINDS: Record<RecurringJson['kind'], Word> = { RECURRING: 'Recurring invoice', BOOKLET: 'Booklet' }

const change = (
  operation: string,
  words: Pick<Action<RecurringJson>, 'name' | 'label' | 'danger' | 'applies' | 'says' | 'done'>,
): Action<RecurringJson> => ({ operation, ...words })

type Beside = {
  schedule: z.output<typeof scheduleSchema>
  customer: CustomerJson | []
  kept: KeptCards | []
  made: InvoiceEntryJson[]
}

const CARDS: Readonly<Record<string, Badge>> = {
  CARD_FAILS: { text: 'Card fails', mood: 'bad' },
  CARD_GIVEN_UP: { text: 'Card given up', mood: 'bad' },
}

/**
 * Its status, or that its card fails, which a clerk looks for first. A booklet has all its invoices from its first day on:
 * what is open of them is its invoices' to say.
 */
function badgeOf({ kind, status, warnings }: RecurringJson): Badge {
  const [failing] = warnings.flatMap(({ code }) => CARDS[code] ?? [])
  if (failing) return failing
  if (kind === 'BOOKLET' && status === 'FINISHED') return { text: 'Issued', mood: 'good' }
  if (kind === 'BOOKLET' && status === 'CANCELLED') return { text: 'Booklet cancelled', mood: 'quiet' }
  return STATUSES[status]
}

/** In the list, where a booklet stands among what has no end. */
function frequencyOf({ kind, billingFrequency }: RecurringJson): Value {
  const frequency = word(FREQUENCIES[billingFrequency])
  return kind === 'BOOKLET' ? [word(KINDS[kind]), frequency] : frequency
}

function madeBlock(made: Beside['made']): Block {
  return {
    title: word('Latest invoices'),
    table: {
      columns: [{ name: 'Number' }, { name: 'Due' }, { name: 'Status' }, { name: 'Amount', number: true }],
      rows: made.map((invoice) => [
        link(`/invoices/${invoice.id}`, invoice.invoiceNumber),
        day(invoice.dueDate),
        { badge: invoiceBadge(invoice) },
        reais(invoice.amountInCents),
      ]),
    },
    none: 'No invoice has been made yet.',
  }
}

export const recurring = thing<RecurringJson, RecurringJson, Beside>({
  name: 'recurring',
  many: 'Recurring invoices',
  none: 'No recurring invoice has been made yet.',
  list: 'listRecurringInvoices',
  read: 'getRecurringInvoice',
  filters: [
    {
      name: 'status',
      label: 'Status',
      kind: 'choice',
      options: Object.entries(STATUSES).map(([name, { text }]) => [name, text]),
    },
    {
      name: 'cardFails',
      label: 'Card fails',
      kind: 'choice',
      options: [
        ['true', 'Yes'],
        ['false', 'No'],
      ],
    },
    { name: 'orderReference', label: 'Order reference', kind: 'text' },
    { name: 'document', label: 'CPF or CNPJ', kind: 'text' },
  ],
  searched: ['orderReference', 'document'],
  columns: [
    { name: 'Id', of: ({ id }) => String(id), leads: true },
    {
      name: 'Customer',
      of: ({ customerName, customerDocument }) => customerName ?? taxNumber(customerDocument),
    },
    { name: 'Order reference', of: ({ orderReference }) => orderReference },
    { name: 'Frequency', of: frequencyOf },
    { name: 'Each cycle', of: ({ amountInCents }) => reais(amountInCents), number: true },
    { name: 'Status', of: (billed) => ({ badge: badgeOf(billed) }) },
    { name: 'Next cycle', of: ({ nextCycleDate }) => day(nextCycleDate) },
    { name: 'Invoices so far', of: ({ cyclesBilled }) => cyclesBilled, number: true },
  ],
  creations: [newRecurring, newBooklet],
  documents: [
    {
      operation: 'drawBooklet',
      name: 'slips',
      label: 'Print the slips',
      applies: ({ acceptedPaymentMethods }) =>
        acceptedPaymentMethods.some(({ method }) => method === 'BOLETO'),
    },
  ],
  heading: ({ id, kind }) => word('{kind} {id}', { kind: word(KINDS[kind]), id: String(id) }),
  beside: {
    schedule: 'getRecurringInvoiceSchedule',
    customer: { operation: 'getCustomer', of: ({ customerId }) => customerId },
    kept: { operation: 'listCustomerCards', of: ({ customerId }) => customerId },
    made: 'listInvoicesOfRecurringInvoice',
  },
  page: (billed, { schedule, customer, kept, made }) => ({
    badge: badgeOf(billed),
    blocks: [
      {
        ...planWarning(billed),
        facts: [
          [
            'Customer',
            link(
              `/customers/${billed.customerId}`,
              'name' in customer ? customer.name : billed.customerDocument,
            ),
          ],
          ['Order reference', billed.orderReference],
          ['Frequency', word(FREQUENCIES[billed.billingFrequency])],
          ['Each cycle', reais(billed.amountInCents)],
          ['Payment', collectedBy(billed, kept)],
          ...termFacts(billed),
          ['Next cycle', day(billed.nextCycleDate)],
          ['Next due date', day(billed.nextCycleDueDate)],
          ['Invoices so far', billed.cyclesBilled],
          ['Created', time(billed.createdAt)],
        ],
      },
      {
        title: word('Items'),
        table: {
          columns: [
            { name: 'Item' },
            { name: 'Quantity', number: true },
            { name: 'Unit price', number: true },
          ],
          rows: [...billed.recurringItems, ...billed.extraItems].map((item) => [
            item.description,
            item.quantity,
            reais(item.unitPriceInCents),
          ]),
        },
      },
      madeBlock(made),
      {
        title: word('Next cycles'),
        table: {
          columns: [
            { name: 'Cycle', number: true },
            { name: 'Invoice made' },
            { name: 'Due' },
            { name: 'Amount', number: true },
          ],
          rows: schedule.nextCycles.map(({ cycle, date, dueDate, amountInCents }) => [
            cycle,
            day(date),
            day(dueDate),
            reais(amountInCents),
          ]),
        },
        none: 'No cycle follows.',
      },
    ],
  }),
  actions: [
    editRecurring,
    change('pauseRecurringInvoice', {
      name: 'pause',
      label: 'Pause',
      applies: ({ status }) => status === 'ACTIVE',
      says: () => word('No invoice is made until you resume it.'),
      done: 'The recurring invoice was paused.',
    }),
    change('resumeRecurringInvoice', {
      name: 'resume',
      label: 'Resume',
      applies: ({ status }) => status === 'PAUSED',
      says: () => word('Invoices are made again from the next cycle on.'),
      done: 'The recurring invoice was resumed.',
    }),
    change('cancelRecurringInvoice', {
      name: 'cancel',
      label: 'Cancel the recurring invoice',
      danger: true,
      applies: ({ status }) => status === 'ACTIVE' || status === 'PAUSED',
      says: () => word('No further invoice is made, and no card is charged. You cannot undo this.'),
      done: 'The recurring invoice was cancelled.',
    }),
    voidBooklet,
  ],
})
