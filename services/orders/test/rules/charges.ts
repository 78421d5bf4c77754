import type { Terms } from '@cofre/platform/operation/terms'
import type { AuthorizationOutcome, Found } from '../../src/acquirer/acquirer'
import { newCharge, recordAuthorization } from '../../src/charge/authorization'
import type { Charge } from '../../src/charge/charge'
import type { Truths } from '../../src/charge/resolve-outcome'

export const TERMS: Terms = { operationId: 'operation', at: 1_000, deadline: 2_000, firstAskAt: 1_500 }
export const REFERENCE = {
  paymentId: 'p',
  tid: 't',
  nsu: 'n',
  authorizationCode: 'a',
  returnCode: '4',
  eci: '',
  issuerTransactionId: '',
}
const APPROVED: AuthorizationOutcome = { result: 'approved', captured: false, reference: REFERENCE }
/** The acquirer's, between two operations on one payment. */
export const PAUSE_MS = 5_000
const GRACE_MS = 50
const UNSURE_MS = 10_000

/** A charge of these amounts, each on its own card, as it is stored. */
export function pendingCharge(...amounts: number[]): Charge {
  const shown = { bin: '', lastFour: '', brand: 'VISA', holderName: '' }
  const card = { ...shown, expirationYear: 0, expirationMonth: 0, source: 'CARD' as const }
  const payments = amounts.map((amount, index) => ({
    orderNumber: `N${index}`,
    amount,
    installments: 1,
    card,
    pix: null,
    paymentLimitDate: null,
    dueDate: null,
    initiator: 'CUSTOMER' as const,
    reason: 'UNSCHEDULED' as const,
    exemptFromTestingGuard: false,
    credential: null,
    authentication: null,
  }))
  const names = { sellerId: 1, orderReference: null, externalReference: null, notificationUrl: null }
  const amount = amounts.reduce((sum, each) => sum + each, 0)
  const order = { ...names, direct: false, amount, metadata: {}, requestId: null }
  return newCharge({ ...order, acquirer: 'cielo', payments }, TERMS)
}

export function authorizedCharge(...amounts: number[]): Charge {
  return amounts.reduce(
    (charge, _, position) => recordAuthorization(charge, position, APPROVED, TERMS, TERMS).charge,
    pendingCharge(...amounts),
  )
}

type State = Extract<Found, { result: 'found' }>['state']

/** The acquirer's answer about a payment. */
export function found(
  state: State,
  amount: number,
  amounts: Partial<Found & { voidedAmount: number }> = {},
): Found {
  const capturedAmount = state === 'captured' ? amount : 0
  const facts = { code: '', adviceCode: '', reference: REFERENCE, amount, capturedAmount, voidedAmount: 0 }
  return { result: 'found', state, ...facts, ...amounts } as Found
}

/** The answers about the payments, in their order. Undefined: this payment was not asked about. */
export function truths(askedAt: number, ...heard: (Found | undefined)[]): Truths {
  const entries = heard.flatMap((each, position) => (each ? [[position, each] as const] : []))
  return { found: new Map(entries), askedAt, graceMs: GRACE_MS, unsureMs: UNSURE_MS }
}

/** The last moment at which silence proves nothing, for an operation that may leave until `TERMS.deadline`. */
export const STILL = TERMS.deadline + GRACE_MS
export const OVER = STILL + 1
export const SURE = TERMS.deadline + UNSURE_MS
