import { DomainError, unavailable } from '@cofre/platform/errors'
import { notAccepted } from '../../invoice/rules/payment-window'

export function noAccount(): DomainError {
  return notAccepted('The seller has no account at a bank.')
}

export function bankRefused(): DomainError {
  const message = 'The bank did not register the boleto, so nobody can pay it.'
  return new DomainError('failed_precondition', 'BOLETO_REFUSED', message)
}

export function bankNotReached(): DomainError {
  return unavailable('The bank could not be reached; no boleto was created.')
}
