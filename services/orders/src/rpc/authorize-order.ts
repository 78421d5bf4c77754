import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError, unavailable } from '@cofre/platform/errors'
import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import { count } from '@cofre/platform/telemetry/metrics'
import type { Charge as ChargeMessage, AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import type { Terms } from '@cofre/platform/operation/terms'
import { ACQUIRERS, type AcquirerName } from '../acquirer/acquirer-name'
import { authorizePayments } from '../acquirer/authorize-payments'
import { newCharge } from '../charge/authorization'
import { fromRequest } from '../charge-store/charge-message'
import { termsFrom, type Deps } from '../deps'
import { insertCharge, type Draft } from '../charge-store/new-charge-store'
import { checkOrder } from '../charge/order-check'
import { credentialOf } from '../kept-cards/credential'
import { sellersRequest } from './sellers-request'
import { chooseCards, refusalAt, type ChosenCards } from '../kept-cards/payment-cards'

/** Saves the intention, asks the acquirer, saves the answer. The network is never called inside a transaction. */
export async function authorizeOrder(
  deps: Deps,
  request: AuthorizeOrderRequest,
): Promise<Replayable<ChargeMessage>> {
  checkOrder(request)
  checkExemption(request)
  const mark = newMark(request.sellerId)
  const chosen = await chooseCards(deps, request)
  const { cards, merchantId } = chosen
  const bins = cards.map(({ card }) => card.bin)
  const slot = request.exemptFromTestingGuard ? NO_SLOT : deps.cardTesting.enter(request.sellerId, bins)
  try {
    const at = databaseNow()
    const drafts = ACQUIRERS.map((acquirer) => {
      const terms = termsFrom(deps, acquirer, mark.operationId, at)
      return draftFor(deps, acquirer, request, chosen, terms)
    })
    const inserted = await insertCharge(deps.pool, drafts, mark, {
      at,
      affiliateId: request.affiliateId,
      direct: request.capture,
      exemptFromTestingGuard: request.exemptFromTestingGuard,
      bins,
      credentials: cards.map(({ keptAs }) => (keptAs ? credentialOf(keptAs) : null)),
      merchantId,
      testing: { guesses: deps.rules.guessesPerMinute, sharePercent: deps.rules.guessedSharePercent },
      refusal: chosen.refusals.find(Boolean) ?? slot.refusal,
    }).catch((error: unknown) => {
      if (isTesting(error)) tellTesting(deps, request.sellerId, bins)
      throw error
    })
    if ('replayed' in inserted) return inserted

    const { answer, notSent } = await authorizePayments(deps, inserted, { cards, request, mark })
    if (notSent) throw notSentError(notSent.refusal)
    return { response: answer, replayed: false }
  } finally {
    slot.leave()
  }
}

/** The order as this acquirer would be sent it. */
function draftFor(
  deps: Deps,
  acquirer: AcquirerName,
  request: AuthorizeOrderRequest,
  chosen: ChosenCards,
  terms: Terms,
): Draft {
  const { capabilities } = deps.acquirers[acquirer]
  const { orderNumberLength } = capabilities
  const order = fromRequest(request, chosen.cards, sellersRequest(), { acquirer, orderNumberLength })
  return { charge: newCharge(order, terms), refusal: refusalAt(capabilities, request, chosen) }
}

/** The service that charges stored cards by itself, and keeps within the brands' limits. */
const EXEMPT = 'invoices'
/** The guard against card testing does not count an exempt order. */
const NO_SLOT = { refusal: undefined, leave: () => {} }

/** Throws PERMISSION_DENIED when another service than invoices exempts its order from the guard against card testing. */
function checkExemption({ exemptFromTestingGuard }: AuthorizeOrderRequest): void {
  if (!exemptFromTestingGuard || currentCall()?.caller === EXEMPT) return
  throw new DomainError('permission_denied', 'INTERNAL', 'This order cannot be exempt from the guard.')
}

function isTesting(error: unknown): boolean {
  return error instanceof DomainError && error.reason === 'RATE_LIMITED'
}

/** Reports an order that was refused because cards like its cards are tried out. */
function tellTesting({ log }: Deps, sellerId: number, bins: readonly string[]): void {
  count('card_testing_refusals', 'Orders refused because cards like theirs are tried out.')
  log.warn({ sellerId, bins }, 'order refused as card testing')
}

function notSentError(refusal: DomainError | undefined): DomainError {
  return refusal ?? unavailable('The acquirer could not be reached; nothing was charged.')
}
