import { databaseNow } from '@cofre/platform/service/database-clock'
import { resolverOf } from '@cofre/platform/operation/resolver'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { findRefund, leaseRefunds, lockRefund, saveRefund } from '../../pix/store/pix-refund-store'
import { recordRefund } from './record-refund'
import { sendRefund } from './send-refund'

/** Asks the bank about refunds whose end is not known. */
export const { take: takeDueRefunds, start: startLookingAtRefunds } = resolverOf<Deps, number>(
  { what: 'Pix refunds', lease: leaseRefunds, nameOf: (id) => id, rulesOf: ({ pix }) => pix.rules, now },
  (deps, refundId) => {
    const timeoutMs = 2 * deps.pix.rules.bankTimeoutMs
    const limits = { log: deps.log, timeoutMs, what: 'Pix refund not looked at', facts: { refundId } }
    return workInCall(limits, () => lookAtRefund(deps, refundId))
  },
)

/** Asks the bank about a refund by its number. One that the bank never got is sent again, under the same number. */
export async function lookAtRefund(deps: Deps, refundId: number): Promise<void> {
  const { pool, pix } = deps
  const { bankTimeoutMs, absenceGraceMs } = pix.rules
  const refund = await findRefund(pool, refundId)
  if (refund?.status !== 'PENDING') return
  const found = await pix.bank.findReturn(refund, databaseNow() + bankTimeoutMs)
  if (found.result === 'found') return void (await recordRefund(deps, refund, found))
  if (found.result === 'not_sent' && found.refusal?.reason === 'NO_ESTABLISHMENT') {
    return void (await recordRefund(deps, refund, { result: 'gone' }))
  }
  const isCertain = databaseNow() > (refund.dispatchDeadline ?? 0) + absenceGraceMs
  if (found.result !== 'absent' || !isCertain) return
  const again = await withTransaction(pool, async (tx) => {
    const current = await lockRefund(tx, refundId)
    const sent = { ...current, dispatchDeadline: databaseNow() + bankTimeoutMs }
    if (current.status === 'PENDING') await saveRefund(tx, sent)
    return sent
  })
  if (again.status === 'PENDING') await sendRefund(deps, again)
}
