import type { ProblemReason, Reason } from '@cofre/platform/reason'

/** What an error code means to people: the title of the problem, and the entry of the page /docs/errors. */
export type ProblemCode = { status: number; title: string; meaning: string; retryable?: true }

/** Every error code of the API. A code keeps its title and its status for good: integrators test for them. */
export const PROBLEM_CODES: Readonly<Record<ProblemReason, ProblemCode>> = {
  MALFORMED_JSON: {
    status: 400,
    title: 'The body is not JSON',
    meaning: 'The body could not be read as UTF-8 JSON, or one is needed and there is none.',
  },
  VALIDATION_FAILED: {
    status: 400,
    title: 'The request is not valid',
    meaning: 'The member errors lists up to 20 faults, each with a JSON pointer, a code and words.',
  },
  EXACTLY_ONE_SOURCE: {
    status: 400,
    title: 'Exactly one card source is needed',
    meaning:
      'Of the alternatives (card, cardToken, networkToken; cardNumber, encryptedCard) give exactly one.',
  },
  NOTIFICATION_URL_NOT_HTTPS: {
    status: 400,
    title: 'The notification URL is not https',
    meaning: 'Here a notificationUrl must begin with https://.',
  },
  NOTIFICATION_URL_NOT_PUBLIC: {
    status: 400,
    title: 'The notification URL is not public',
    meaning:
      'The host of the URL is a loopback, private, link-local or metadata address, or a name of no public host.',
  },
  PAGE_SIZE_TOO_LARGE: {
    status: 400,
    title: 'The page is too large',
    meaning: 'A page has at most 100 entries.',
  },
  TOKEN_INVALID: {
    status: 401,
    title: 'The access token is missing or not valid',
    meaning: 'Send the header "Authorization: Bearer" with one space and a token from the portal.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    title: 'The access token has expired',
    meaning: 'Its expiry date has come. Make a new one in the portal.',
  },
  TOKEN_REVOKED: {
    status: 401,
    title: 'The access token was revoked',
    meaning: 'Somebody with access to the portal revoked it. Make a new one.',
  },
  SCOPE_MISSING: {
    status: 403,
    title: 'The access token lacks a scope',
    meaning: 'The header WWW-Authenticate names the scope that this operation needs.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'There is no such resource',
    meaning:
      'Nothing is known under this path to the seller of the token; what belongs to others is not told apart.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The method is not allowed here',
    meaning: 'The header Allow lists the methods of this path.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    title: 'A request with this key is still running',
    meaning: 'The first request with this Idempotency-Key has not been answered yet. Ask again shortly.',
    retryable: true,
  },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large', meaning: 'A body has at most 256 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The body is not application/json',
    meaning: 'Send "Content-Type: application/json", in UTF-8, without Content-Encoding.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'This key was used for another body',
    meaning: 'Within 7 days an Idempotency-Key stands for one body. Use a new key for a new request.',
  },
  CARD_TOKEN_UNUSABLE: {
    status: 422,
    title: 'The card token cannot be used',
    meaning: 'The token named in the body is unknown, deleted or another seller’s.',
  },
  CARD_BRAND_UNSUPPORTED: {
    status: 422,
    title: 'The brand is not supported here',
    meaning: 'This operation exists for other card brands.',
  },
  NETWORK_TOKEN_NOT_ACTIVE: {
    status: 422,
    title: 'The network token is not active',
    meaning: 'Only an ACTIVE network token can be charged. Read its status.',
  },
  NO_NETWORK_TOKEN_ESTABLISHMENT: {
    status: 422,
    title: 'No establishment for network tokens',
    meaning: 'The seller has no establishment that the acquirer has enabled for network tokens.',
  },
  CAPTURE_EXCEEDS_AUTHORIZED: {
    status: 422,
    title: 'Capture exceeds the authorized amount',
    meaning: 'Capture at most what was authorized.',
  },
  REFUND_EXCEEDS_CAPTURED: {
    status: 422,
    title: 'Refund exceeds the captured amount',
    meaning: 'Refund at most what was captured less what is refunded or being refunded.',
  },
  PARTIAL_VOID_UNSUPPORTED: {
    status: 422,
    title: 'An authorization is voided as a whole',
    meaning: 'Before capture a refund takes the whole amount. To keep a part, capture that part.',
  },
  INVALID_CHARGE_STATE: {
    status: 422,
    title: 'The charge is in another state',
    meaning: 'The members currentStatus and allowedActions tell what is possible.',
  },
  INVALID_INVOICE_STATE: {
    status: 422,
    title: 'The invoice is in another state',
    meaning: 'The members currentStatus and allowedActions tell what is possible.',
  },
  INVALID_VOUCHER_STATE: {
    status: 422,
    title: 'The voucher payment is in another state',
    meaning: 'The members currentStatus and allowedActions tell what is possible.',
  },
  INVOICE_NUMBER_TAKEN: {
    status: 422,
    title: 'The invoice number is taken',
    meaning: 'An invoiceNumber is unique within a seller.',
  },
  REFERENCE_NOT_FOUND: {
    status: 422,
    title: 'The body names something unknown',
    meaning: 'The pointer in errors shows which id or token is unknown to this seller.',
  },
  INSTALLMENTS_NOT_ALLOWED: {
    status: 422,
    title: 'So many instalments are not allowed here',
    meaning: 'The payment method or the seller allows fewer.',
  },
  PAYMENT_WINDOW_CLOSED: {
    status: 422,
    title: 'The time to pay is over',
    meaning: 'The paymentLimitDate has passed.',
  },
  PAYMENT_METHOD_NOT_ACCEPTED: {
    status: 422,
    title: 'The payment method is not accepted',
    meaning: 'The seller has no establishment for it, or does not accept it here.',
  },
  SPLIT_EXCEEDS_TOTAL: {
    status: 422,
    title: 'The splits exceed the total',
    meaning: 'Splits add up to at most the amount.',
  },
  VOUCHER_BRAND_UNSUPPORTED: {
    status: 422,
    title: 'The voucher brand is not supported',
    meaning: 'Announced brands carry the member availableFrom.',
  },
  VOUCHER_CARD_MISMATCH: {
    status: 422,
    title: 'The voucher card is another one',
    meaning: 'cardType and cardBrand must be those of the token.',
  },
  ENDPOINT_LIMIT_REACHED: {
    status: 422,
    title: 'There are as many endpoints as there may be',
    meaning: 'A seller has at most 50. Remove one, or let one be told of more.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'Wait as long as Retry-After says. After many declines of one card range it guards against card testing.',
    retryable: true,
  },
  INTERNAL: {
    status: 500,
    title: 'Something failed on our side',
    meaning: 'Quote the request id. With an Idempotency-Key it is safe to ask again.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'A service that this needs does not answer',
    meaning: 'Ask again after Retry-After, for writes with the same Idempotency-Key.',
    retryable: true,
  },
}

/** Undefined: the code is not the API's, or that of a service newer than this one. */
export function problemCode(reason: Reason): ProblemCode | undefined {
  return Object.hasOwn(PROBLEM_CODES, reason) ? PROBLEM_CODES[reason as ProblemReason] : undefined
}
