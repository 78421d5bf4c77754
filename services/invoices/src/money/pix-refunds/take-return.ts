import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { lockInvoice, type Saving } from '../../invoice/store/invoice-store'
import type { BankReturn } from '../../methods/ask'
import type { PixRefund } from '../../pix/rules/pix-refund'
import { findRefundOf, insertRefund } from '../../pix/store/pix-refund-store'
import { closePart, income, returned, saveAndTell } from '../close-receipt-part'
import type { Receipt } from '../receipt'
import { findReceipt, lockReceiptRow } from '../receipt-store'
import { invoicesOf } from './pix-of-invoice'
import { ofInvoice, recordRefund } from './record-refund'

type Owned = Receipt & { sellerId: number }

/**
 * Takes what the bank says it gives back of a receipt. One that we asked for is settled. Any other is adopted once the
 * money is gone: the seller gave it back in the bank's own app, or the bank did so by itself. Repeatable.
 */
export async function takeReturn(
  deps: Pick<Deps, 'pool' | 'log' | 'afterSave'>,
  named: Pick<Receipt, 'method' | 'account' | 'bankId'>,
  found: BankReturn,
): Promise<void> {
  const { pool, log } = deps
  const receipt = await findReceipt(pool, named)
  if (!receipt || receipt.sellerId === null) return
  const { id: receiptId, sellerId } = receipt
  const { number, nature, amount } = found
  const known = await findRefundOf(pool, { receiptId, number })
  if (known?.status === 'PENDING') await recordRefund(deps, known, { result: 'found', found })
  if (known?.status === 'FAILED' && found.status === 'SUCCEEDED') {
    tellViolation(log, 'bank-agrees', { refundId: known.id })
  }
  if (known || found.status !== 'SUCCEEDED') return
  const adopted = await withTransaction(pool, (tx) => adopt(deps, tx, { ...receipt, sellerId }, found))
  if (adopted) log.warn({ sellerId, receiptId, nature, amount }, 'money given back by the bank')
}

/** The invoices are locked before the receipt, as by all that take money. False when it is adopted already. */
async function adopt(deps: Saving, tx: PoolClient, seen: Owned, found: BankReturn): Promise<boolean> {
  const { id: receiptId, sellerId } = seen
  const ids = (await invoicesOf(tx, receiptId)).map(({ invoiceId }) => invoiceId)
  const invoices = new Map<number, WholeInvoice>()
  for (const id of ids.toSorted((one, other) => one - other)) {
    invoices.set(id, await lockInvoice(tx, { sellerId, id }))
  }
  await lockReceiptRow(tx, seen)
  const receipt = { ...seen, ...(await findReceipt(tx, seen)), sellerId }
  if (await findRefundOf(tx, { receiptId, number: found.number })) return false
  const at = now()
  const goneAt = Math.min(found.at, at)
  let left = found.amount - (receipt.openAmount - receipt.returningAmount)
  for (const { invoiceId: id, took } of await invoicesOf(tx, receiptId)) {
    const amount = Math.min(left, took)
    if (amount <= 0) continue
    const invoice = invoices.get(id)
    // Money was applied to it a moment ago: the next look finds it.
    if (!invoice) throw new Error('an invoice took money of a receipt meanwhile')
    const refund = await insertRefund(tx, adoptedOf(receipt, id, { ...found, amount }, at))
    await ofInvoice(deps, tx, invoice, { ...refund, note: found.nature }, { goneAt, at })
    left -= amount
  }
  await adoptOfNoInvoice(tx, receipt, { ...found, kept: Math.max(left, 0) }, { goneAt, at })
  return true
}

/** Takes what waits, and then what the seller kept as income. `kept`: the part of the latter, cents. */
async function adoptOfNoInvoice(
  tx: PoolClient,
  receipt: Owned,
  found: BankReturn & { kept: number },
  { goneAt: returnedAt, at }: { goneAt: number; at: number },
): Promise<void> {
  const { kept, nature: note } = found
  const waited = Math.min(found.amount, receipt.openAmount - receipt.returningAmount)
  if (waited + kept > 0) {
    await insertRefund(tx, adoptedOf(receipt, null, { ...found, amount: waited + kept }, at))
  }
  const gone = (amount: number) => returned(receipt, 'REFUND', { amount, returnedAt, at }, { note })
  let after: Receipt = receipt
  if (waited > 0) {
    const movements = [income(receipt, waited, at, {}), gone(waited)]
    after = await closePart(tx, receipt, { outcome: 'RETURNED', amount: waited, note: '', at }, movements)
  }
  if (kept > 0) await saveAndTell(tx, after, { movements: [gone(kept)], type: 'receipt.taken_back', at })
}

function adoptedOf(
  { id: receiptId, sellerId, account, bankId: endToEndId }: Owned,
  invoiceId: number | null,
  { number, amount, nature }: BankReturn,
  at: number,
): Omit<PixRefund, 'id'> {
  const of = { sellerId, receiptId, invoiceId, account, endToEndId, number, amount, nature }
  const over = { note: null, refusal: null, dispatchDeadline: null, operationId: null, askAt: null }
  return { ...of, ...over, status: 'SUCCEEDED', createdAt: at, updatedAt: at }
}
