import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { lockInvoice, type Saving } from '../invoice/store/invoice-store'
import type { Ask, BankReceipt, PaidFor } from '../methods/ask'
import { ASKS } from './asks'
import { place as placeMoney, type Placement } from './placement'
import { readBillingSettings } from '../catalog/settings/billing-settings-store'
import { tellAll } from '../invoice/store/many-invoices-store'
import { UNKNOWN_ASK, type Receipt } from './receipt'
import { receiptEvent } from './receipt-message'
import { insertReceipt, isKept } from './receipt-store'
import { recordPaid } from './record-paid'
import { takeReturn } from './pix-refunds/take-return'

type TakingDeps = Pick<Deps, 'pool' | 'log' | 'afterSave'>

/** Takes money that the bank reports, and what it gave back of it. Repeatable, in any order. */
export async function takeReceipt(deps: TakingDeps, paidFor: PaidFor, receipt: BankReceipt): Promise<void> {
  await takeMoney(deps, paidFor, receipt)
  for (const each of receipt.returns ?? []) {
    await takeReturn(deps, { ...paidFor, bankId: receipt.bankId }, each)
  }
}

/** Saves money once. The amount that its invoice asks for pays it; the rest waits for a person. One transaction. */
async function takeMoney(deps: TakingDeps, paidFor: PaidFor, receipt: BankReceipt): Promise<void> {
  const { pool, log } = deps
  const ask = await ASKS[paidFor.method].find(pool, paidFor)
  const placed = await withTransaction(pool, (tx) =>
    ask ? takeFor(deps, tx, { ...paidFor, ask }, receipt) : takeUnknown(tx, paidFor, receipt),
  )
  if (!placed) return
  const { bankId, amount } = receipt
  const { account: agreement, ...named } = paidFor
  const asked = { askId: ask?.id, invoiceId: ask?.invoiceId, sellerId: ask?.sellerId }
  const facts = { ...asked, agreement, ...named, receipt: bankId, amount, ...placed }
  log[placed.unexpected > 0 ? 'warn' : 'info'](facts, 'money received')
}

/** Takes money for a known ask. Undefined when it is saved already. */
async function takeFor(
  deps: Saving,
  tx: PoolClient,
  { ask: { id, sellerId, invoiceId }, ...paidFor }: PaidFor & { ask: Ask },
  receipt: BankReceipt,
): Promise<Placement | undefined> {
  const { method } = paidFor
  const invoice = await lockInvoice(tx, { sellerId, id: invoiceId })
  if (await isKept(tx, { ...paidFor, bankId: receipt.bankId })) return undefined
  const ask = await ASKS[method].lock(tx, id)
  const { lateness } = await readBillingSettings(tx, sellerId)
  const placement = placeMoney(ask, invoice, receipt, lateness)
  const at = now()
  const saved = await keep(tx, { ...paidFor, sellerId, askId: id, invoiceId }, receipt, placement, at)
  if (!saved) return undefined
  if (placement.paid > 0) {
    // Before the invoice is saved, since that withdraws its open ask.
    await ask.savePaid(at)
    const paidAt = Math.min(receipt.paidAt, at)
    const { paid: amount, rest } = placement
    const asOf = Math.min(placement.askedAt, paidAt)
    const source = { receiptId: saved.id }
    await recordPaid(deps, tx, invoice, { method, amount, rest, at, paidAt, asOf, source })
  } else await ask.saveClosed(at)
  return placement
}

async function takeUnknown(
  tx: PoolClient,
  paidFor: PaidFor,
  receipt: BankReceipt,
): Promise<(Placement & { sellerId?: number }) | undefined> {
  const { method, account } = paidFor
  if (await isKept(tx, { ...paidFor, bankId: receipt.bankId })) return undefined
  const sellerId = await ASKS[method].findSeller(tx, account)
  const { amount: unexpected, paidAt: askedAt } = receipt
  const placement: Placement = { ...NOT_TAKEN, askedAt, unexpected, reason: UNKNOWN_ASK[method] }
  const place = { ...paidFor, sellerId, askId: null, invoiceId: null }
  const saved = await keep(tx, place, receipt, placement, now())
  if (!saved) return undefined
  return sellerId === null ? placement : { ...placement, sellerId }
}

type Place = PaidFor & Pick<Receipt, 'sellerId' | 'askId' | 'invoiceId'>

const UNRESOLVED = { resolvedAt: null, outcome: null, resolution: null, resolvedBy: null }
const NOT_TAKEN = { paid: 0, rest: 'OWED' } as const

/** Saves money once, and notifies the seller of what no invoice takes. Undefined when it is saved already. */
async function keep(
  tx: PoolClient,
  place: Place,
  receipt: BankReceipt,
  { unexpected, reason }: Placement,
  at: number,
): Promise<Receipt | undefined> {
  const { sellerId } = place
  const isTold = unexpected > 0 && sellerId !== null
  const open = { openAmount: unexpected, returningAmount: 0, events: isTold ? 1 : 0, ...UNRESOLVED }
  const saved = await insertReceipt(tx, { ...place, ...receipt, unexpected, reason, ...open, createdAt: at })
  if (saved && isTold) {
    await tellAll(tx, [receiptEvent({ ...saved, sellerId }, 'receipt.unexpected', at)])
  }
  return saved
}
