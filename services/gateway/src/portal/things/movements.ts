import type { movementSchema } from '@cofre/api/methods/movement'
import type { z } from 'zod'
import { thing } from '../desk/thing'
import { link, moment, reais } from '../words/value'
import { METHODS, methodOf, movedIn, MOVEMENTS, wordsOf } from '../words/invoice-words'

type Movement = z.output<typeof movementSchema>

/** The journal of money, which a bookkeeper exports each month. */
export const movements = thing<Movement, never>({
  name: 'movements',
  many: 'Movements',
  none: 'No money has moved yet.',
  list: 'listMovements',
  csv: 'exportMovements',
  filters: [
    { name: 'from', label: 'From', kind: 'day' },
    { name: 'to', label: 'To', kind: 'day' },
    {
      name: 'kind',
      label: 'Kind',
      kind: 'choice',
      options: Object.entries(MOVEMENTS).map(([name, { text }]) => [name, text]),
    },
    { name: 'method', label: 'Method', kind: 'choice', options: Object.entries(METHODS) },
    { name: 'endToEndId', label: 'Pix id (end-to-end)', kind: 'text' },
    { name: 'txid', label: 'Pix charge (txid)', kind: 'text' },
    { name: 'ourNumber', label: 'Boleto: bank’s number or typed line', kind: 'text' },
    { name: 'bankReceiptId', label: 'Bank’s receipt', kind: 'text' },
  ],
  searched: ['endToEndId', 'txid', 'ourNumber', 'bankReceiptId'],
  columns: [
    { name: 'Date', of: ({ at }) => moment(at) },
    { name: 'Kind', of: ({ kind }) => ({ badge: MOVEMENTS[kind] }) },
    { name: 'Method', of: methodOf },
    {
      name: 'Invoice',
      of: ({ invoiceId, invoiceNumber }) =>
        invoiceId && link(`/invoices/${invoiceId}`, invoiceNumber ?? String(invoiceId)),
    },
    {
      name: 'Receipt',
      of: ({ source: { receiptId } }) => receiptId && link(`/receipts/${receiptId}`, String(receiptId)),
    },
    {
      name: 'Note',
      of: (movement) => [
        ...(movement.card ? [`NSU ${movement.card.nsu}`] : []),
        ...(movement.pix?.payerName ? [movement.pix.payerName] : []),
        ...wordsOf(movement),
      ],
    },
    { name: 'Amount', of: movedIn, number: true },
    {
      name: 'Written off',
      of: ({ kind, amountInCents }) => (kind === 'WRITE_OFF' ? reais(amountInCents) : null),
      number: true,
    },
  ],
  heading: () => null,
  page: () => ({ blocks: [] }),
  actions: [],
})
