import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import type { AuthorizeOrderRequest, PaymentRequest } from '@cofre/proto/orders/v1/orders'
import type {
  Account,
  Acquirer,
  AuthorizationOutcome,
  CardHolder,
  CardReference,
  PayerAuthentication,
  StoredCredential,
} from './acquirer'
import { eciOf } from '../charge/authentication'
import type { Turn } from '../charge/authorization'
import type { Payment } from '../charge/charge'
import type { Deps } from '../deps'
import type { PaymentCard } from '../kept-cards/payment-cards'
import type { TokenPayment } from '../network-tokens/network-tokens'

/** The acquirer to which one payment of an order is sent, with its card, account and request. */
export type Sending = {
  acquirer: Acquirer
  card: PaymentCard
  account: Account
  request: AuthorizeOrderRequest
  /** The issuer's ids of the latest payments with the kept cards of the order's payments; null: there is none. */
  lastSaleIds: readonly (string | null)[]
}

/** `reference`: the card that a payment was sent with; absent when none could be obtained. */
export type Sent = { outcome: AuthorizationOutcome; reference?: CardReference }

/** Sends one payment to the acquirer. */
export async function authorizePayment(
  deps: Deps,
  { payment, authorization }: Turn,
  { acquirer, card, account, request, lastSaleIds }: Sending,
): Promise<Sent> {
  const { sellerId } = request
  const deadline = authorization.dispatchDeadline ?? 0
  const { orderNumber, amount, installments, position } = payment
  const had = await referenceOf(deps, card, { sellerId, reference: orderNumber, amount, deadline })
  if ('outcome' in had) return had
  const { reference } = had
  const credential = credentialSent(payment, lastSaleIds[position] ?? undefined)
  const sent = { reference, card: payment.card ?? card.card, brandIsGuess: card.brandIsGuess, credential }
  const dispatch = { account, deadline, requestId: authorization.operationId }
  if (databaseNow() >= deadline) return { outcome: { result: 'not_sent' }, reference }
  if (amount === 0) return { outcome: await acquirer.verify(sent, dispatch), reference }
  const { capture, dataOnly, softDescriptor } = request
  const terms = { orderNumber, amount, installments, capture, dataOnly, softDescriptor }
  const authentication = authenticationOf(request.payments[position])
  const sale = { ...sent, ...terms, authentication, customer: holderOf(request) }
  return { outcome: await acquirer.authorize(sale, dispatch), reference }
}

function credentialSent(
  { credential, initiator, reason }: Payment,
  lastSaleId: string | undefined,
): StoredCredential | undefined {
  return credential === null ? undefined : { initiator, reason, lastSaleId }
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
      lineTwo: address.lineTwo,
      city: address.city,
      state: address.state,
      zipCode: address.zipCode,
    },
  }
}
