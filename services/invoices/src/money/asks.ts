import type { Asks } from '../methods/ask'
import type { AskMethod } from '../methods/methods'
import { BOLETO_ASKS } from '../boletos/store/boleto-asks'
import { PIX_ASKS } from '../pix/store/pix-asks'
import type { IsAsked } from '../invoice/store/draft-store'
import type { AfterSave } from '../invoice/store/invoice-store'

/** The asks of each method. */
export const ASKS: Record<AskMethod, Asks> = { BOLETO: BOLETO_ASKS, PIX: PIX_ASKS }

/** Withdraws the open asks of an invoice whose sum changes, in the transaction that changes it. */
export const withdrawOpenAsks: AfterSave = async (tx, invoice, added) => {
  const { id, status, updatedAt } = invoice
  const isMoved = added.length > 0
  if (status !== 'PAID' && status !== 'CANCELLED' && !isMoved) return invoice
  for (const asks of Object.values(ASKS)) await asks.withdrawOpen(tx, id, updatedAt)
  return invoice
}

/** Whether an invoice has an open ask. The caller's transaction has locked the invoice. */
export const isAsked: IsAsked = async (tx, invoiceId) => {
  for (const asks of Object.values(ASKS)) if (await asks.hasOpen(tx, invoiceId)) return true
  return false
}
