import { answerMark } from '@cofre/platform/idempotency/mark'
import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import { PixRefund as Message } from '@cofre/proto/invoices/v1/pix'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { giveBack } from '../../invoice/rules/money'
import { tellRefundFailed } from '../../invoice/rules/transition'
import { lockInvoice, saveLocked, type Saving } from '../../invoice/store/invoice-store'
import { settled, withoutAccount, type PixRefund, type RefundAnswer } from '../../pix/rules/pix-refund'
import { refundMessage } from '../../pix/store/pix-refund-message'
import { lockRefund, saveRefund } from '../../pix/store/pix-refund-store'
import { closePart, income, returned, saveAndTell } from '../close-receipt-part'
import { readHeld } from '../movement-store'
import type { Receipt } from '../receipt'
import { receiptMessage } from '../receipt-message'
import { lockReceipt } from '../receipt-store'

/**
 * Saves the bank's answer to a refund, or that nobody can ask for it, once: movement, sums, event, and the mark of the request. Returns the answer to
 * the request: the refund, or the receipt of which money goes back.
 */
export async function recordRefund(
  deps: Pick<Deps, 'pool' | 'log' | 'afterSave'>,
  refund: PixRefund,
  answer: RefundAnswer | { result: 'gone' },
): Promise<Uint8Array> {
  const { pool, log } = deps
  const { id: refundId, sellerId, invoiceId, amount } = refund
  if (answer.result === 'found' && answer.found.amount !== amount) {
    tellViolation(log, 'bank-agrees', { refundId })
  }
  return withTransaction(pool, async (tx) => {
    const at = now()
    const owner =
      invoiceId === null
        ? { receipt: await lockReceipt(tx, { sellerId, id: refund.receiptId }) }
        : { invoice: await lockInvoice(tx, { sellerId, id: invoiceId }) }
    const before = await lockRefund(tx, refundId)
    const known = answer.result === 'gone' ? withoutAccount(before, at) : settled(before, answer, at)
    const after = { ...known, operationId: null }
    await saveRefund(tx, after)
    const isOver = after.status !== before.status
    const goneAt = answer.result === 'found' ? Math.min(answer.found.at, at) : at
    if (isOver && owner.invoice) await ofInvoice(deps, tx, owner.invoice, after, { goneAt, at })
    const receipt =
      isOver && owner.receipt ? await ofReceipt(tx, owner.receipt, after, { goneAt, at }) : owner.receipt
    if (isOver) log.info({ refundId, sellerId, invoiceId, status: after.status }, 'refund over')
    const bytes = receipt
      ? UnexpectedReceipt.encode(receiptMessage(receipt)).finish()
      : Message.encode(refundMessage(after)).finish()
    if (before.operationId !== null) await answerMark(tx, before.operationId, bytes)
    return bytes
  })
}

type Moment = { goneAt: number; at: number }

/** Notes in an invoice that money of it went back by Pix, or did not. */
export async function ofInvoice(
  deps: Saving,
  tx: PoolClient,
  invoice: WholeInvoice,
  { status, amount, receiptId, note }: Pick<PixRefund, 'status' | 'amount' | 'receiptId' | 'note'>,
  moment: Moment,
): Promise<void> {
  const gone = {
    kind: 'REFUND',
    method: 'PIX',
    amount,
    fee: 0,
    ...moment,
    source: { receiptId, note },
  } as const
  const decision =
    status === 'FAILED'
      ? tellRefundFailed(invoice, moment.at)
      : giveBack(invoice, gone, await readHeld(tx, invoice.id))
  await saveLocked(deps, tx, decision)
}

/** Notes in a receipt that money of it that waited went back, or waits again. */
function ofReceipt(
  tx: PoolClient,
  before: Receipt,
  { sellerId, status, amount, note }: PixRefund,
  { goneAt: returnedAt, at }: Moment,
): Promise<Receipt> {
  const receipt = { ...before, sellerId, returningAmount: before.returningAmount - amount }
  if (status === 'FAILED') return saveAndTell(tx, receipt, { type: 'receipt.return_failed', at })
  const came = income(receipt, amount, at, {})
  const left = returned(receipt, 'REFUND', { amount, returnedAt, at }, { note })
  return closePart(tx, receipt, { outcome: 'RETURNED', amount, note: note ?? '', at }, [came, left])
}
