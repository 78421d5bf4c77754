import { DomainError, notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import {
  ChallengeRefusal,
  ChallengeStatus,
  StartAuthenticationResponse,
  type FinishAuthenticationRequest,
  type StartAuthenticationRequest,
} from '@cofre/proto/invoices/v1/three_d_secure'
import type { Marks } from '../marks'

type Pay = (request: PayByCardRequest) => Promise<Replayable<InvoiceCharge>>

export const CHALLENGE_URL = 'https://acs.example.com/challenges/7'
const EXPIRES_AT = 4_102_444_800_000

/**
 * 3-D Secure in memory. A payment in two instalments is challenged, one in twelve is not authenticated. Only challenges
 * with an id of nothing but A exist.
 */
export function createThreeDSecure(marks: Marks, pay: Pay) {
  const asked: { start: StartAuthenticationRequest[]; finish: FinishAuthenticationRequest[] } = {
    start: [],
    finish: [],
  }
  const startAuthentication = async (request: StartAuthenticationRequest) => {
    asked.start.push(request)
    const { payment } = request
    if (!payment) throw new Error('an authentication without a payment')
    const { sellerId, invoiceId, installments, authentication } = payment
    if (installments === 12 && !authentication) throw notAuthenticated()
    if (installments === 2 && !authentication) {
      const challenge = { invoiceId, url: CHALLENGE_URL, expiresAt: EXPIRES_AT }
      return marks.once(sellerId, StartAuthenticationResponse, () => ({ challenge, charge: undefined }))
    }
    const { response, replayed } = await pay(payment)
    return { response: { charge: response, challenge: undefined }, replayed }
  }
  const finishAuthentication = async (request: FinishAuthenticationRequest) => {
    asked.finish.push(request)
    if (!/^A+$/.test(request.challengeId)) throw notFound()
    return { status: ChallengeStatus.CHARGED, refusal: ChallengeRefusal.UNSPECIFIED }
  }
  return { answers: { startAuthentication, finishAuthentication }, asked }
}

function notAuthenticated(): DomainError {
  return new DomainError('failed_precondition', 'AUTHENTICATION_FAILED', 'The payer was not authenticated.')
}
