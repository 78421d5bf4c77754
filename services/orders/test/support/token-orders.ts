import { randomBytes, randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { AuthorizeOrderRequest, type Charge } from '@cofre/proto/orders/v1/orders'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { newToken, type StandInToken } from '@cofre/testing/stand-ins/network-tokens'
import { order, sealedCard, VISA } from './orders'
import type { TestOrders } from './start-orders'

type Options = { retryWithCard?: boolean; affiliateId?: number; sellerId?: number; networkTokens?: boolean }

/** Creates an establishment enabled for network tokens, for a new seller unless one is given. */
export async function establish(
  { admin }: TestOrders,
  { retryWithCard = false, affiliateId, sellerId, networkTokens = true }: Options = {},
) {
  const account = {
    sellerId: sellerId ?? 1 + randomBytes(4).readUInt32BE(),
    affiliateId,
    merchantId: randomUUID() as string,
    networkTokens,
    retryWithCard,
  }
  await callRpc(admin, admin.createEstablishment, account)
  return account
}

export type Owner = { sellerId: number; merchantId: string }

/** A seller's network token. Its card decides the outcome of a retry with the card. */
export function giveToken(
  { networkTokens }: TestOrders,
  { sellerId, merchantId }: Owner,
  changes: Partial<StandInToken> = {},
) {
  const name = randomBytes(32).toString('hex')
  const made = newToken({
    sellerId,
    merchantId,
    card: sealedCard(VISA).card,
    number: VISA,
    status: NetworkTokenStatus.ACTIVE,
    ...changes,
  })
  networkTokens.set(name, made)
  return { name, made }
}

/** An order with a payment for each token. */
export function orderOf(sellerId: number, names: string[], changes: Partial<AuthorizeOrderRequest> = {}) {
  const { payments: _none, ...made } = order(sellerId, changes)
  const payments = names.map((networkToken) => {
    return { amount: made.amount / names.length, installments: 1, networkToken }
  })
  return AuthorizeOrderRequest.fromPartial({ ...made, payments })
}

/** The card that the acquirer got with a charge's only payment. */
export function soldCard({ acquirer }: TestOrders, charge: Charge): Record<string, unknown> {
  return acquirer.paymentOf(charge.payments[0]).sale.Payment.CreditCard as Record<string, unknown>
}
