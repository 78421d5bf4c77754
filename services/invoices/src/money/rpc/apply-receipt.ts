import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import type { ApplyReceiptRequest } from '@cofre/proto/invoices/v1/money'
import type { PoolClient } from '@cofre/platform/postgres/postgres'
import { DomainError } from '@cofre/platform/errors'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { lateChargesOf } from '../../invoice/rules/late-charges'
import { beginPaying, isBeingPaid, paymentPending } from '../../invoice/rules/transition'
import { lockInvoice } from '../../invoice/store/invoice-store'
import { throwFaults, unknownReference } from '../../request-check'
import { closePart, waitingOf } from '../close-receipt-part'
import { wordFaults } from '../money-request'
import type { Receipt } from '../receipt'
import { receiptMessage } from '../receipt-message'
import { lockReceipt, readReceipt } from '../receipt-store'
import { recordPaid } from '../record-paid'

/** Has an invoice take money that waits. What the invoice is not owed waits on. */
export async function applyReceipt(
  deps: Deps,
  { sellerId, receiptId: id, invoiceId: given, writeOffRest, note }: ApplyReceiptRequest,
): Promise<Replayable<UnexpectedReceipt>> {
  throwFaults(wordFaults({ note }))
  return withIdempotency(deps.pool, sellerId, UnexpectedReceipt, async (tx) => {
    const seen = await readReceipt(tx, { sellerId, id })
    const invoiceId = given ?? seen.invoiceId
    if (invoiceId === null) throw unknownReference('The receipt', ['#/invoiceId'])
    // The invoice is locked before the receipt, as by all that take money.
    const invoice = await lockNamed(tx, { sellerId, id: invoiceId }, given !== undefined)
    const receipt = await lockReceipt(tx, { sellerId, id })
    waitingOf(receipt)
    const applied = await apply(deps, tx, { invoice, receipt, writeOffRest, note })
    deps.log.info({ sellerId, receiptId: id, invoiceId }, 'receipt applied to an invoice')
    return receiptMessage(applied)
  })
}

async function lockNamed(
  tx: PoolClient,
  key: { sellerId: number; id: number },
  isNamed: boolean,
): Promise<WholeInvoice> {
  try {
    return await lockInvoice(tx, key)
  } catch (error) {
    if (!isNamed || !(error instanceof DomainError) || error.kind !== 'not_found') throw error
    throw unknownReference('The request', ['#/invoiceId'])
  }
}

type Applied = { invoice: WholeInvoice; receipt: Receipt; writeOffRest: boolean; note: string }

async function apply(
  deps: Deps,
  tx: PoolClient,
  { invoice, receipt, writeOffRest, note }: Applied,
): Promise<Receipt> {
  const at = now()
  // Throws when the invoice takes no money.
  beginPaying(invoice, at)
  if (isBeingPaid(invoice)) throw paymentPending()
  const { method, paidAt, id: receiptId } = receipt
  const asOf = Math.min(paidAt, at)
  const amount = Math.min(waitingOf(receipt), lateChargesOf(invoice, asOf).payableAmount)
  const rest = writeOffRest ? 'BY_SELLER' : 'OWED'
  const source = { receiptId, note: note || null }
  await recordPaid(deps, tx, invoice, { method, amount, rest, at, paidAt: asOf, source })
  return closePart(tx, receipt, { outcome: 'APPLIED', amount, note, at }, [])
}
