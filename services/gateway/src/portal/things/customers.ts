import type { CustomerJson } from '@cofre/api/customer'
import type { customerCardsSchema } from '@cofre/api/recurring/customer-card'
import type { InvoiceEntryJson } from '@cofre/api/invoice'
import type { z } from 'zod'
import { thing } from '../desk/thing'
import { day, link, reais, reaisIfAny, taxNumber, time, word } from '../words/value'
import { cardWords } from '../words/card-words'
import { invoiceBadge } from '../bills/invoice-badge'
import { debtBlocks, type Debt } from './customer-debt'
import { ANOTHER, customerBody, customerFields, isKnown } from './customer-fields'

type Cards = z.output<typeof customerCardsSchema>

const INVOICES_SHOWN = '10'

export const customers = thing<
  CustomerJson,
  CustomerJson,
  { kept: Cards; debt: Debt; billed: readonly InvoiceEntryJson[] }
>({
  name: 'customers',
  many: 'Customers',
  none: 'There is no customer yet.',
  list: 'listCustomers',
  read: 'getCustomer',
  filters: [
    { name: 'name', label: 'Name', kind: 'text' },
    { name: 'document', label: 'CPF or CNPJ', kind: 'text' },
    { name: 'email', label: 'E-mail', kind: 'text' },
  ],
  searched: ['document', 'email', 'name'],
  columns: [
    { name: 'Name', of: ({ name }) => name, leads: true },
    { name: 'CPF or CNPJ', of: ({ document }) => taxNumber(document) },
    { name: 'E-mail', of: ({ email }) => email },
    { name: 'Created', of: ({ createdAt }) => time(createdAt) },
  ],
  beside: { kept: 'listCustomerCards', debt: 'getCustomerAging' },
  around: async ({ document }, ask) => {
    const page = await ask('listInvoices', { document, size: INVOICES_SHOWN })
    return { billed: (page as { content: InvoiceEntryJson[] }).content }
  },
  creations: [
    {
      name: 'new',
      operation: 'createCustomer',
      label: 'New customer',
      fields: async (_ask, given) => [...customerFields(), ...(given('document') === '' ? [] : [ANOTHER])],
      body: async (typed, ask) =>
        typed[ANOTHER.name] !== true && (await isKnown(ask, typed.document))
          ? {
              faults: {
                document: 'Another customer has this CPF or CNPJ. Tick the box below to create one more.',
              },
            }
          : { body: customerBody(typed) },
      done: 'The customer was created.',
    },
  ],
  heading: ({ name }) => name,
  page: ({ document, email, phone, address, birthdate, createdAt, id }, { kept, debt, billed }) => ({
    blocks: [
      {
        facts: [
          ['CPF or CNPJ', taxNumber(document)],
          ['E-mail', email],
          [
            'Phone',
            phone?.number ? `+${phone.countryCode ?? 55} ${phone.areaCode ?? ''} ${phone.number}` : null,
          ],
          ['Address', address && Object.values(address).filter((part) => part !== null)],
          ['Birth date', birthdate && { day: birthdate }],
          [
            'New invoice',
            { to: `/invoices/new?document=${document}&customerId=${id}`, text: word('Create') },
          ],
          [
            'New recurring invoice',
            { to: `/recurring/new?document=${document}&customerId=${id}`, text: word('Create') },
          ],
          ['Invoices', { to: `/invoices?document=${document}`, text: word('Show all') }],
          ['Customer id', String(id)],
          ['Created', time(createdAt)],
        ],
      },
      ...debtBlocks(debt),
      {
        title: word('Newest invoices'),
        table: {
          columns: [
            { name: 'Invoice' },
            { name: 'Due' },
            { name: 'Status' },
            { name: 'Amount', number: true },
            { name: 'Paid', number: true },
          ],
          rows: billed.map((invoice) => [
            link(`/invoices/${invoice.id}`, invoice.invoiceNumber),
            day(invoice.dueDate),
            { badge: invoiceBadge(invoice) },
            reais(invoice.amountInCents),
            reaisIfAny(invoice.paidInCents),
          ]),
        },
        none: 'No invoice has been made yet.',
      },
      {
        title: word('Kept cards'),
        table: {
          columns: [{ name: 'Card' }, { name: 'Expires' }, { name: 'Agreed to' }],
          rows: kept.cards.map((card) => [
            cardWords(card),
            `${String(card.expiration.month).padStart(2, '0')}/${card.expiration.year}`,
            card.consent &&
              word('{at}, from {address}: “{text}”', {
                at: time(card.consent.givenAt),
                address: card.consent.address,
                text: card.consent.text,
              }),
          ]),
        },
        none: 'The customer keeps no card.',
      },
    ],
  }),
  actions: [
    {
      operation: 'replaceCustomer',
      name: 'edit',
      label: 'Edit',
      applies: () => true,
      says: () => word('Invoices that exist keep the customer as it was.'),
      fields: customerFields,
      body: (typed, before) => ({ body: customerBody(typed, before) }),
      done: 'The customer was changed.',
    },
    {
      operation: 'deleteCustomer',
      name: 'delete',
      label: 'Delete',
      danger: true,
      removes: true,
      applies: () => true,
      says: () =>
        word(
          'Personal data are erased. Invoices keep the name, document and e-mail that are printed on them.',
        ),
      done: 'The customer was deleted.',
    },
  ],
})
