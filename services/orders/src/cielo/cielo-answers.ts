import { isDone, isRefused, withoutZeros } from '@cofre/platform/outbound/partner-answers'
import type { AuthorizationOutcome, Found, OperationOutcome } from '../acquirer/acquirer'
import { eciOf } from '../charge/authentication'
import type { AcquirerReference } from '../charge/charge'
import {
  readFaultCodes,
  readOperation,
  readSale,
  readVerification,
  type CieloPayment,
} from './cielo-messages'

export type Answer = { status: number; body: Uint8Array }

const AUTHORIZED = 1
const CAPTURED = 2
const DENIED = 3
const UNDECIDED = [0, 12]
const VOIDED = [10, 11]

// The acquirer itself does not know whether the sale went through.
const UNSURE_CODES = ['98', 'BP900', 'BP901']
const CARD_FAULTS = ['126', '127', '128', '177', '213']
const VOID_DONE = ['0', '9', 'FF']
const VOID_BUSY = ['223', '476']
const VOID_GONE = ['17', '40', '41', '42', '101', '130', '309', '312']
const VOID_UNSURE = ['5', '10', '54', '57', '97', '98', '99', '117', '475', '477', '504', 'BP903']
const CAPTURE_UNSURE = ['999', 'BP902']
// Not in a state to be captured, perhaps because it is captured already: the sweeper asks.
const CAPTURE_GONE = ['307', '308', '841']
// The acquirer has the order number already. Ours are unique, so the first copy of this sale arrived.
const DUPLICATED = '302'
const NOT_FOUND = ['107', '303', '307', '318']

/** Decides on the HTTP class, then on Status, then on ReturnCode: 4 and 6 approve here but decline in ABECS. */
export function saleOutcome({ status, body }: Answer): AuthorizationOutcome {
  if (isRefused(status)) return faultOutcome(body, status)
  const payment = isDone(status) ? readSale(body) : undefined
  if (!payment || UNDECIDED.includes(payment.Status)) return { result: 'unknown' }
  const { Status, ReturnCode } = payment
  const reference = referenceOf(payment)
  if (Status === AUTHORIZED || Status === CAPTURED) {
    // Without its id the payment can be neither captured nor voided: the sweeper finds it by our order number.
    if (!reference.paymentId) return { result: 'unknown' }
    return { result: 'approved', captured: Status === CAPTURED, reference }
  }
  if (UNSURE_CODES.includes(ReturnCode)) return { result: 'unknown' }
  if (Status === DENIED) {
    return { result: 'declined', code: ReturnCode, adviceCode: payment.MerchantAdviceCode, reference }
  }
  return { result: 'refused', code: ReturnCode }
}

export function verificationOutcome({ status, body }: Answer): AuthorizationOutcome {
  if (isRefused(status)) return faultOutcome(body, status)
  const verified = isDone(status) ? readVerification(body) : undefined
  if (!verified) return { result: 'unknown' }
  const { ReturnCode: returnCode, IssuerTransactionId } = verified
  const issuerTransactionId = issuersIdOf(IssuerTransactionId)
  const reference = { ...referenceOf(undefined), returnCode, issuerTransactionId }
  return verified.Valid
    ? { result: 'approved', captured: false, reference }
    : { result: 'declined', code: verified.ReturnCode, adviceCode: '', reference }
}

export function captureOutcome({ status, body }: Answer): OperationOutcome {
  if (isRefused(status)) return captureFault(readFaultCodes(body)[0] ?? `HTTP ${status}`)
  const answer = isDone(status) ? readOperation(body) : undefined
  if (!answer || answer.Status === undefined || UNDECIDED.includes(answer.Status))
    return { result: 'unknown' }
  if (answer.Status === CAPTURED) return { result: 'done' }
  const code = withoutZeros(answer.ReturnCode)
  return CAPTURE_UNSURE.includes(code) ? { result: 'unknown' } : captureFault(code)
}

function captureFault(code: string): OperationOutcome {
  return CAPTURE_GONE.includes(code) ? { result: 'gone' } : { result: 'refused', code }
}

export function voidOutcome({ status, body }: Answer): OperationOutcome {
  const fault = isRefused(status)
  const answer = isDone(status) ? readOperation(body) : undefined
  if (!fault && !answer) return { result: 'unknown' }
  if (answer?.Status !== undefined && UNDECIDED.includes(answer.Status)) return { result: 'unknown' }
  if (answer?.Status !== undefined && VOIDED.includes(answer.Status)) return { result: 'done' }
  const code = withoutZeros(
    fault ? (readFaultCodes(body)[0] ?? `HTTP ${status}`) : (answer?.ReturnCode ?? ''),
  )
  if (!fault && VOID_DONE.includes(code)) return { result: 'done' }
  if (VOID_BUSY.includes(code)) return { result: 'busy' }
  if (VOID_UNSURE.includes(code) || code === '') return { result: 'unknown' }
  return VOID_GONE.includes(code) ? { result: 'gone' } : { result: 'refused', code }
}

export function foundPayment({ status, body }: Answer): Found {
  if (isAbsent({ status, body })) return { result: 'absent' }
  const payment = isDone(status) ? readSale(body) : undefined
  if (!payment) return { result: 'unknown' }
  const { Status, Amount = 0, VoidedAmount = 0, ReturnCode, MerchantAdviceCode } = payment
  return {
    result: 'found',
    state: stateOf(Status, ReturnCode),
    amount: Amount,
    capturedAmount: payment.CapturedAmount ?? (Status === CAPTURED ? Amount : 0),
    voidedAmount: VoidedAmount,
    code: ReturnCode,
    adviceCode: MerchantAdviceCode,
    reference: referenceOf(payment),
  }
}

/** True when a query's answer means that the acquirer knows no such payment. */
export function isAbsent({ status, body }: Answer): boolean {
  // Any other 404 comes from a proxy or a wrong address: it is not the acquirer's word on this payment.
  if (status === 404 && body.length === 0) return true
  return [400, 404].includes(status) && readFaultCodes(body).some((code) => NOT_FOUND.includes(code))
}

function stateOf(status: number, code: string): Extract<Found, { result: 'found' }>['state'] {
  if (status === AUTHORIZED) return 'authorized'
  if (status === CAPTURED) return 'captured'
  if (VOIDED.includes(status)) return 'voided'
  if (UNDECIDED.includes(status)) return 'undecided'
  if (UNSURE_CODES.includes(code)) return 'unsure'
  return status === DENIED ? 'declined' : 'aborted'
}

/** The outcome of a sale that the acquirer did not take. A fault of the card is a decline; any other is ours. */
function faultOutcome(body: Uint8Array, status: number): AuthorizationOutcome {
  const codes = readFaultCodes(body)
  if (codes.includes(DUPLICATED)) return { result: 'unknown' }
  const ofCard = codes.find((code) => CARD_FAULTS.includes(code))
  if (ofCard) return { result: 'declined', code: ofCard, adviceCode: '', reference: referenceOf(undefined) }
  return { result: 'refused', code: codes[0] ?? `HTTP ${status}` }
}

function referenceOf(payment: CieloPayment | undefined): AcquirerReference {
  return {
    paymentId: payment?.PaymentId ?? '',
    tid: payment?.Tid ?? '',
    nsu: payment?.ProofOfSale ?? '',
    authorizationCode: payment?.AuthorizationCode ?? '',
    returnCode: payment?.ReturnCode ?? '',
    eci: eciAnswered(payment?.Eci || payment?.ECI || ''),
    issuerTransactionId: issuersIdOf(payment?.IssuerTransactionId ?? ''),
  }
}

/** Up to 15 letters and digits; empty when none came, or something else did: it is sent back with a later sale. */
function issuersIdOf(text: string): string {
  return /^[A-Za-z0-9]{1,15}$/.test(text) ? text : ''
}

/** Two digits; empty when none came, or something else did. */
function eciAnswered(text: string): string {
  return /^\d{1,2}$/.test(text) ? eciOf({ eci: text }) : ''
}
