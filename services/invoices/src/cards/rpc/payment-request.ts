import type { FieldError } from '@cofre/platform/errors'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { INSTALLMENTS_MAX } from '../payment-terms'
import { fault, throwFaults } from '../../request-check'

/** Checks a request by itself. INVALID_ARGUMENT VALIDATION_FAILED with every fault. */
export function checkPayment(request: PayByCardRequest): void {
  const { installments, keepCard, networkToken } = request
  const isCount = Number.isInteger(installments) && installments >= 1 && installments <= INSTALLMENTS_MAX
  throwFaults([
    ...(isCount ? [] : [fault('#/installments', 'RANGE', `must be from 1 to ${INSTALLMENTS_MAX}`)]),
    ...sourceFaults(request),
    ...(keepCard && networkToken !== ''
      ? [fault('#/keepYourCardForAutomaticCharges', 'NETWORK_TOKEN', 'a network token cannot be kept')]
      : []),
  ])
}

/** A request names one source. The token of a stored card may come with its sealed CVV (`card`). */
function sourceFaults({ cardId, cardToken, networkToken, card }: PayByCardRequest): FieldError[] {
  const named = [
    cardId !== undefined,
    cardToken !== '',
    networkToken !== '',
    card !== undefined && cardToken === '',
  ]
  const takes = 'takes one of cardId, card, cardToken and networkToken'
  return named.filter(Boolean).length === 1 ? [] : [fault('#', 'EXACTLY_ONE', takes)]
}
