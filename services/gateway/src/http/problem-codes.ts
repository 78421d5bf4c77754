import type { ProblemReason, Reason } from '@cofre/platform/reason'
import { CHARGE_PROBLEM_CODES } from './charge-problem-codes'
import { RECURRING_PROBLEM_CODES } from './recurring-problem-codes'

/** An error code as people read it: the title of the problem, and the entry of the page /docs/errors. */
export type ProblemCode = { status: number; title: string; meaning: string; retryable?: true }

/** Every error code of the API. A code keeps its title and its status for good: integrators test for them. */
export const PROBLEM_CODES: Readonly<Record<ProblemReason, ProblemCode>> = {
  MALFORMED_JSON: {
    status: 400,
    title: 'The body is not JSON',
    meaning: 'The request needs a body in UTF-8 JSON, and the body is missing or cannot be parsed.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    title: 'The request cannot be read',
    meaning:
      'A form lacks its boundary, has two files, or has a field that stands twice or behind the file: `detail` says which. Or the connection carried bytes that are not a valid HTTP request. Often these are bytes behind a body: its Content-Length counted characters instead of bytes, or left out a final byte. Requests before them are answered first. The connection then closes.',
  },
  VALIDATION_FAILED: {
    status: 400,
    title: 'The request is not valid',
    meaning: 'The member errors lists up to 20 faults, each with a JSON pointer, a code and a sentence.',
  },
  UNKNOWN_FIELD: {
    status: 400,
    title: 'A field or parameter is not known',
    meaning:
      'The body has a member, or the query has a parameter, that this operation does not know. It may be a typo: `errors` names it and the nearest known name. With the header "Prefer: handling=lenient", unknown members of a body are ignored: a misspelt amount then captures or refunds everything. The operator can set that for a seller with an old integration; "Prefer: handling=strict" then refuses them.',
  },
  EXACTLY_ONE_SOURCE: {
    status: 400,
    title: 'Exactly one card source is needed',
    meaning: 'Send exactly one: card, cardToken or networkToken; cardNumber or encryptedCard.',
  },
  NOTIFICATION_URL_NOT_HTTPS: {
    status: 400,
    title: 'The notification URL is not https',
    meaning: 'This notificationUrl must begin with https://.',
  },
  NOTIFICATION_URL_NOT_PUBLIC: {
    status: 400,
    title: 'The notification URL is not public',
    meaning: 'Its host is a loopback, private, link-local or metadata address, or a name that is not public.',
  },
  PAGE_SIZE_TOO_LARGE: {
    status: 400,
    title: 'The page size is too large',
    meaning: 'The size of a page is at most 100.',
  },
  PAGE_TOO_DEEP: {
    status: 400,
    title: 'The page is too far from the beginning of the list',
    meaning:
      'Page numbers reach only the first 10,000 entries. Narrow the list with filters, or follow Link rel="next", whose parameter `after` reaches every page.',
  },
  TOKEN_INVALID: {
    status: 401,
    title: 'The access token is missing or not valid',
    meaning: 'Send the header "Authorization: Bearer" with one space and a token from the portal.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    title: 'The access token has expired',
    meaning: 'The token has passed its expiry date. Create a new token in the portal.',
  },
  TOKEN_REVOKED: {
    status: 401,
    title: 'The access token was revoked',
    meaning: 'A portal user or the operator revoked the token. Create a new token in the portal.',
  },
  SCOPE_MISSING: {
    status: 403,
    title: 'The access token lacks a scope',
    meaning: 'The header WWW-Authenticate names the scope that this operation needs.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'There is no such resource',
    meaning: 'The resource does not exist, or it belongs to another seller.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The method is not allowed here',
    meaning: 'The header Allow lists the methods of this path.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'The request did not arrive in time',
    meaning: 'The head of a request must arrive within 10 s, its body within 4 s after it. Nothing was done.',
    retryable: true,
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    title: 'A request with this key is still running',
    meaning: 'The first request with this Idempotency-Key is not finished yet. Try again shortly.',
    retryable: true,
  },
  BODY_TOO_LARGE: {
    status: 413,
    title: 'The body is too large',
    meaning: 'The limit is 256 KiB; of a file, 8 MiB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The body is not of the type that this operation takes',
    meaning:
      'Send "Content-Type: application/json", in UTF-8, without Content-Encoding. An operation that takes a file takes multipart/form-data.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    title: 'The expectation cannot be met',
    meaning: 'The only value of the header Expect that has a meaning is "100-continue".',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'This key was used for another body',
    meaning:
      'For 7 days, an Idempotency-Key belongs to one body on one method and path, ids included. Use a new key for a new request.',
  },
  CARD_TOKEN_UNUSABLE: {
    status: 422,
    title: 'The card token cannot be used',
    meaning: 'The token in the body is unknown, was deleted, or belongs to another seller.',
  },
  CARD_BRAND_UNSUPPORTED: {
    status: 422,
    title: 'The card brand is not supported',
    meaning: 'This operation does not support the brand of this card.',
  },
  AUTHENTICATION_UNUSABLE: {
    status: 422,
    title: 'The 3-D Secure authentication cannot be used',
    meaning: 'The card brand does not use this ECI, or another charge has used this authentication value.',
  },
  AUTHENTICATION_FAILED: {
    status: 422,
    title: 'The payer was not authenticated',
    meaning:
      'The card issuer did not authenticate the payer, or cannot authenticate this card. Nothing was charged. You can decide to charge the card without authentication.',
  },
  NETWORK_TOKEN_NOT_ACTIVE: {
    status: 422,
    title: 'The network token is not active',
    meaning: 'You can only charge an ACTIVE network token. Read the token to see its status.',
  },
  NO_NETWORK_TOKEN_ESTABLISHMENT: {
    status: 422,
    title: 'No establishment for network tokens',
    meaning: 'The acquirer has not enabled network tokens for any establishment of the seller.',
  },
  ...CHARGE_PROBLEM_CODES,
  ...RECURRING_PROBLEM_CODES,
  INVALID_INVOICE_STATE: {
    status: 422,
    title: 'The state of the invoice does not allow this',
    meaning: 'See currentStatus and allowedActions in the problem for the actions that are possible.',
  },
  INVALID_VOUCHER_STATE: {
    status: 422,
    title: 'The state of the voucher payment does not allow this',
    meaning: 'See currentStatus and allowedActions in the problem for the actions that are possible.',
  },
  INVOICE_NUMBER_TAKEN: {
    status: 422,
    title: 'The invoice number is taken',
    meaning: 'Each invoiceNumber of a seller must be unique.',
  },
  RECEIPT_RESOLVED: {
    status: 422,
    title: 'Nothing of this receipt waits any more',
    meaning: 'An invoice took the money, it was returned, or it was kept. Read the receipt for its outcome.',
  },
  REFUND_UNAVAILABLE: {
    status: 422,
    title: 'No Pix can be given back',
    meaning:
      'Nothing is left of the Pix, it is older than 90 days, or the account at the bank that received it is gone. Refund the charge of a card. Record money that you gave back in another way as a return.',
  },
  REFERENCE_NOT_FOUND: {
    status: 422,
    title: 'The body refers to an unknown resource',
    meaning: 'The pointer in errors shows which id does not exist for this seller.',
  },
  INSTALLMENTS_NOT_ALLOWED: {
    status: 422,
    title: 'The number of installments is not allowed',
    meaning: 'The payment method or the seller allows fewer installments.',
  },
  PAYMENT_WINDOW_CLOSED: {
    status: 422,
    title: 'The payment window is closed',
    meaning: 'The paymentLimitDate has passed.',
  },
  INVOICE_CHANGED: {
    status: 409,
    title: 'Somebody changed the invoice',
    meaning: 'The updatedAt of the body is not that of the invoice. Read the invoice again, then change it.',
  },
  PAYMENT_PENDING: {
    status: 409,
    title: 'A payment is pending',
    meaning:
      'A card payment for this invoice is under way, and the issuer has not answered yet. Cofre keeps asking for the outcome. Read the invoice, or try again shortly.',
    retryable: true,
  },
  PAYMENT_METHOD_NOT_ACCEPTED: {
    status: 422,
    title: 'The payment method is not accepted',
    meaning: 'The seller does not accept this payment method, or what it needs is not set up.',
  },
  PIX_REFUSED: refusedByBank('Pix charge'),
  BOLETO_REFUSED: refusedByBank('boleto'),
  SPLIT_EXCEEDS_TOTAL: {
    status: 422,
    title: 'The splits exceed the total',
    meaning: 'The sum of the splits must not exceed the amount.',
  },
  CUSTOMER_HAS_NO_EMAIL: {
    status: 422,
    title: 'The customer has no e-mail address',
    meaning: 'Add an address to the customer (PUT /api/v2/customers/{id}), then send the e-mail again.',
  },
  EMAIL_NOT_SET_UP: {
    status: 422,
    title: 'No mail server is set up',
    meaning: 'This installation sends no e-mail. Ask its operator to set up a mail server.',
  },
  CLOCK_MOVES_FORWARD: {
    status: 422,
    title: 'The billing clock only moves forward',
    meaning: 'The billing clock has already passed this time. Read the clock, and send a later time.',
  },
  VOUCHER_BRAND_UNSUPPORTED: {
    status: 422,
    title: 'The voucher brand is not supported',
    meaning: 'For an announced brand, the problem has the member availableFrom.',
  },
  VOUCHER_CARD_MISMATCH: {
    status: 422,
    title: 'The voucher card does not match its token',
    meaning:
      'For a token, send a number and a cardType of the brand; for a payment, the cardType and cardBrand of the token.',
  },
  ENDPOINT_LIMIT_REACHED: {
    status: 422,
    title: 'The limit of webhook endpoints is reached',
    meaning:
      'A seller can have at most 50 endpoints. Delete one, or subscribe an existing endpoint to more events.',
  },
  LISTENER_LIMIT_REACHED: {
    status: 422,
    title: 'The limit of webhook listeners is reached',
    meaning:
      'Five programs already listen to the seller’s events. Stop one, or wait for a minute after one has stopped.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'Wait for the number of seconds in Retry-After. The message names the limit. There are limits on requests, on declines in one card range, on payments at once, and on e-mails about one invoice.',
    retryable: true,
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The headers are too large',
    meaning: 'The path, the query and the headers of a request have at most 16 KiB together.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something failed on our side',
    meaning: 'Contact support with the request id. With an Idempotency-Key it is safe to repeat the request.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'A required service does not answer',
    meaning:
      'The request was not carried out. Repeat it after Retry-After, a write with the same Idempotency-Key. A charge may leave a FAILED attempt in your lists.',
    retryable: true,
  },
  OUTCOME_UNKNOWN: {
    status: 504,
    title: 'The outcome is not known',
    meaning:
      'The answer was lost after something may have been done. If you sent an Idempotency-Key, repeat the request with the same key: the answer says what was done, and nothing is done twice. Without a key, first look for what the request would have made or changed: an order by its orderReference, a voucher payment by its referenceId, anything else in its list.',
  },
}

/** Undefined when the code is not the API's, or comes from a service newer than this one. */
export function problemCode(reason: Reason): ProblemCode | undefined {
  return Object.hasOwn(PROBLEM_CODES, reason) ? PROBLEM_CODES[reason as ProblemReason] : undefined
}

function refusedByBank(what: string): ProblemCode {
  const meaning = `The bank did not register the ${what}. Check the customer’s name and document.`
  return { status: 422, title: `The bank refused the ${what}`, meaning }
}
