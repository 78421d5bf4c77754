import type { DomainError } from '@cofre/platform/errors'
import { NO_MARKS, type Mark, type Marks } from '@cofre/platform/idempotency/mark'
import type { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import type { Terms } from '@cofre/platform/operation/terms'
import { count } from '@cofre/platform/telemetry/metrics'
import type { AuthorizationOutcome } from './acquirer'
import { recordAuthorization, turnOf, type Turn } from '../charge/authorization'
import { authorizePayment, type Sending } from './authorize-payment'
import { isOfToken, retryWithCard, type Declined } from '../charge/card-retry'
import type { Charge } from '../charge/charge'
import { saveOutcome, type SavedOutcome } from '../charge-store/charge-store'
import type { InsertedCharge } from '../charge-store/new-charge-store'
import { termsFrom, type Deps } from '../deps'
import { answered, freed } from '../charge/operation-mark'
import { newOrderNumber } from './order-number'
import { chosenCard, type PaymentCard } from '../kept-cards/payment-cards'

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
  stored: InsertedCharge,
  { cards, request, mark }: { cards: readonly PaymentCard[]; request: AuthorizeOrderRequest; mark: Mark },
): Promise<Authorized> {
  let saved: SavedOutcome | undefined
  const { account, lastSaleIds } = stored
  const acquirer = deps.acquirers[stored.acquirer]
  for (const [position, card] of cards.entries()) {
    const sending = { acquirer, card, account, request, lastSaleIds }
    const current = saved?.charge ?? stored.charge
    const turn = turnOf(current, position)
    const sent = await authorizePayment(deps, turn, sending)
    const otherCard = await otherNumberOf(deps, stored, { card, sent })
    const { charge, outcome } =
      otherCard && sent.outcome.result === 'declined'
        ? await tryWithCard(deps, current, turn, { ...sending, card: otherCard, declined: sent.outcome })
        : { charge: current, outcome: sent.outcome }
    logOutcome(deps, charge.id, position, outcome)
    saved = await save(deps, charge, { position, outcome, isLast: position === cards.length - 1, mark })
    const code = saved.charge.payments[position]?.decline?.code
    if (outcome.result === 'declined' && code) count('card_declines', 'Declines, by our name.', { code })
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

/**
 * The card under another number, when a decline was about the one that was sent: the card's own in place of its token's,
 * or the new one that the issuer gave it.
 */
async function otherNumberOf(
  { keptCards }: Deps,
  { charge: { sellerId }, retryWithCard: mayRetry }: InsertedCharge,
  {
    card,
    sent: { outcome, reference },
  }: { card: PaymentCard; sent: Awaited<ReturnType<typeof authorizePayment>> },
): Promise<PaymentCard | undefined> {
  if (outcome.result !== 'declined' || !reference) return undefined
  if (outcome.renewed && card.keptAs !== undefined) {
    keptCards.forget(sellerId, card.keptAs)
    const renewed = await keptCards.find(sellerId, card.keptAs).catch(() => undefined)
    return renewed && { ...card, reference, ...chosenCard(renewed, card.card.source) }
  }
  if (!mayRetry || card.networkToken?.cardIsCurrent !== true || !isOfToken(outcome)) return undefined
  return { ...card, card: { ...card.card, source: 'CARD' }, reference, networkToken: undefined }
}

/** Tries a payment a second time, saved before it leaves. If it can't be sent, the first decline stands. */
async function tryWithCard(
  deps: Deps,
  charge: Charge,
  { payment: { position }, authorization }: Turn,
  { declined, ...second }: Sending & { declined: Declined },
): Promise<{ charge: Charge; outcome: AuthorizationOutcome }> {
  const terms = termsFrom(deps, charge.acquirer, authorization.operationId)
  const orderNumber = newOrderNumber(second.acquirer.capabilities.orderNumberLength)
  const { card } = second.card
  deps.log.info({ chargeId: charge.id, position }, 'payment tried again with another number of its card')
  const saved = await saveOutcome(deps.pool, charge, (current) =>
    retryWithCard(current, position, declined, { orderNumber, card }, terms),
  )
  const turn = turnOf(saved.charge, position)
  if (turn.authorization.status !== 'PENDING') return { charge: saved.charge, outcome: declined }
  const { outcome } = await authorizePayment(deps, turn, second)
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
  const { acquirer } = snapshot
  const next: Terms | undefined = isLast ? undefined : termsFrom(deps, acquirer, operationId)
  const terms = termsFrom(deps, acquirer, operationId)
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
