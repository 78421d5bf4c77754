import { randomBytes, randomUUID } from 'node:crypto'
import type { CardPlan } from './authentication-cards'

export type AuthenticationStatus = 'CHALLENGE' | 'AUTHENTICATED' | 'REJECTED' | 'UNAVAILABLE'

export type Reason =
  'CARD_AUTHENTICATION_FAILED' | 'CANCELLED_BY_PAYER' | 'TIMED_OUT' | 'NOT_ENROLLED' | 'SYSTEM_ERROR'

const NEXT: Record<AuthenticationStatus, readonly AuthenticationStatus[]> = {
  CHALLENGE: ['AUTHENTICATED', 'REJECTED'],
  AUTHENTICATED: [],
  REJECTED: [],
  UNAVAILABLE: [],
}

/** The payer's time for a challenge. */
const CHALLENGE_MS = 10 * 60_000
const CODES_MAX = 3

export const GOOD_CODE = '123456'

/** The seller's request, its card number masked. The amount is in cents. */
export type Asked = {
  readonly merchantId: string
  readonly merchantName: string
  readonly brand: string
  readonly cardLastFour: string
  readonly amount: number
  readonly returnUrl: string
}

/** Times in epoch milliseconds. */
export type Authentication = Asked & {
  readonly id: string
  /** Names the payer's page: only the payer's browser learns it, from the URL in the answer. */
  readonly challengeId: string
  readonly status: AuthenticationStatus
  readonly reason: Reason | null
  /** True when the issuer's own system fails the challenge, even after a right answer. */
  readonly fails: boolean
  readonly wrongCodes: number
  readonly eci: string
  readonly authenticationValue: string | null
  readonly dsTransactionId: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** The payer's action on the page. */
export type PayersAnswer = { code: string } | 'APPROVE' | 'DECLINE' | 'GIVE_UP'

export function begin(asked: Asked, plan: CardPlan, now: number): Authentication {
  const drafted: Authentication = {
    ...asked,
    id: randomUUID(),
    challengeId: randomUUID(),
    status: 'CHALLENGE',
    reason: null,
    fails: plan === 'CHALLENGE_FAILS',
    wrongCodes: 0,
    eci: notAuthenticatedEci(asked),
    authenticationValue: null,
    dsTransactionId: randomUUID(),
    createdAt: now,
    expiresAt: now + CHALLENGE_MS,
  }
  if (plan === 'CHALLENGE' || plan === 'CHALLENGE_FAILS') return drafted
  if (plan === 'FRICTIONLESS') return authenticated(drafted)
  if (plan === 'REJECTED') return { ...drafted, status: 'REJECTED', reason: 'CARD_AUTHENTICATION_FAILED' }
  return { ...drafted, status: 'UNAVAILABLE', reason: plan }
}

/** Returns the current state: a payer who ran out of time is not authenticated. */
export function asOf(authentication: Authentication, now: number): Authentication {
  const isOver = authentication.status === 'CHALLENGE' && now >= authentication.expiresAt
  return isOver ? end(authentication, 'TIMED_OUT') : authentication
}

/** Applies the payer's answer. After a wrong code the payer may try another. Throws when the challenge is over. */
export function answered(authentication: Authentication, answer: PayersAnswer): Authentication {
  if (answer === 'GIVE_UP') return end(authentication, 'CANCELLED_BY_PAYER')
  const isRight = answer === 'APPROVE' || (answer !== 'DECLINE' && answer.code === GOOD_CODE)
  if (isRight && !authentication.fails) return authenticated(authentication)
  const wrongCodes = authentication.wrongCodes + 1
  const mayRetry = typeof answer === 'object' && !isRight && wrongCodes < CODES_MAX
  return mayRetry ? { ...authentication, wrongCodes } : end(authentication, 'CARD_AUTHENTICATION_FAILED')
}

function authenticated(authentication: Authentication): Authentication {
  const eci = authentication.brand === 'MASTERCARD' ? '02' : '05'
  return move(authentication, 'AUTHENTICATED', {
    eci,
    authenticationValue: randomBytes(20).toString('base64'),
  })
}

function end(authentication: Authentication, reason: Reason): Authentication {
  return move(authentication, 'REJECTED', { reason })
}

function move(
  authentication: Authentication,
  status: AuthenticationStatus,
  change: Partial<Authentication>,
): Authentication {
  if (!NEXT[authentication.status].includes(status)) {
    throw new Error(`an authentication that is ${authentication.status} cannot become ${status}`)
  }
  return { ...authentication, ...change, status }
}

function notAuthenticatedEci({ brand }: Asked): string {
  return brand === 'MASTERCARD' ? '00' : '07'
}
