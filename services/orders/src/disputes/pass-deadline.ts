import type { Dispute } from './dispute'
import { expiresAt, transition, type Decision } from './transition'

/**
 * What is due of a dispute that waits for its answer: the seller is reminded, once; days after its last day it has
 * expired. Undefined: an answer is on its way.
 */
export function passDeadline(dispute: Dispute, at: number): Decision | undefined {
  if (dispute.status !== 'NEEDS_RESPONSE' || dispute.answer || dispute.respondBy === null) return undefined
  const isExpired = at >= expiresAt(dispute.respondBy)
  return transition(dispute, isExpired ? { status: 'EXPIRED' } : { reminded: true }, { at, text: '' })
}
