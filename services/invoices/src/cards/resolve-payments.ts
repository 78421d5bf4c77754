import { databaseNow } from '@cofre/platform/service/database-clock'
import { resolverOf } from '@cofre/platform/operation/resolver'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { mayMoveMoney, type CardOutcome } from './rules/card-payment'
import type { Transaction } from '../invoice/rules/invoice'
import { tellRefundFailed } from '../invoice/rules/transition'
import { lockInvoice, saveLocked } from '../invoice/store/invoice-store'
import { recordOutcome } from './record-outcome'
import { retryAfter } from './refused-refund'
import { notedRefusals, noteRefusal, type RefusedReturn } from './store/refused-refund-store'
import { findTransaction, leaseTransactions, type TransactionKey } from '../invoice/store/transaction-store'

const TIMEOUT_MS = 30_000

/** Asks the orders service about a payment, saves its outcome, and refunds money that no invoice takes. Never fails. */
export function resolvePending(deps: Deps, key: TransactionKey): Promise<void> {
  const facts = { invoiceId: key.invoiceId, transactionId: key.id }
  const limits = { log: deps.log, timeoutMs: TIMEOUT_MS, what: 'card payment not resolved', facts }
  return workInCall(limits, () => resolvePayment(deps, key))
}

export const { take: takePending, start: startResolver } = resolverOf<Deps, TransactionKey>(
  {
    what: 'card payments',
    lease: leaseTransactions,
    nameOf: ({ id }) => id,
    rulesOf: ({ rules }) => rules,
    now,
  },
  resolvePending,
)

async function resolvePayment(deps: Deps, key: TransactionKey): Promise<void> {
  const { sellerId } = key
  const transaction = await findTransaction(deps.pool, key)
  if (!transaction) return
  const known = transaction.orderChargeId === null ? await learn(deps, key, transaction) : transaction
  if (known?.orderChargeId == null) return
  // Read after the charge is noted: from now on, its events report each change.
  const seen = await record(deps, key, await deps.orders.read(sellerId, known.orderChargeId))
  if (!seen.giveBack || seen.orderChargeId === null || seen.operationId === null) return
  const facts = { invoiceId: key.invoiceId, chargeId: seen.orderChargeId }
  const noted = await notedRefusals(deps.pool, key)
  const outcome = await deps.orders.giveBack(sellerId, seen.orderChargeId, seen.operationId, noted)
  if (outcome.result === 'refused') return postpone(deps, key, outcome, facts)
  deps.log.warn(facts, 'refunding a payment that no invoice accepts')
  await record(deps, key, outcome)
}

/**
 * Postpones a refused refund: it is tried less and less often, and then by a person alone. The seller is notified of
 * the first refusal, since the payer waits for the money.
 */
async function postpone(
  deps: Deps,
  key: TransactionKey,
  { refusals, acquirerCode }: RefusedReturn,
  facts: object,
): Promise<void> {
  const at = now()
  const retryAt = retryAfter(refusals, at)
  await withTransaction(deps.pool, async (tx) => {
    const invoice = await lockInvoice(tx, { sellerId: key.sellerId, id: key.invoiceId })
    const isFirst = (await notedRefusals(tx, key)) === 0
    const isNoted = await noteRefusal(tx, key, { refusals, acquirerCode }, retryAt)
    if (isNoted && isFirst) await saveLocked(deps, tx, tellRefundFailed(invoice, at))
  })
  const logged = { ...facts, transactionId: key.id, refusals, acquirerCode }
  if (retryAt === null)
    deps.log.error(logged, 'refund of a payment that no invoice accepts was finally refused')
  else deps.log.warn({ ...logged, retryAt }, 'refund of a payment that no invoice accepts was refused')
}

/** Asks which charge an operation has made, and notes it. Undefined when it is not known yet, or there is none. */
async function learn(
  deps: Deps,
  key: TransactionKey,
  { operationId, dispatchDeadline, status }: Transaction,
): Promise<Transaction | undefined> {
  if (operationId === null || dispatchDeadline === null) return undefined
  const askedAt = databaseNow()
  const outcome = await deps.orders.find(key.sellerId, operationId)
  // A call that may still be on its way is not absent.
  if (outcome.result === 'absent' && askedAt < dispatchDeadline + deps.rules.absenceGraceMs) return undefined
  const mayBeMoney = mayMoveMoney(outcome)
  if (status === 'FAILED' && mayBeMoney) {
    tellViolation(deps.log, 'absence-lasts', { invoiceId: key.invoiceId, transactionId: key.id })
  }
  if (outcome.result === 'absent' || (status === 'FAILED' && !mayBeMoney)) {
    return void (await record(deps, key, outcome))
  }
  return record(deps, key, { result: 'pending', chargeId: outcome.chargeId })
}

function record(deps: Deps, key: TransactionKey, outcome: CardOutcome): Promise<Transaction> {
  return withTransaction(deps.pool, async (tx) => {
    const at = now()
    const moment = { at, askAt: at + deps.rules.resolveFirstMs, isAnswered: false }
    const { transaction } = await recordOutcome(deps, tx, key, outcome, moment)
    return transaction
  })
}
