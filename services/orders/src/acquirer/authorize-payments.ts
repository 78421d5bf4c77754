import type { DomainError } from '@cofre/platform/errors'
import type { Mark } from '@cofre/platform/idempotency/mark'
import type { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import type { AuthorizationOutcome, CardReference } from './acquirer'
import { recordAuthorization, turnOf, type Turn } from '../charge/authorization'
import { authorizePayment, type Sending } from './authorize-payment'
import { isOfToken, retryWithCard, type Declined } from '../charge/card-retry'
import type { Charge, Terms } from '../charge/charge'
import { saveOutcome, type SavedOutcome, type StoredCharge } from '../charge-store/charge-store'
import { termsFrom, type Deps } from '../deps'
import { answered, freed, NO_MARKS, type Marks } from '../charge/operation-mark'
import { newOrderNumber } from './order-number'
import type { PaymentCard } from '../kept-cards/payment-cards'

type Authorized = SavedOutcome & {
  /** Set when the acquirer was not reached: nothing is held, and the request may be made again. */
  notSent?: { refusal?: DomainError }
}

/**
 * Authorizes the payments one after another, and saves each outcome before the next payment leaves. The first payment
 * that is not approved ends it: the authorizations before it are released.
 */
export async function authorizePayments(
  deps: Deps,
  stored: StoredCharge,
  { cards, request, mark }: { cards: readonly PaymentCard[]; request: AuthorizeOrderRequest; mark: Mark },
): Promise<Authorized> {
  let saved: SavedOutcome | undefined
  const { account } = stored
  for (const [position, card] of cards.entries()) {
    const sending = { card, account, request }
    const current = saved?.charge ?? stored.charge
    const turn = turnOf(current, position)
    const sent = await authorizePayment(deps, turn, sending)
    const mayRetry = stored.retryWithCard && card.networkToken?.cardIsCurrent === true
    const { charge, outcome } =
      mayRetry && sent.reference && isOfToken(sent.outcome)
        ? await tryWithCard(deps, current, turn, {
            ...sending,
            declined: sent.outcome,
            reference: sent.reference,
          })
        : { charge: current, outcome: sent.outcome }
    logOutcome(deps, charge.id, position, outcome)
    saved = await save(deps, charge, { position, outcome, isLast: position === cards.length - 1, mark })
    if (outcome.result === 'not_sent') {
      forgetCard(deps, request.sellerId, card)
      return { ...saved, notSent: outcome }
    }
    if (saved.charge.status !== 'PENDING' || outcome.result === 'unknown') break
  }
  if (!saved) throw new Error('an order without payments')
  return saved
}

/** The vault is asked again about a kept card that could not be charged: it may have been deleted. */
function forgetCard({ keptCards }: Deps, sellerId: number, { reference }: PaymentCard): void {
  if ('cardToken' in reference) keptCards.forget(sellerId, reference.cardToken)
}

/** Tries a payment a second time, saved before it leaves. If it can't be sent, the first decline stands. */
async function tryWithCard(
  deps: Deps,
  charge: Charge,
  { payment: { position }, authorization }: Turn,
  { declined, reference, ...first }: Sending & { declined: Declined; reference: CardReference },
): Promise<{ charge: Charge; outcome: AuthorizationOutcome }> {
  const terms = termsFrom(deps, authorization.operationId)
  deps.log.info({ chargeId: charge.id, position }, 'payment tried again with the card')
  const saved = await saveOutcome(deps.pool, charge, (current) =>
    retryWithCard(current, position, declined, newOrderNumber(), terms),
  )
  const second = turnOf(saved.charge, position)
  if (second.authorization.status !== 'PENDING') return { charge: saved.charge, outcome: declined }
  const card = { ...first.card, reference, networkToken: undefined }
  const { outcome } = await authorizePayment(deps, second, { ...first, card })
  return { charge: saved.charge, outcome: outcome.result === 'not_sent' ? declined : outcome }
}

/** A refusal is a fault of ours or of the set-up, and needs someone's attention. */
function logOutcome({ log }: Deps, chargeId: number, position: number, outcome: AuthorizationOutcome): void {
  const { result } = outcome
  if (result === 'refused') log.error({ chargeId, position, code: outcome.code }, 'sale refused')
  else log.info({ chargeId, position, result }, 'acquirer answered')
}

type Answered = { position: number; outcome: AuthorizationOutcome; isLast: boolean; mark: Mark }

async function save(
  deps: Deps,
  snapshot: Charge,
  { position, outcome, isLast, mark }: Answered,
): Promise<SavedOutcome> {
  const { operationId } = mark
  const next: Terms | undefined = isLast ? undefined : termsFrom(deps, operationId)
  const terms = termsFrom(deps, operationId)
  return saveOutcome(deps.pool, snapshot, (charge) => {
    const decision = recordAuthorization(charge, position, outcome, terms, next)
    return { ...decision, marks: marksOf(decision.charge, outcome, mark) }
  })
}

/** The mark is completed with the answer that ends the request, and freed when nothing was done. */
function marksOf({ status }: Charge, { result }: AuthorizationOutcome, mark: Mark): Marks {
  if (result === 'not_sent') return freed(mark)
  return status === 'PENDING' && result !== 'unknown' ? NO_MARKS : answered(mark)
}
