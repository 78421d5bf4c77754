import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Payer } from '../boleto/boleto'
import { termsOf } from '../boleto/terms'
import type { NewBoleto } from '../boleto-store/boleto-store'
import type { WholeInvoice } from '../invoice/invoice'
import { newPublicId } from '../invoice-store/public-id'

/** The part of the caller's time that is kept for saving the outcome and answering. */
const ANSWER_MS = 1_000

/** The moment by which a registration leaves, epoch milliseconds: within `withinMs`, and within the caller's time. */
export function dispatchDeadline(withinMs: number): number {
  const callerWaitsUntil = currentCall()?.deadline ?? Infinity
  return Math.min(Date.now() + withinMs, callerWaitsUntil - ANSWER_MS)
}

type Slip = Pick<NewBoleto, 'account' | 'dispatchDeadline' | 'askAt'> & {
  invoice: WholeInvoice
  payer: Payer
  at: number
}

/**
 * The slip of an invoice as it is saved before the bank is called. FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED,
 * PAYMENT_WINDOW_CLOSED.
 */
export function newSlip({ invoice, at, ...given }: Slip): NewBoleto {
  return {
    ...termsOf(invoice, at),
    ...given,
    sellerId: invoice.sellerId,
    invoiceId: invoice.id,
    publicId: newPublicId(),
    status: 'PENDING',
    barcode: null,
    digitableLine: null,
    documentNumber: invoice.invoiceNumber,
    beneficiary: null,
    refusal: null,
    operationId: null,
    withdrawing: false,
    accountGoneAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}
