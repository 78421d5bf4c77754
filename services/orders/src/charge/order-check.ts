import { DomainError, type FieldError } from '@cofre/platform/errors'
import { MAX_AMOUNT } from '@cofre/platform/money'
import type { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import { authenticationFaults, authenticationPointer } from './authentication'
import { initiationFaults } from './initiation'

const PAYMENTS_MAX = 10
const INSTALLMENTS_MAX = 12

/** Checks the request by itself. Throws INVALID_ARGUMENT VALIDATION_FAILED with every fault. */
export function checkOrder(request: AuthorizeOrderRequest): void {
  throwFaults([
    ...orderFaults(request),
    ...request.payments.flatMap(paymentFaults),
    ...authenticationsFaults(request),
    ...initiationFaults(request),
  ])
}

/** Checks the optional amount, in cents, of a capture or refund. Throws INVALID_ARGUMENT VALIDATION_FAILED. */
export function checkAmount(amount: number | undefined): void {
  if (amount === undefined || isCents(amount, 1)) return
  throwFaults([fault('#/amount', 'RANGE', `must be whole cents from 1 to ${MAX_AMOUNT}`)])
}

export function throwFaults(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidRequest(errors)
}

/** INVALID_ARGUMENT VALIDATION_FAILED. */
export function invalidRequest(errors: FieldError[]): DomainError {
  return new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid.', { errors })
}

export function fault(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}

function orderFaults({ amount, payments, customer, capture }: AuthorizeOrderRequest): FieldError[] {
  const faults: FieldError[] = []
  if (!isCents(amount, 0)) faults.push(fault('#/amount', 'RANGE', `must be whole cents up to ${MAX_AMOUNT}`))
  if (!customer?.name) faults.push(fault('#/customer/name', 'REQUIRED', 'is required'))
  if (!customer?.document) faults.push(fault('#/customer/document', 'REQUIRED', 'is required'))
  if (payments.length === 0) faults.push(fault('#/payments', 'MIN', 'must hold at least 1'))
  if (payments.length > PAYMENTS_MAX)
    faults.push(fault('#/payments', 'MAX', `must hold at most ${PAYMENTS_MAX}`))
  if (capture && payments.length > 1)
    faults.push(fault('#/payments', 'MAX', 'a direct charge has one payment'))
  const sum = payments.reduce((total, payment) => total + payment.amount, 0)
  if (sum !== amount)
    faults.push(fault('#/payments', 'SUM', 'amounts must add up to the amount of the order'))
  // An order either moves money or verifies cards.
  if (amount > 0 && payments.some((payment) => payment.amount === 0))
    faults.push(fault('#/payments', 'MIN', 'each amount must be at least 1'))
  return faults
}

function paymentFaults(payment: AuthorizeOrderRequest['payments'][number], index: number): FieldError[] {
  const { amount, installments, card, cardToken, networkToken, keptAs } = payment
  const at = `#/payments/${index}`
  const faults: FieldError[] = []
  if (!isCents(amount, 0))
    faults.push(fault(`${at}/amount`, 'RANGE', `must be whole cents up to ${MAX_AMOUNT}`))
  if (!Number.isInteger(installments) || installments < 1 || installments > INSTALLMENTS_MAX)
    faults.push(fault(`${at}/installments`, 'RANGE', `must be from 1 to ${INSTALLMENTS_MAX}`))
  // A verification has no amount to divide.
  else if (amount > 0 && amount < installments)
    faults.push(fault(`${at}/installments`, 'MIN', 'must leave at least one cent for each installment'))
  if ([card, cardToken, networkToken].filter(Boolean).length !== 1)
    faults.push(fault(at, 'EXACTLY_ONE', 'takes one card, card token or network token'))
  if (keptAs !== '' && !card) faults.push(fault(at, 'EXACTLY_ONE', 'names a kept card beside another card'))
  return faults
}

function authenticationsFaults(request: AuthorizeOrderRequest): FieldError[] {
  const { payments, dataOnly } = request
  const faults = payments.flatMap((payment, index) =>
    authenticationFaults(payment, authenticationPointer(request, index)),
  )
  const authentications = payments.flatMap(({ authentication }) => authentication ?? [])
  if (dataOnly && authentications.length > 0)
    faults.push(fault('#/dataOnly', 'EXACTLY_ONE', 'must be left out with an authentication'))
  const values = authentications.map((one) => one.authenticationValue).filter(Boolean)
  if (new Set(values).size < values.length)
    faults.push(fault('#/payments', 'UNIQUE', 'an authentication is allowed with one payment only'))
  return faults
}

function isCents(amount: number, min: number): boolean {
  return Number.isSafeInteger(amount) && amount >= min && amount <= MAX_AMOUNT
}
