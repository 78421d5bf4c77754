import type { DomainError } from '@cofre/platform/errors'
import type { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import type { AuthorizationOutcome, CardHolder, Dispatch, SealedCard } from './acquirer'
import { recordAuthorization } from './authorization'
import type { Charge, Payment, Terms } from './charge'
import { saveOutcome, type SavedOutcome, type StoredCharge } from './charge-store'
import { termsFrom, type Deps } from './deps'
import { openAccount } from './establishment'
import { answered, freed, NO_MARKS, type Marks } from './operation-mark'
import type { PaymentCard } from './payment-cards'

type Authorized = SavedOutcome & {
  /** Set when the acquirer was not reached: nothing is held, and the request may be made anew. */
  notSent?: { refusal?: DomainError }
}

/**
 * Authorizes the payments one after another, saving what came of each before the next one leaves. The first that is
 * not approved ends it; what was authorized until then is released.
 */
export async function authorizePayments(
  deps: Deps,
  stored: StoredCharge,
  cards: readonly PaymentCard[],
  request: AuthorizeOrderRequest,
): Promise<Authorized> {
  let saved: SavedOutcome = { charge: stored.charge }
  const account = openAccount(deps.rules.ESTABLISHMENT_KEY_FILE, stored.account)
  for (const [position, { handle }] of cards.entries()) {
    const { charge } = saved
    const { payment, operationId, deadline } = turnOf(charge, position)
    const card = { sellerId: charge.sellerId, handle, card: payment.card }
    const outcome = await authorize(deps, request, payment, card, {
      account,
      deadline,
      requestId: operationId,
    })
    logOutcome(deps, charge.id, position, outcome)
    const isLast = position === cards.length - 1
    const next = isLast ? undefined : termsFrom(deps, operationId)
    saved = await save(deps, charge, position, outcome, next)
    if (outcome.result === 'not_sent') return { ...saved, notSent: outcome }
    if (saved.charge.status !== 'pending' || outcome.result === 'unknown') break
  }
  return saved
}

/** A refusal is a fault of ours or of the set-up, and wants someone's attention. */
function logOutcome({ log }: Deps, chargeId: number, position: number, outcome: AuthorizationOutcome): void {
  const { result } = outcome
  if (result === 'refused') log.error({ chargeId, position, code: outcome.code }, 'sale refused')
  else log.info({ chargeId, position, result }, 'acquirer answered')
}

function authorize(
  { acquirer }: Deps,
  request: AuthorizeOrderRequest,
  payment: Payment,
  card: SealedCard,
  dispatch: Dispatch,
): Promise<AuthorizationOutcome> {
  if (Date.now() >= dispatch.deadline) return Promise.resolve({ result: 'not_sent' })
  if (payment.amount === 0) return acquirer.verify(card, dispatch)
  const { orderNumber, amount, installments } = payment
  const sale = { ...card, orderNumber, amount, installments, capture: request.capture }
  return acquirer.authorize({ ...sale, customer: holderOf(request), dataOnly: request.dataOnly }, dispatch)
}

async function save(
  deps: Deps,
  snapshot: Charge,
  position: number,
  outcome: AuthorizationOutcome,
  next: Terms | undefined,
): Promise<SavedOutcome> {
  const { operationId } = turnOf(snapshot, position)
  const terms = termsFrom(deps, operationId)
  return saveOutcome(deps.pool, snapshot, (charge) => {
    const decision = recordAuthorization(charge, position, outcome, terms, next)
    return { ...decision, marks: marksOf(decision.charge, outcome, operationId) }
  })
}

/** The mark is completed with the answer that ends the request, and given back when nothing was done. */
function marksOf({ status }: Charge, { result }: AuthorizationOutcome, operationId: string): Marks {
  if (result === 'not_sent') return freed(operationId)
  return status === 'pending' && result !== 'unknown' ? NO_MARKS : answered(operationId)
}

function turnOf(charge: Charge, position: number) {
  const payment = charge.payments[position]
  const authorization = charge.transactions.find(
    (one) => one.type === 'authorization' && one.position === position,
  )
  if (!payment || !authorization) throw new Error('a payment without its authorization')
  return { payment, operationId: authorization.operationId, deadline: authorization.dispatchDeadline ?? 0 }
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
