import { changing, changingTime, fixed, fixedTime, table } from '@cofre/platform/postgres/columns'
import type { Boleto } from '../boleto/boleto'
import type { Receipt } from '../receipts/receipt'
import { assigned } from '@cofre/platform/postgres/columns'

/** The one place that names the columns of a slip. */
export const BOLETOS = table<Boleto>({
  id: fixed,
  sellerId: fixed,
  invoiceId: fixed,
  publicId: fixed,
  status: changing,
  account: fixed,
  ourNumber: fixed,
  barcode: changing,
  digitableLine: changing,
  documentNumber: fixed,
  dueDay: fixed,
  lateOn: fixed,
  payableUntil: fixed,
  amount: fixed,
  fine: fixed,
  interest: fixed,
  instructions: fixed,
  payer: { prefix: 'payer_', fields: { name: fixed, document: fixed, address: fixed } },
  beneficiary: {
    prefix: 'beneficiary_',
    fields: { name: changing, document: changing, agency: changing, account: changing, address: changing },
  },
  refusal: changing,
  dispatchDeadline: changingTime,
  operationId: changing,
  withdrawing: changing,
  accountGoneAt: changingTime,
  askAt: changingTime,
  version: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

/** The one place that names the columns of a receipt. */
export const RECEIPTS = table<Receipt>({
  id: assigned,
  sellerId: fixed,
  account: fixed,
  bankId: fixed,
  ourNumber: fixed,
  boletoId: fixed,
  invoiceId: fixed,
  amount: fixed,
  unexpected: fixed,
  reason: fixed,
  paidAt: fixedTime,
  resolvedAt: changingTime,
  resolution: changing,
  resolvedBy: changing,
  createdAt: fixedTime,
})
