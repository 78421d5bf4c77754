import {
  CredentialReason,
  Initiator,
  type AuthorizeOrderRequest,
  type PaymentRequest,
} from '@cofre/proto/orders/v1/orders'
import type { FieldError } from '@cofre/platform/errors'
import type { Initiation } from './charge'

/** Who begins the payments of an order, and what kept cards are charged for. */
export function initiationOf({ initiator, reason }: AuthorizeOrderRequest): Initiation {
  return { initiator: initiator === Initiator.MERCHANT ? 'MERCHANT' : 'CUSTOMER', reason: REASONS[reason] }
}

const REASONS = {
  [CredentialReason.UNSPECIFIED]: 'UNSCHEDULED',
  [CredentialReason.RECURRING]: 'RECURRING',
  [CredentialReason.INSTALLMENTS]: 'INSTALLMENTS',
  [CredentialReason.UNSCHEDULED]: 'UNSCHEDULED',
} as const

/** The faults of an order whose payer is absent, but whose payments say that the payer is there. */
export function initiationFaults(request: AuthorizeOrderRequest): FieldError[] {
  const { exemptFromTestingGuard, dataOnly, payments, capture } = request
  const { initiator, reason } = initiationOf(request)
  const isMerchants = initiator === 'MERCHANT'
  const isAuthenticated = dataOnly !== undefined || payments.some(({ authentication }) => authentication)
  // A direct charge has one payment, whose members stand in the body itself.
  const place = capture ? '#' : '#/payments'
  const faults = isMerchants || exemptFromTestingGuard ? payments.flatMap(givenCardFaults) : []
  if (isMerchants && isAuthenticated)
    faults.push(fault(place, 'PAYER_ABSENT', 'a payer who is absent cannot be authenticated'))
  if (isMerchants && reason === 'RECURRING' && payments.some(({ installments }) => installments > 1))
    faults.push(fault(place, 'MAX', 'a recurring payment has one installment'))
  return faults
}

/** The fault of a card whose data was given, or of a stored one that came with its CVV. */
function givenCardFaults({ card, keptAs }: PaymentRequest): FieldError[] {
  if (!card) return []
  const { pointer } = card
  return keptAs === ''
    ? [fault(pointer, 'STORED_CARD', 'an order without its payer needs a stored card')]
    : [fault(`${pointer}/cvv`, 'PAYER_ABSENT', 'a payer who is absent gives no CVV')]
}

function fault(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}
