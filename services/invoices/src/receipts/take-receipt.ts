import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import { now } from '../clock/billing-clock'
import type { Boleto } from '../boleto/boleto'
import { closedAtBank, paid } from '../boleto/transition'
import { findBoleto, lockBoleto, saveBoleto } from '../boleto-store/boleto-store'
import type { Deps } from '../deps'
import { lockInvoice } from '../invoice-store/invoice-store'
import { settlePaid } from '../payments/settle-paid'
import { place as placeMoney, type Placement } from './placement'
import type { BankReceipt } from './receipt'
import { findSellerOfAccount, insertReceipt, isKept } from './receipt-store'

export type ReceivedFor = { account: string; ourNumber: string }

/**
 * Keeps money that the bank says came in, once: what its invoice asks for pays it, all else is on the list of what waits
 * for a person. One transaction; repeatable, in any order.
 */
export async function takeReceipt(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  { account, ourNumber }: ReceivedFor,
  receipt: BankReceipt,
): Promise<void> {
  const known = await findBoleto(pool, ourNumber)
  // Of another account than the slip's, it is no money of that slip.
  const boleto = known?.account === account ? known : undefined
  const placed = await withTransaction(pool, (tx) =>
    boleto ? takeFor(tx, boleto, receipt) : takeUnknown(tx, { account, ourNumber }, receipt),
  )
  if (!placed) return
  const { bankId, amount } = receipt
  const slip = { boletoId: boleto?.id, invoiceId: boleto?.invoiceId, sellerId: boleto?.sellerId }
  const facts = { ...slip, agreement: account, ourNumber, receipt: bankId, amount, ...placed }
  log[placed.unexpected > 0 ? 'warn' : 'info'](facts, 'money received')
}

/** Undefined: it is kept already. */
async function takeFor(
  tx: PoolClient,
  { id, sellerId, invoiceId, account, ourNumber }: Boleto,
  receipt: BankReceipt,
): Promise<Placement | undefined> {
  const invoice = await lockInvoice(tx, { sellerId, id: invoiceId })
  if (await isKept(tx, { account, bankId: receipt.bankId })) return undefined
  const boleto = await lockBoleto(tx, id)
  const placement = placeMoney(boleto, invoice, receipt)
  const at = now()
  const isNew = await keep(
    tx,
    { sellerId, account, ourNumber, boletoId: id, invoiceId },
    receipt,
    placement,
    at,
  )
  if (!isNew) return undefined
  if (placement.paid > 0) {
    // Before the invoice is saved, which withdraws whatever slip of it is open.
    await saveBoleto(tx, paid(boleto, at))
    const paidAt = Math.min(receipt.paidAt, at)
    await settlePaid(tx, invoice, { method: 'BOLETO', amount: placement.paid, at, paidAt })
  } else if (isOpen(boleto)) {
    // The bank holds it as paid: only another slip can be paid now.
    await saveBoleto(tx, closedAtBank(boleto, at))
  }
  return placement
}

/** One whose request still waits for its answer stays: that comes first. */
function isOpen({ status, operationId }: Boleto): boolean {
  return status === 'REGISTERED' || (status === 'PENDING' && operationId === null)
}

async function takeUnknown(
  tx: PoolClient,
  { account, ourNumber }: ReceivedFor,
  receipt: BankReceipt,
): Promise<(Placement & { sellerId?: number }) | undefined> {
  if (await isKept(tx, { account, bankId: receipt.bankId })) return undefined
  const sellerId = await findSellerOfAccount(tx, account)
  const placement: Placement = { paid: 0, unexpected: receipt.amount, reason: 'UNKNOWN_BOLETO' }
  const place = { sellerId, account, ourNumber, boletoId: null, invoiceId: null }
  const isNew = await keep(tx, place, receipt, placement, now())
  if (!isNew) return undefined
  return sellerId === null ? placement : { ...placement, sellerId }
}

type Place = ReceivedFor & { sellerId: number | null; boletoId: number | null; invoiceId: number | null }

function keep(
  tx: PoolClient,
  place: Place,
  receipt: BankReceipt,
  { unexpected, reason }: Placement,
  at: number,
): Promise<boolean> {
  const open = { resolvedAt: null, resolution: null, resolvedBy: null, createdAt: at }
  return insertReceipt(tx, { ...place, ...receipt, unexpected, reason, ...open })
}
