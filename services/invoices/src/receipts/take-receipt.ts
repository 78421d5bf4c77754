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
 * Saves money that the bank reports, once. The amount that its invoice asks for pays it; the rest waits for a person.
 * One transaction; repeatable, in any order.
 */
export async function takeReceipt(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  { account, ourNumber }: ReceivedFor,
  receipt: BankReceipt,
): Promise<void> {
  const known = await findBoleto(pool, ourNumber)
  // Money in another account than the slip's does not belong to that slip.
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

/** Takes money for a known slip. Undefined when it is saved already. */
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
    // Before the invoice is saved, since that withdraws its open slip.
    await saveBoleto(tx, paid(boleto, at))
    const paidAt = Math.min(receipt.paidAt, at)
    await settlePaid(tx, invoice, { method: 'BOLETO', amount: placement.paid, at, paidAt })
  } else if (isOpen(boleto)) {
    // For the bank this slip is paid: only another slip can be paid now.
    await saveBoleto(tx, closedAtBank(boleto, at))
  }
  return placement
}

/** A slip whose request still waits for its answer stays as it is: the answer comes first. */
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
