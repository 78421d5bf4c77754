import { DomainError } from '@cofre/platform/errors'
import type { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import type { Account, AuthorizationOutcome, CardHolder } from './acquirer'
import type { Turn } from '../charge/authorization'
import type { Deps } from '../deps'
import type { PaymentCard } from '../charge/payment-cards'
import type { TokenPayment } from '../network-tokens/network-tokens'

/** What one payment of an order is sent with. */
export type Sending = { card: PaymentCard; account: Account; request: AuthorizeOrderRequest }

/** `handle`: the card that a payment was sent with. */
export type Sent = { outcome: AuthorizationOutcome; handle: string }

/** Sends one payment to the acquirer. */
export async function authorizePayment(
  deps: Deps,
  { payment, authorization }: Turn,
  { card, account, request }: Sending,
): Promise<Sent> {
  const { sellerId } = request
  const deadline = authorization.dispatchDeadline ?? 0
  const { orderNumber, amount, installments } = payment
  const handle = await handleOf(deps, card, { sellerId, reference: orderNumber, amount, deadline })
  if (typeof handle !== 'string') return { outcome: handle, handle: '' }
  const { acquirer } = deps
  const sealed = { handle, card: payment.card }
  const dispatch = { account, deadline, requestId: authorization.operationId }
  if (Date.now() >= deadline) return { outcome: { result: 'not_sent' }, handle }
  if (amount === 0) return { outcome: await acquirer.verify(sealed, dispatch), handle }
  const terms = { orderNumber, amount, installments, capture: request.capture, dataOnly: request.dataOnly }
  const sale = { ...sealed, ...terms, customer: holderOf(request) }
  return { outcome: await acquirer.authorize(sale, dispatch), handle }
}

/** A cryptogram that can't be had leaves nothing sent. */
async function handleOf(
  { networkTokens }: Deps,
  { handle, networkToken }: PaymentCard,
  payment: Omit<TokenPayment, 'token'>,
): Promise<string | Extract<AuthorizationOutcome, { result: 'not_sent' }>> {
  if (!networkToken) return handle
  const { token } = networkToken
  try {
    return await networkTokens.obtainCryptogram({ ...payment, token })
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
