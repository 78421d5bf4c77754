import { unavailable, type DomainError } from '@cofre/platform/errors'
import { newClaim } from '@cofre/platform/idempotency/idempotency'
import { Charge as ChargeMessage, type AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import { authorizePayments } from '../acquirer/authorize-payments'
import { newCharge, type NewCharge } from '../charge/authorization'
import { toMessage } from '../charge-store/charge-message'
import { termsFrom, type Deps } from '../deps'
import { insertCharge } from '../charge-store/new-charge-store'
import { checkOrder } from '../charge/order-check'
import { newOrderNumber } from '../charge/order-number'
import { chooseCards, type PaymentCard } from '../charge/payment-cards'

/** Saves the intention, asks the acquirer, saves the answer: the network is never called inside a transaction. */
export async function authorizeOrder(deps: Deps, request: AuthorizeOrderRequest): Promise<ChargeMessage> {
  checkOrder(request)
  const claim = newClaim(request.sellerId)
  const { cards, refusal, merchantId } = await chooseCards(deps.networkTokens, request)
  const draft = newCharge(orderOf(request, cards), termsFrom(deps, claim.operationId))
  const inserted = await insertCharge(deps.pool, draft, claim, {
    affiliateId: request.affiliateId,
    merchantId,
    declinesPerMinute: deps.rules.declinesPerMinute,
    refusal,
  })
  if ('kept' in inserted) return ChargeMessage.decode(inserted.kept)

  const { charge, kept, notSent } = await authorizePayments(deps, inserted, cards, request)
  if (notSent) throw notSentError(notSent.refusal)
  return kept ? ChargeMessage.decode(kept) : toMessage(charge)
}

function notSentError(refusal: DomainError | undefined): DomainError {
  return refusal ?? unavailable('The acquirer could not be reached; nothing was charged.')
}

function orderOf(request: AuthorizeOrderRequest, cards: readonly PaymentCard[]): NewCharge {
  return {
    sellerId: request.sellerId,
    orderReference: request.orderReference ?? null,
    externalReference: request.externalReference ?? null,
    notificationUrl: request.notificationUrl ?? null,
    direct: request.capture,
    amount: request.amount,
    metadata: request.metadata ?? {},
    payments: cards.map(({ card }, index) => {
      const payment = request.payments[index]
      return {
        orderNumber: newOrderNumber(),
        amount: payment?.amount ?? 0,
        installments: payment?.installments ?? 1,
        card,
        paymentLimitDate: payment?.paymentLimitDate ?? null,
        dueDate: payment?.dueDate ?? null,
      }
    }),
  }
}
