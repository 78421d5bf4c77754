import { DomainError, unavailable } from '@cofre/platform/errors'
import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import type { Charge as ChargeMessage, AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import { authorizePayments } from '../acquirer/authorize-payments'
import { newCharge } from '../charge/authorization'
import { fromRequest } from '../charge-store/charge-message'
import { termsFrom, type Deps } from '../deps'
import { insertCharge } from '../charge-store/new-charge-store'
import { checkOrder } from '../charge/order-check'
import { chooseCards } from '../kept-cards/payment-cards'

/** Saves the intention, asks the acquirer, saves the answer. The network is never called inside a transaction. */
export async function authorizeOrder(
  deps: Deps,
  request: AuthorizeOrderRequest,
): Promise<Replayable<ChargeMessage>> {
  checkOrder(request)
  checkInitiator(request)
  const mark = newMark(request.sellerId)
  const { cards, refusal, merchantId } = await chooseCards(deps, request)
  const bins = cards.map(({ card }) => card.bin)
  const place = request.merchantInitiated ? NO_PLACE : deps.cardTesting.enter(request.sellerId, bins)
  try {
    const draft = newCharge(fromRequest(request, cards), termsFrom(deps, mark.operationId))
    const inserted = await insertCharge(deps.pool, draft, mark, {
      affiliateId: request.affiliateId,
      merchantId,
      declinesPerMinute: deps.rules.declinesPerMinute,
      refusal: refusal ?? place.refusal,
    })
    if ('replayed' in inserted) return inserted

    const { answer, notSent } = await authorizePayments(deps, inserted, { cards, request, mark })
    if (notSent) throw notSentError(notSent.refusal)
    return { response: answer, replayed: false }
  } finally {
    place.leave()
  }
}

/** The service that charges stored cards by itself, and keeps within the brands' limits. */
const INITIATOR = 'invoices'
/** The guard against card testing does not count a merchant-initiated order. */
const NO_PLACE = { refusal: undefined, leave: () => {} }

/** Throws PERMISSION_DENIED when another service than the initiator sends a merchant-initiated order. */
function checkInitiator({ merchantInitiated }: AuthorizeOrderRequest): void {
  if (!merchantInitiated || currentCall()?.caller === INITIATOR) return
  throw new DomainError('permission_denied', 'INTERNAL', 'This order cannot be merchant-initiated.')
}

function notSentError(refusal: DomainError | undefined): DomainError {
  return refusal ?? unavailable('The acquirer could not be reached; nothing was charged.')
}
