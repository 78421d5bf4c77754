import { discountMessage } from '@cofre/api/invoice-terms'
import type { InvoiceJson } from '@cofre/api/invoice'
import { dayOf } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { discountsOf } from '../bills/bill-terms'
import type { Field } from '../desk/fields'
import type { Action, Ask, Composed, Creation, Given, Sums } from '../desk/thing'
import { day, reais, word } from '../words/value'
import { billBody, billFields, itemsOf, productsOf } from './bill-fields'

const ROWS = 5
/** A form has at most 100 fields. */
const MAX_ROWS = 25
/** Rows for what is added to a draft. */
const SPARE_ROWS = 3

type Typed = Record<string, unknown>

/** Makes an invoice for a customer that exists, with up to five items. */
export const newInvoice: Creation = {
  operation: 'createInvoice',
  name: 'new',
  label: 'New invoice',
  fields: async (ask, given) => [
    ...(await fieldsOf(ask, given)),
    { name: 'finalize', label: 'Finalize: it asks for its payment at once', kind: 'check', value: 'true' },
  ],
  body: (typed, ask) => bodyOf(ask, typed),
  sums: (typed, desk) => sumsOf(typed, desk),
  done: 'The invoice was created.',
}

/** Replaces a draft, by the form that makes one. */
export const editInvoice: Action<InvoiceJson> = {
  operation: 'replaceInvoice',
  name: 'edit',
  label: 'Edit',
  applies: ({ status, items }) => status === 'OPEN' && items.length <= MAX_ROWS,
  says: () => word('The number and the payment page stay the same.'),
  fields: async (invoice, ask, given) => [
    ...(await fieldsOf(ask, given, invoice)),
    { name: 'updatedAt', label: 'Last change', kind: 'hidden', value: String(invoice.updatedAt) },
  ],
  body: (typed, invoice, ask) => bodyOf(ask, typed, invoice),
  sums: sumsOf,
  done: 'The invoice was changed.',
}

const rowsFor = (invoice?: InvoiceJson) =>
  Math.min(MAX_ROWS, Math.max(ROWS, (invoice?.items.length ?? 0) + SPARE_ROWS))

function fieldsOf(ask: Ask, given: Given, invoice?: InvoiceJson): Promise<Field[]> {
  const dayIn = (at: number | null = null) => (at === null ? '' : dayOf(at))
  const between: Field[] = [
    { name: 'dueDate', label: 'Due', kind: 'day', required: true, value: dayIn(invoice?.dueDate) },
    {
      name: 'paymentLimitDate',
      label: 'Payable until',
      kind: 'day',
      hint: word('Empty: it can be paid at any time.'),
      value: dayIn(invoice?.paymentLimitDate),
    },
  ]
  return billFields(ask, given, rowsFor(invoice), between, invoice)
}

/** The form has no field for these, and a replacement clears what it does not name. */
function keptOf(invoice?: InvoiceJson): Typed {
  if (!invoice) return {}
  const { partialPayments, splits, notificationUrl, successUrl } = invoice
  return { partialPayments, splits, notificationUrl, successUrl }
}

function bodyOf(ask: Ask, typed: Typed, invoice?: InvoiceJson): Promise<Composed> {
  const compose = ({ rest, ...bill }: { rest: Typed }) => ({ ...keptOf(invoice), ...bill, ...rest })
  return billBody(ask, rowsFor(invoice), typed, compose, invoice)
}

/** What the invoice would ask for today. */
async function sumsOf(
  ...[typed, desk, invoice]: Parameters<Sums<InvoiceJson>>
): ReturnType<Sums<InvoiceJson>> {
  const { ask, sellerId, services } = desk
  const { invoices } = services
  const products = await productsOf(ask, invoice?.items)
  const items = itemsOf(typed, rowsFor(invoice), products) as InvoiceJson['items']
  if (items.length === 0) return []
  const discounts = discountsOf(typed, invoice).map(discountMessage)
  const dueDate = Number(typed['dueDate'] ?? Date.now())
  try {
    const asked = { sellerId, dueDate, items, discounts }
    const { amount, discountAmount, discountUntil, ...sums } = await callRpc(
      invoices,
      invoices.sumInvoice,
      asked,
    )
    return [
      ['Subtotal', reais(amount)],
      ...(discountUntil === undefined
        ? []
        : [
            [
              'Discount',
              word('{sum} until {day}', { sum: reais(-discountAmount), day: day(discountUntil) }),
            ] as const,
          ]),
      ['Total', reais(sums.payableAmount)],
    ]
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid_argument') {
      return [['Total', word('Check the items and the discount.')]]
    }
    throw error
  }
}
