import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { readTransaction } from '../invoice/store/transaction-store'
import { differencesOfAbsent, differencesOfBank } from './bank-books'
import { differencesOfCard } from './card-books'
import type { ChargeBook } from '../cards/orders'
import {
  leaseComparisons,
  movementsAddUp,
  receiptsAddUp,
  receiptsOfAsk,
  setNextComparison,
  type DueAsk,
  type DueComparison,
} from './comparison-store'
import { DAY_MS, HOUR_MS, nextComparison } from './schedule'
import { LOOKS } from '../money/looks'
import { takeReceipt } from '../money/take-receipt'

/** How many of each kind are compared at once. */
const BATCH_SIZE = 10
const TIMEOUT_MS = 30_000

/** What the log calls an entry of each table. */
const IDS: Record<DueComparison['table'], string> = {
  invoice_transactions: 'transactionId',
  boletos: 'boletoId',
  pix_charges: 'pixId',
}

/** The result of a comparison. Undefined when it can't be made now: it is tried in an hour. */
type Compared = { invoiceId: number; differences: string[]; changedAt: number } | undefined

/**
 * Compares payments that are due with the books of orders, which knows the acquirer's, and of the bank. A difference is
 * logged as a violation, once a day for as long as it lasts. Returns how many were compared.
 */
export async function compareBooks(deps: Deps): Promise<number> {
  const at = now()
  const due = await leaseComparisons(deps.pool, { at, again: at + HOUR_MS, batch: BATCH_SIZE })
  await Promise.all(due.map((each) => compareInCall(deps, each)))
  return due.length
}

function compareInCall(deps: Deps, due: DueComparison): Promise<void> {
  const facts = { [IDS[due.table]]: due.id }
  const limits = { log: deps.log, timeoutMs: TIMEOUT_MS, what: 'payment not compared', facts }
  return workInCall(limits, async () => {
    const isAttempt = due.table === 'invoice_transactions'
    const compared = isAttempt ? await compareCard(deps, due) : await compareAsk(deps, due)
    if (!compared) return
    const at = now()
    const { invoiceId, differences, changedAt } = compared
    const differs = differences.length > 0
    const invariant = isAttempt ? 'orders-agree' : 'bank-agrees'
    if (differs) tellViolation(deps.log, invariant, { ...facts, invoiceId, differences })
    await setNextComparison(deps.pool, due, differs ? at + DAY_MS : nextComparison(changedAt, at))
  })
}

async function compareCard(
  deps: Deps,
  due: DueComparison & { table: 'invoice_transactions' },
): Promise<Compared> {
  const { pool } = deps
  const { invoiceId } = due
  const before = await readTransaction(pool, due)
  const { status, updatedAt: changedAt } = before
  if (status === 'PENDING') return undefined
  const book = before.type === 'CREDIT_CARD' ? await readCharge(deps, before) : undefined
  // The event of a recent change to the charge may be on its way.
  if (book && (book.isPending || book.changedAt + HOUR_MS > databaseNow())) return undefined
  // Read last, so that events that came meanwhile are in it.
  const transaction = await readTransaction(pool, due)
  if (transaction.updatedAt !== changedAt) return undefined
  const ofCard = before.type === 'CREDIT_CARD' ? differencesOfCard(transaction, book) : []
  const ofBank = before.type === 'CREDIT_CARD' || (await receiptsAddUp(pool, invoiceId)) ? [] : ['receipts']
  const paid = (await movementsAddUp(pool, invoiceId)) ? [] : ['paid']
  const differences = [...ofCard, ...ofBank, ...paid]
  return { invoiceId, changedAt, differences }
}

type Asked = { sellerId: number; orderChargeId: number | null; operationId: string | null }

/** The book of a payment's charge. Without a charge id, the payment's key finds it. Undefined: orders knows of none. */
async function readCharge(
  { orders }: Deps,
  { sellerId, orderChargeId, operationId }: Asked,
): Promise<ChargeBook | undefined> {
  if (orderChargeId !== null) return orUndefined(() => orders.readBook(sellerId, orderChargeId))
  const found = operationId === null ? undefined : await orders.find(sellerId, operationId)
  if (!found || found.result === 'absent') return undefined
  const { chargeId } = found
  if (chargeId === null) throw new Error('orders do not know yet what became of a payment')
  return orUndefined(() => orders.readBook(sellerId, chargeId))
}

async function orUndefined<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined
    throw error
  }
}

async function compareAsk(deps: Deps, { table, askNumber }: DueAsk): Promise<Compared> {
  const { pool } = deps
  const look = table === 'boletos' ? LOOKS.BOLETO : LOOKS.PIX
  const { ask, paidFor, find } = await look.read(deps, askNumber)
  const { invoiceId, status, updatedAt: changedAt } = ask
  // An ask that is open, or not yet withdrawn, is asked about daily by its own sweeper.
  if (status === 'PENDING' || status === 'REGISTERED' || ask.withdrawing) return undefined
  const kept = await receiptsOfAsk(pool, paidFor)
  const found = await find()
  if (found.result === 'absent') {
    return { invoiceId, changedAt, differences: differencesOfAbsent(kept) }
  }
  if (found.result !== 'found') return undefined
  const differences = differencesOfBank(ask, kept, found.found, databaseNow())
  // Also of money that we know: the bank may have given it back.
  for (const receipt of found.found.receipts) await takeReceipt(deps, paidFor, receipt)
  return { invoiceId, changedAt, differences }
}
