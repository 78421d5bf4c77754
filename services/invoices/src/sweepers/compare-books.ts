import { DomainError } from '@cofre/platform/errors'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { readInvoice } from '../invoice-store/invoice-store'
import { findBoleto } from '../boleto-store/boleto-store'
import { readTransaction } from '../payment-store/transaction-store'
import { compareWithBank, differencesOfAbsent } from '../reconciliation/bank-books'
import { addsUp, differencesOfCard, type ChargeBook } from '../reconciliation/card-books'
import {
  boletosAddUp,
  leaseComparisons,
  receiptsOfBoleto,
  setNextComparison,
  type DueComparison,
} from '../reconciliation/comparison-store'
import { DAY_MS, HOUR_MS, nextComparison } from '../reconciliation/schedule'
import { takeReceipt } from '../receipts/take-receipt'

/** How many of each kind are compared at once. */
const BATCH_SIZE = 10
const TIMEOUT_MS = 30_000

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

async function compareInCall(deps: Deps, due: DueComparison): Promise<void> {
  const facts = due.table === 'boletos' ? { boletoId: due.id } : { transactionId: due.id }
  await runCall(newCall({ timeoutMs: TIMEOUT_MS }), async () => {
    try {
      const compared = due.table === 'boletos' ? await compareSlip(deps, due) : await compareCard(deps, due)
      if (!compared) return
      const at = now()
      const { invoiceId, differences, changedAt } = compared
      const invariant = due.table === 'boletos' ? 'bank-agrees' : 'orders-agree'
      if (differences.length > 0) tellViolation(deps.log, invariant, { ...facts, invoiceId, differences })
      await setNextComparison(
        deps.pool,
        due,
        differences.length > 0 ? at + DAY_MS : nextComparison(changedAt, at),
      )
    } catch (err) {
      // One payment that can't be compared must not keep the others waiting; it is compared later.
      deps.log.error({ ...facts, err }, 'payment not compared')
    }
  })
}

async function compareCard(
  deps: Deps,
  due: DueComparison & { table: 'invoice_transactions' },
): Promise<Compared> {
  const { pool } = deps
  const { sellerId, invoiceId } = due
  const before = await readTransaction(pool, due)
  const { status, updatedAt: changedAt } = before
  if (status === 'PENDING') return undefined
  const book = before.type === 'CREDIT_CARD' ? await readCharge(deps, before) : undefined
  // The event of a recent change to the charge may be on its way.
  if (book && (book.isPending || book.changedAt + HOUR_MS > Date.now())) return undefined
  // Read last, so that events that came meanwhile are in it.
  const invoice = await readInvoice(pool, { sellerId, id: invoiceId })
  const transaction = await readTransaction(pool, due)
  if (transaction.updatedAt !== changedAt) return undefined
  const ofCard = before.type === 'CREDIT_CARD' ? differencesOfCard(invoice, transaction, book) : []
  const ofBank = before.type === 'BOLETO' && !(await boletosAddUp(pool, invoiceId)) ? ['receipts'] : []
  const differences = [...ofCard, ...ofBank, ...(addsUp(invoice) ? [] : ['paid'])]
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

async function compareSlip(
  deps: Deps,
  { ourNumber }: DueComparison & { table: 'boletos' },
): Promise<Compared> {
  const { pool, boletos } = deps
  const boleto = await findBoleto(pool, ourNumber)
  if (!boleto) throw new Error('a boleto is gone')
  const { id, invoiceId, account, status, updatedAt: changedAt } = boleto
  // A slip that is open, or not yet withdrawn, is asked about daily by its own sweeper.
  if (status === 'PENDING' || status === 'REGISTERED' || boleto.withdrawing) return undefined
  const kept = await receiptsOfBoleto(pool, id)
  const found = await boletos.bank.find(boleto, Date.now() + boletos.rules.bankTimeoutMs)
  if (found.result === 'absent') {
    return { invoiceId, changedAt, differences: differencesOfAbsent(kept) }
  }
  if (found.result !== 'found') return undefined
  const { differences, toTake } = compareWithBank(boleto, kept, found.slip, Date.now())
  for (const receipt of toTake) await takeReceipt(deps, { account, ourNumber }, receipt)
  return { invoiceId, changedAt, differences }
}
