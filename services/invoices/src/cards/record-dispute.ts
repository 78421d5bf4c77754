import type { Db } from '@cofre/platform/postgres/postgres'
import { DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import type { Dispute } from '@cofre/proto/orders/v1/disputes'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { lockInvoice, saveLocked, type Saving } from '../invoice/store/invoice-store'
import { readDisputed, readHeld } from '../money/movement-store'
import { readTransaction, saveTransaction, type TransactionKey } from '../invoice/store/transaction-store'
import { withdraw } from './rules/withdrawal'
import { findDispute, saveDispute } from './store/dispute-store'

/** A dispute as an event reports it. `sequence`: counts the events of a dispute; the highest is the latest. */
export type ToldDispute = { dispute: Dispute; sequence: number; occurredAt: number }

/**
 * Saves what a dispute has taken back of a payment's money by now, in the caller's transaction. An event that is older
 * than one that was seen changes nothing. Money that the invoice did not take is none of its movements.
 */
export async function recordDispute(
  deps: Saving,
  tx: Db,
  key: TransactionKey,
  { dispute, sequence, occurredAt }: ToldDispute,
  at: number,
): Promise<WholeInvoice> {
  const locked = await lockInvoice(tx, { sellerId: key.sellerId, id: key.invoiceId })
  const transaction = await readTransaction(tx, key)
  const known = await findDispute(tx, dispute.id)
  if (known && known.sequence >= sequence) return locked
  const isOfInvoice = transaction.status === 'SUCCEEDED'
  const withdrawn = isOfInvoice ? dispute.withdrawnAmount : 0
  const { id, sellerId, status } = dispute
  await saveDispute(tx, {
    id,
    sellerId,
    transactionId: transaction.id,
    cardId: transaction.cardId ?? transaction.keepCardId,
    isWon: status === DisputeStatus.WON,
    withdrawn,
    sequence,
  })
  const change = withdrawn - (known?.withdrawn ?? 0)
  if (change === 0) return locked
  const held = change > 0 ? await readHeld(tx, locked.id) : await readDisputed(tx, locked.id)
  const taken = withdraw(locked, transaction, { disputeId: id, change, held, movedAt: occurredAt, at })
  const invoice = await saveTransaction(tx, taken.invoice, taken.transaction)
  // Sellers are notified of the dispute itself.
  return saveLocked(deps, tx, { invoice, event: undefined, charge: undefined, movements: taken.movements })
}
