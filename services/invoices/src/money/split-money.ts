import { sharesOf } from '../invoice/rules/shares'
import type { AfterSave } from '../invoice/store/invoice-store'
import { enterShares, movementsOf } from './entry-store'

/** Enters what each recipient of a split is owed of the movements that a save of its invoice added. */
export const splitMoney: AfterSave = async (tx, invoice, added) => {
  const count = added.filter(({ invoiceId }) => invoiceId === invoice.id).length
  if (count === 0 || invoice.splits.length === 0) return invoice
  const movements = await movementsOf(tx, invoice.id)
  // Those that were added have the last ids: the invoice is locked.
  const isNew = new Set(movements.slice(-count).map(({ id }) => id))
  const shares = sharesOf(invoice.amount, invoice.splits, movements)
  await enterShares(
    tx,
    invoice,
    shares.filter(({ movementId }) => isNew.has(movementId)),
  )
  return invoice
}
