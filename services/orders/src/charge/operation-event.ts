import type { ChargeEventType } from '@cofre/api/events'
import type { Charge, Transaction } from './charge'
import { withEvent, type Decision } from './transition'

const EVENT = {
  CAPTURE: 'charge.capture_failed',
  REFUND: 'charge.refund_failed',
  VOID: 'charge.void_failed',
} as const satisfies Record<Operation['type'], ChargeEventType>

type Operation = Transaction & { type: 'CAPTURE' | 'REFUND' | 'VOID' }

/**
 * Adds an event for each capture, refund or void of a seller that ends with this decision as failed, on every card or
 * on some: only for operations whose caller had its answer before, PENDING or none. And one for each Pix that nobody
 * owed and that went back.
 */
export function withEndsNotified(decision: Decision): Decision {
  const after = operationsOf(decision.charge)
  const open = operationsOf(decision.before).filter(isPending)
  const failed = [...new Set(open.map(({ operationId }) => operationId))].reduce((decided, operationId) => {
    const parts = after.filter((one) => one.operationId === operationId)
    const lost = parts.find(({ status }) => status === 'FAILED')
    return lost && !parts.some(isPending) ? withEvent(decided, EVENT[lost.type]) : decided
  }, decision)
  const returned = decision.charge.transactions.filter(
    ({ id, endToEndId, status }) =>
      endToEndId !== null && status === 'SUCCEEDED' && isPendingIn(decision, id),
  )
  return returned.reduce((decided) => withEvent(decided, 'charge.pix_returned'), failed)
}

function isPendingIn({ before }: Decision, id: number): boolean {
  return before.transactions.some((one) => one.id === id && isPending(one))
}

function operationsOf({ transactions }: Charge): Operation[] {
  return transactions.filter(
    (one): one is Operation => one.cause === 'REQUEST' && one.type !== 'AUTHORIZATION',
  )
}

function isPending({ status }: Pick<Transaction, 'status'>): boolean {
  return status === 'PENDING'
}
