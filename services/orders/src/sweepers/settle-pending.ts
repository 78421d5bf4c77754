import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Lease } from '@cofre/platform/postgres/lease'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import type { Account, Found } from '../acquirer/acquirer'
import type { Charge } from '../charge/charge'
import {
  readCharge,
  saveCharge,
  saveOutcome,
  type ChargeKey,
  type SavedCharge,
} from '../charge-store/charge-store'
import { leaseCharges } from '../charge-store/charge-schedule-store'
import { termsFrom, type Deps } from '../deps'
import { withFailuresTold } from '../charge/failure-event'
import { endedMarks } from '../charge/operation-mark'
import { recordOutcomes } from '../charge/operation-outcome'
import { dispatchDue, releasesDue } from '../charge/release'
import { sendTransactions } from '../acquirer/send-transactions'
import { isAsked, settle } from '../charge/settlement'
import type { Decision } from '../charge/transition'
import { findPayment } from './find-payment'
import { unsentDue } from '../charge/unsent-part'

/**
 * Takes up to `batch` charges that are due to be asked about, for this process until their next time. `inHand`: the
 * ids of those that it is still asking about.
 */
export function takePending(
  { pool, rules }: Deps,
  batch: number,
  inHand: Lease['inHand'] = [],
): Promise<ChargeKey[]> {
  const { settleFirstMs: firstMs, settleMaxMs: maxMs } = rules
  return leaseCharges(pool, { at: Date.now(), firstMs, maxMs, batch, inHand })
}

/**
 * Asks the acquirer about a charge's pending operations and adopts its state. Sends the releases and the unsent parts.
 * Never fails.
 */
export async function settlePending(deps: Deps, key: ChargeKey): Promise<void> {
  const call = newCall({ timeoutMs: 2 * deps.rules.acquirerTimeoutMs })
  await runCall(call, async () => {
    try {
      await settleCharge(deps, key)
    } catch (error) {
      // One charge that can't be settled must not keep the others waiting; it is asked about again.
      deps.log.error({ chargeId: key.id, err: error }, 'charge not resolved')
    }
  })
}

async function settleCharge(deps: Deps, key: ChargeKey): Promise<void> {
  const stored = await readCharge(deps.pool, key)
  const { account } = stored
  const askedAt = Date.now()
  const found = await ask(deps, account, stored.charge)
  const settlement = settle(stored.charge, {
    found,
    askedAt,
    graceMs: deps.rules.absenceGraceMs,
    unsureMs: deps.rules.unsureDeclineMs,
  })
  // Later sends start from the charge as it is saved, with its count of events.
  const decision = settlement.decision && withFailuresTold(settlement.decision)
  for (const position of settlement.unexplained) {
    tellViolation(deps.log, 'acquirer-agrees', { chargeId: key.id, position })
  }
  if (decision && !(await saveSettled(deps, decision))) return
  await sendDue(deps, account, decision?.charge ?? stored.charge, found)
}

/** The answers hold for the charge as it was when asked: a charge that changed meanwhile is asked about again. */
function saveSettled(deps: Deps, decision: Decision): Promise<SavedCharge | undefined> {
  const marks = endedMarks(decision.before, decision.charge)
  return saveCharge(deps.pool, { ...decision, marks })
}

async function ask(deps: Deps, account: Account, charge: Charge): Promise<ReadonlyMap<number, Found>> {
  const sent = charge.transactions.filter((one) => one.status === 'PENDING' && isAsked(one))
  const positions = new Set(sent.map(({ position }) => position))
  const payments = charge.payments.filter(({ position }) => positions.has(position))
  const entries = await Promise.all(
    payments.map(
      async (payment) => [payment.position, await findPayment(deps, account, payment, charge)] as const,
    ),
  )
  return new Map(entries)
}

/** Sends the releases, and the parts of operations that were not sent with the others. */
async function sendDue(
  deps: Deps,
  account: Account,
  charge: Charge,
  found: ReadonlyMap<number, Found>,
): Promise<void> {
  const due = [...releasesDue(charge, found, Date.now()), ...unsentDue(charge)]
  if (due.length === 0) return
  const intention = dispatchDue(charge, due, termsFrom(deps, due[0]?.operationId ?? ''))
  // Only one sweeper may save this: two would send operations closer together than the acquirer accepts.
  if (!(await saveCharge(deps.pool, intention))) return
  const ids = new Set(due.map(({ id }) => id))
  const leaving = intention.charge.transactions.filter(({ id }) => ids.has(id))
  const outcomes = await sendTransactions(deps, account, intention.charge, leaving)
  await saveOutcome(deps.pool, intention.charge, (current) =>
    withFailuresTold(recordOutcomes(current, outcomes, Date.now())),
  )
}
