import { DomainError } from '@cofre/platform/errors'
import type { AuthorizeOrderRequest, PaymentRequest } from '@cofre/proto/orders/v1/orders'
import type {
  Account,
  AuthorizationOutcome,
  CardHolder,
  CardReference,
  PayerAuthentication,
} from './acquirer'
import { eciOf } from '../charge/authentication'
import type { Turn } from '../charge/authorization'
import type { Deps } from '../deps'
import type { PaymentCard } from '../kept-cards/payment-cards'
import type { TokenPayment } from '../network-tokens/network-tokens'

/** The card, account and request with which one payment of an order is sent. */
export type Sending = { card: PaymentCard; account: Account; request: AuthorizeOrderRequest }

/** `reference`: the card that a payment was sent with; absent when none could be obtained. */
export type Sent = { outcome: AuthorizationOutcome; reference?: CardReference }

/** Sends one payment to the acquirer. */
export async function authorizePayment(
  deps: Deps,
  { payment, authorization }: Turn,
  { card, account, request }: Sending,
): Promise<Sent> {
  const { sellerId } = request
  const deadline = authorization.dispatchDeadline ?? 0
  const { orderNumber, amount, installments, position, merchantInitiated } = payment
  const had = await referenceOf(deps, card, { sellerId, reference: orderNumber, amount, deadline })
  if ('outcome' in had) return had
  const { reference } = had
  const { acquirer } = deps
  const sent = { reference, card: payment.card }
  const dispatch = { account, deadline, requestId: authorization.operationId }
  if (Date.now() >= deadline) return { outcome: { result: 'not_sent' }, reference }
  if (amount === 0) return { outcome: await acquirer.verify(sent, dispatch), reference }
  const { capture, dataOnly } = request
  const terms = { orderNumber, amount, installments, capture, merchantInitiated, dataOnly }
  const authentication = authenticationOf(request.payments[position])
  const sale = { ...sent, ...terms, authentication, customer: holderOf(request) }
  return { outcome: await acquirer.authorize(sale, dispatch), reference }
}

/** The reference of a payment's card. Without a cryptogram, a network token's payment is not sent. */
async function referenceOf(
  { networkTokens }: Deps,
  { reference, networkToken }: PaymentCard,
  payment: Omit<TokenPayment, 'token'>,
): Promise<{ reference: CardReference } | { outcome: AuthorizationOutcome }> {
  if (!networkToken) return { reference }
  const { token } = networkToken
  try {
    return { reference: { handle: await networkTokens.obtainCryptogram({ ...payment, token }) } }
  } catch (error) {
    if (error instanceof DomainError) return { outcome: { result: 'not_sent', refusal: error } }
    throw error
  }
}

function authenticationOf({ authentication }: Partial<PaymentRequest> = {}): PayerAuthentication | undefined {
  if (!authentication) return undefined
  return {
    eci: eciOf(authentication),
    version: authentication.version,
    authenticationValue: authentication.authenticationValue || undefined,
    referenceId: authentication.referenceId || undefined,
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
