/**
 * The error codes of the HTTP API. A problem names one in `code`; its status, title and meaning stand in the gateway's
 * `http/problem-codes.ts`. A code is never renamed: integrators test for it.
 */
export type ProblemReason =
  | 'MALFORMED_JSON'
  | 'VALIDATION_FAILED'
  | 'UNKNOWN_FIELD'
  | 'EXACTLY_ONE_SOURCE'
  | 'NOTIFICATION_URL_NOT_HTTPS'
  | 'NOTIFICATION_URL_NOT_PUBLIC'
  | 'PAGE_SIZE_TOO_LARGE'
  | 'PAGE_TOO_DEEP'
  | 'TOKEN_INVALID'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_REVOKED'
  | 'SCOPE_MISSING'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'CARD_TOKEN_UNUSABLE'
  | 'CARD_BRAND_UNSUPPORTED'
  | 'AUTHENTICATION_UNUSABLE'
  | 'AUTHENTICATION_FAILED'
  | 'NETWORK_TOKEN_NOT_ACTIVE'
  | 'NO_NETWORK_TOKEN_ESTABLISHMENT'
  | 'CAPTURE_EXCEEDS_AUTHORIZED'
  | 'REFUND_EXCEEDS_CAPTURED'
  | 'PARTIAL_VOID_UNSUPPORTED'
  | 'INVALID_CHARGE_STATE'
  | 'INVALID_INVOICE_STATE'
  | 'INVALID_VOUCHER_STATE'
  | 'INVOICE_NUMBER_TAKEN'
  | 'REFERENCE_NOT_FOUND'
  | 'INSTALLMENTS_NOT_ALLOWED'
  | 'PAYMENT_WINDOW_CLOSED'
  | 'PAYMENT_PENDING'
  | 'PAYMENT_METHOD_NOT_ACCEPTED'
  | 'BOLETO_REFUSED'
  | 'SPLIT_EXCEEDS_TOTAL'
  | 'CUSTOMER_HAS_NO_EMAIL'
  | 'EMAIL_NOT_SET_UP'
  | 'CLOCK_MOVES_FORWARD'
  | 'VOUCHER_BRAND_UNSUPPORTED'
  | 'VOUCHER_CARD_MISMATCH'
  | 'ENDPOINT_LIMIT_REACHED'
  | 'LISTENER_LIMIT_REACHED'
  | 'RATE_LIMITED'
  | 'INTERNAL'
  | 'SERVICE_UNAVAILABLE'
  | 'OUTCOME_UNKNOWN'

/** Codes of RPCs that only cofrectl calls. */
type OperatorReason = 'EMAIL_TAKEN' | 'ESTABLISHMENT_EXISTS'

/** Codes between our services. The caller turns each into a code of the HTTP API. */
type ServiceReason = 'NO_ESTABLISHMENT' | 'AMOUNT_CHANGED'

/** The code of a refused RPC or request, which programs test for. */
export type Reason = ProblemReason | OperatorReason | ServiceReason
