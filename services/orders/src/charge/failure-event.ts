import type { ChargeEventType } from '@cofre/api/events'
import type { Charge, Transaction } from './charge'
import { told, type Decision } from './transition'

const EVENT = {
  CAPTURE: 'charge.capture_failed',
  REFUND: 'charge.refund_failed',
  VOID: 'charge.void_failed',
} as const satisfies Record<Operation['type'], ChargeEventType>

type Operation = Transaction & { type: 'CAPTURE' | 'REFUND' | 'VOID' }

/**
 * Adds an event for each capture, refund or void of a seller that ends with this decision as failed, on every card or
 * on some. Only for operations whose caller had its answer before: PENDING, or none.
 */
export function withFailuresTold(decision: Decision): Decision {
  const after = operationsOf(decision.charge)
  const open = operationsOf(decision.before).filter(isPending)
  return [...new Set(open.map(({ operationId }) => operationId))].reduce((telling, operationId) => {
    const parts = after.filter((one) => one.operationId === operationId)
    const failed = parts.find(({ status }) => status === 'FAILED')
    return failed && !parts.some(isPending) ? told(telling, EVENT[failed.type]) : telling
  }, decision)
}

function operationsOf({ transactions }: Charge): Operation[] {
  return transactions.filter(
    (one): one is Operation => one.cause === 'REQUEST' && one.type !== 'AUTHORIZATION',
  )
}

function isPending({ status }: Transaction): boolean {
  return status === 'PENDING'
}
