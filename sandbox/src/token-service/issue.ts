import { randomBytes, randomUUID } from 'node:crypto'
import type { Answer } from '../partner-call'
import { issuanceOutcome } from './issuance-outcome'
import { Refused } from './refused'
import type { FailReason, NetworkToken } from './token'
import { readTokenRequest, type TokenRequest } from './token-request'
import type { TokenService } from './token-service'

const TOKEN_LIFE_YEARS = 5
const PAR_PREFIXES = { VISA: 'V001', MASTERCARD: '5001' }
const PAR_LETTERS = 25

const REFUSALS: Record<FailReason, string> = {
  ISSUER_DECLINED: 'The issuer declines',
  CARD_NOT_ELIGIBLE: 'The card cannot have a network token',
  CARD_EXPIRED: 'The card has expired',
  ACQUIRER_REJECTED: 'The acquirer declines',
  NETWORK_UNAVAILABLE: 'The network cannot be reached',
}

/** Handles POST /v1/network-tokens. A known reference creates nothing, and is answered with its token. */
export function issueToken(service: TokenService, merchantId: string, body: unknown): Answer {
  const request = readTokenRequest(body)
  const known = service.tokens.findByReference(merchantId, request.reference)
  if (known) return { status: 200, body: receiptOf(known) }

  const now = new Date()
  const outcome = issuanceOutcome(request.card, now)
  if ('refused' in outcome) throw new Refused(422, outcome.refused, REFUSALS[outcome.refused])
  const token: NetworkToken = {
    ...newIdentity(service, merchantId, request),
    network: outcome.network,
    expirationMonth: 12,
    expirationYear: now.getUTCFullYear() + TOKEN_LIFE_YEARS,
    paymentAccountReference: PAR_PREFIXES[outcome.network] + randomLetters(),
    card: faceOf(request),
    status: 'PENDING',
    reason: null,
    steps: outcome.steps,
    stepAt: now.getTime() + service.lifeCycle.delayMs,
    pushes: [],
    createdAt: now.getTime(),
    updatedAt: now.getTime(),
  }
  service.lifeCycle.begin(token)
  return { status: 202, body: receiptOf(token) }
}

function newIdentity({ tokens }: TokenService, merchantId: string, request: TokenRequest) {
  const { reference, callbackUrl = null } = request
  return { id: randomUUID(), merchantId, reference, callbackUrl, sequence: tokens.nextSequence() }
}

/** Drops the card number from memory, keeping only its last four digits. */
function faceOf({ card: { number, expirationMonth, expirationYear } }: TokenRequest) {
  return { lastFour: number.slice(-4), expirationMonth, expirationYear }
}

function receiptOf({ reference, id, status }: NetworkToken) {
  return { reference, id, status }
}

function randomLetters(): string {
  return randomBytes(PAR_LETTERS).toString('hex').toUpperCase().slice(0, PAR_LETTERS)
}
