import { unavailable, type DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import type { Charge as ChargeMessage, AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import { authorizePayments } from '../acquirer/authorize-payments'
import { newCharge, type NewCharge } from '../charge/authorization'
import { termsFrom, type Deps } from '../deps'
import { insertCharge } from '../charge-store/new-charge-store'
import { checkOrder } from '../charge/order-check'
import { newOrderNumber } from '../charge/order-number'
import { chooseCards, type PaymentCard } from '../charge/payment-cards'

/** Saves the intention, asks the acquirer, saves the answer: the network is never called inside a transaction. */
export async function authorizeOrder(
  deps: Deps,
  request: AuthorizeOrderRequest,
): Promise<Replayable<ChargeMessage>> {
  checkOrder(request)
  const mark = newMark(request.sellerId)
  const { cards, refusal, merchantId } = await chooseCards(deps.networkTokens, request)
  const draft = newCharge(orderOf(request, cards), termsFrom(deps, mark.operationId))
  const inserted = await insertCharge(deps.pool, draft, mark, {
    affiliateId: request.affiliateId,
    merchantId,
    declinesPerMinute: deps.rules.declinesPerMinute,
    refusal,
  })
  if ('replayed' in inserted) return inserted

  const { answer, notSent } = await authorizePayments(deps, inserted, { cards, request, mark })
  if (notSent) throw notSentError(notSent.refusal)
  return { response: answer, replayed: false }
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
