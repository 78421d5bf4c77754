import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Lease } from '@cofre/platform/postgres/lease'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { mayMoveMoney, type CardOutcome } from '../invoice/card-payment'
import type { Transaction } from '../invoice/invoice'
import { recordOutcome } from '../payments/record-outcome'
import { retryAfter } from '../payments/refused-refund'
import { notedRefusals, noteRefusal, type RefusedReturn } from '../payment-store/refused-refund-store'
import { leaseTransactions, readTransaction, type TransactionKey } from '../payment-store/transaction-store'

const AT_ONCE = 20
const TIMEOUT_MS = 30_000

/** Settles payments that are due until stopped; any number of replicas may run. */
export function startSettler(deps: Deps): Loop {
  return manyAtOnce<TransactionKey>(
    {
      atOnce: AT_ONCE,
      nameOf: ({ id }) => id,
      take: (room, inHand) => takePending(deps, room, inHand),
      work: (key) => settlePending(deps, key),
    },
    deps.rules.settleEveryMs,
    (err) => deps.log.error({ err }, 'settling failed'),
  )
}

/** Takes payments that are due to be asked about, up to `batch`, for this process until their next time. */
export function takePending(
  { pool, rules }: Deps,
  batch: number,
  inHand: Lease['inHand'] = [],
): Promise<TransactionKey[]> {
  const { settleFirstMs: firstMs, settleMaxMs: maxMs } = rules
  return leaseTransactions(pool, { at: now(), firstMs, maxMs, batch, inHand })
}

/** Asks the orders service about a payment, saves its outcome, and refunds money that no invoice takes. Never fails. */
export async function settlePending(deps: Deps, key: TransactionKey): Promise<void> {
  await runCall(newCall({ timeoutMs: TIMEOUT_MS }), async () => {
    try {
      await settlePayment(deps, key)
    } catch (err) {
      // One payment that can't be settled must not keep the others waiting; it is asked about again.
      deps.log.error({ invoiceId: key.invoiceId, transactionId: key.id, err }, 'card payment not resolved')
    }
  })
}

async function settlePayment(deps: Deps, key: TransactionKey): Promise<void> {
  const { sellerId } = key
  const transaction = await readTransaction(deps.pool, key)
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

/** Postpones a refused refund: it is tried less and less often, and then by a person alone. */
async function postpone(
  { pool, log }: Deps,
  key: TransactionKey,
  { refusals, acquirerCode }: RefusedReturn,
  facts: object,
): Promise<void> {
  const retryAt = retryAfter(refusals, now())
  await noteRefusal(pool, key, { refusals, acquirerCode }, retryAt)
  const told = { ...facts, transactionId: key.id, refusals, acquirerCode }
  if (retryAt === null) log.error(told, 'refund of a payment that no invoice accepts was finally refused')
  else log.warn({ ...told, retryAt }, 'refund of a payment that no invoice accepts was refused')
}

/** Asks which charge an operation has made, and notes it. Undefined when it is not known yet, or there is none. */
async function learn(
  deps: Deps,
  key: TransactionKey,
  { operationId, dispatchDeadline, status }: Transaction,
): Promise<Transaction | undefined> {
  if (operationId === null || dispatchDeadline === null) return undefined
  const askedAt = Date.now()
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

function record({ pool, rules }: Deps, key: TransactionKey, outcome: CardOutcome): Promise<Transaction> {
  return withTransaction(pool, async (tx) => {
    const at = now()
    const moment = { at, askAt: at + rules.settleFirstMs, isAnswered: false, dunningDays: rules.dunningDays }
    const { transaction } = await recordOutcome(tx, key, outcome, moment)
    return transaction
  })
}
