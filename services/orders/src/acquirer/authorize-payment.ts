import { DomainError } from '@cofre/platform/errors'
import type { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import type { Account, AuthorizationOutcome, CardHolder } from './acquirer'
import { authorizationOf } from '../charge/authorization'
import type { Charge, Payment } from '../charge/charge'
import type { Deps } from '../deps'
import type { PaymentCard } from '../charge/payment-cards'

type Turn = { position: number; card: PaymentCard; account: Account; request: AuthorizeOrderRequest }

/** Sends one payment to the acquirer. `handle`: the card that it was sent with. */
export async function authorizePayment(
  deps: Deps,
  charge: Charge,
  { position, card, account, request }: Turn,
): Promise<{ outcome: AuthorizationOutcome; handle: string }> {
  const payment = charge.payments[position]
  if (!payment) throw new Error('no such payment')
  const { operationId, dispatchDeadline } = authorizationOf(charge, position)
  const deadline = dispatchDeadline ?? 0
  const handle = await handleOf(deps, charge, payment, card, deadline)
  if (typeof handle !== 'string') return { outcome: handle, handle: '' }
  const { acquirer } = deps
  const sealed = { sellerId: charge.sellerId, handle, card: payment.card }
  const dispatch = { account, deadline, requestId: operationId }
  if (Date.now() >= deadline) return { outcome: { result: 'not_sent' }, handle }
  if (payment.amount === 0) return { outcome: await acquirer.verify(sealed, dispatch), handle }
  const { orderNumber, amount, installments } = payment
  const terms = { orderNumber, amount, installments, capture: request.capture, dataOnly: request.dataOnly }
  const sale = { ...sealed, ...terms, customer: holderOf(request) }
  return { outcome: await acquirer.authorize(sale, dispatch), handle }
}

/** A cryptogram that can't be had leaves nothing sent. */
async function handleOf(
  { networkTokens }: Deps,
  { sellerId }: Charge,
  { orderNumber, amount }: Payment,
  { handle, networkToken }: PaymentCard,
  deadline: number,
): Promise<string | Extract<AuthorizationOutcome, { result: 'not_sent' }>> {
  if (!networkToken) return handle
  const { token } = networkToken
  try {
    return await networkTokens.obtainCryptogram({ sellerId, token, reference: orderNumber, amount, deadline })
  } catch (error) {
    if (error instanceof DomainError) return { result: 'not_sent', refusal: error }
    throw error
  }
}

function holderOf({ customer }: AuthorizeOrderRequest): CardHolder {
  const { name = '', document = '', email = '', birthdate = '', address } = customer ?? {}
  return {
    name,
    document,
    email,
    birthdate,
    address: address && {
      street: address.street,
      number: address.streetNumber,
      city: address.city,
      state: address.state,
      zipCode: address.zipCode,
    },
  }
}
