import type { unexpectedReceiptSchema } from '@cofre/api/boleto'
import type { InvoiceEntryJson, InvoiceJson } from '@cofre/api/invoice'
import type { z } from 'zod'
import type { Fault, Field } from '../desk/fields'
import type { Action, Ask } from '../desk/thing'
import { reais, word } from '../words/value'

export type Receipt = z.output<typeof unexpectedReceiptSchema>

/** What of it nobody has decided on yet, cents. */
export const leftOf = ({ openInCents, returningInCents }: Receipt): number => openInCents - returningInCents
export const waits = (receipt: Receipt): boolean => leftOf(receipt) > 0

/** An invoice in these statuses takes money. */
const OPEN = 'CLOSED,UNCOLLECTIBLE'
const OFFERED = '25'

export const apply: Action<Receipt> = {
  operation: 'applyUnexpectedReceipt',
  name: 'apply',
  label: 'Apply to an invoice',
  applies: waits,
  says: (receipt) =>
    word('An invoice takes {left}. What it does not need stays on the receipt.', {
      left: reais(leftOf(receipt)),
    }),
  fields: fieldsOf,
  body: async ({ invoice, invoiceNumber, isOthers, ...body }, receipt, ask) => {
    if (typeof invoiceNumber !== 'string') {
      return typeof invoice === 'string'
        ? { body: { ...body, invoiceId: Number(invoice) } }
        : { faults: { invoiceNumber: 'Fill this in.' } }
    }
    const found = await openInvoices(ask, { invoiceNumber })
    const named = found.find((each) => each.invoiceNumber === invoiceNumber)
    if (!named) return { faults: { invoiceNumber: 'No open invoice has this number.' } }
    const payer = await customerOf(receipt, ask)
    if (payer && payer.id !== named.customer.id && isOthers !== true) {
      return { faults: { invoiceNumber: anothers(named) } }
    }
    return { body: { ...body, invoiceId: named.id } }
  },
  done: 'The invoice took the money.',
}

/** The open invoices of the customer for whose invoice the money came. Another one is named by its number. */
async function fieldsOf(receipt: Receipt, ask: Ask): Promise<Field[]> {
  const payer = await customerOf(receipt, ask)
  const offered = payer ? await openInvoices(ask, { document: payer.document }) : []
  const [first] = offered
  return [
    ...(first
      ? [
          {
            name: 'invoice',
            label: 'Open invoice of the customer',
            kind: 'choice',
            value: String(first.id),
            options: offered.map((each) => [String(each.id), { own: textOf(each) }] as const),
          } as const,
        ]
      : []),
    {
      name: 'invoiceNumber',
      label: first ? 'Number of another invoice' : 'Number of the invoice',
      kind: 'text',
      ...(!first && { required: true }),
    },
    ...(payer
      ? [
          {
            name: 'isOthers',
            label: 'I have checked that the money is for another customer',
            kind: 'check',
          } as const,
        ]
      : []),
    { name: 'writeOffRest', label: 'Write off what the money does not cover', kind: 'check' },
    { name: 'note', label: 'Note', kind: 'text' },
  ]
}

async function customerOf({ invoiceId }: Receipt, ask: Ask): Promise<InvoiceJson['customer'] | undefined> {
  if (invoiceId === null) return undefined
  return ((await ask('getInvoice', {}, { id: String(invoiceId) })) as InvoiceJson).customer
}

async function openInvoices(ask: Ask, filter: Record<string, string>): Promise<InvoiceEntryJson[]> {
  const query = { status: OPEN, size: OFFERED, ...filter }
  return ((await ask('listInvoices', query)) as { content: InvoiceEntryJson[] }).content
}

function anothers({ customer, balanceInCents, payableInCents }: InvoiceEntryJson): Fault {
  return {
    word: 'This invoice is of {name}, who owes {sum}. Tick the box below if the money is theirs.',
    with: { name: customer.name, sum: reais(balanceInCents || payableInCents) },
  }
}

function textOf({ invoiceNumber, customer, balanceInCents, payableInCents }: InvoiceEntryJson): string {
  const sum = ((balanceInCents || payableInCents) / 100).toFixed(2).replace('.', ',')
  return `${invoiceNumber} · ${customer.name} · R$ ${sum}`
}
