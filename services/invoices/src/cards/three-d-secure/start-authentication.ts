import { randomBytes } from 'node:crypto'
import { startedAuthentication } from '@cofre/api/three-d-secure'
import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { keptAnswer, newMark, type Mark } from '@cofre/platform/idempotency/mark'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { StartAuthenticationResponse } from '@cofre/proto/invoices/v1/three_d_secure'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { beginPaying, isBeingPaid, paymentPending } from '../../invoice/rules/transition'
import { readInvoice } from '../../invoice/store/invoice-store'
import { cardPriceOf, checkShown } from '../card-price'
import { chooseCard } from '../choose-card'
import { checkCardTerms } from '../payment-terms'
import type { Verdict } from './challenge'
import { isMarked } from './challenge-store'
import { makeChallenge, type PayersCard } from './make-challenge'
import { payByCard } from '../pay-by-card'

/** Pays at once when the issuer does not have to ask the payer; otherwise a challenge waits for the payer. */
export async function startAuthentication(
  deps: Deps,
  payment: PayByCardRequest,
  merchantName: string,
): Promise<Replayable<StartAuthenticationResponse>> {
  const mark = newMark(payment.sellerId)
  if (payment.authentication) return pay(deps, payment, mark)
  if (await isMarked(deps.pool, mark)) return repeated(deps, mark)
  const card = await payersCard(deps, payment)
  const { amount, publicId } = await checkInvoice(deps, payment)
  const challengeId = randomBytes(16).toString('base64url')
  const returnUrl = `${deps.baseUrl}/checkout/${publicId}/three-d-secure/${challengeId}`
  const { sellerId } = payment
  const asked = { sellerId, card: card.reference, amount, merchantName, returnUrl }
  const result = await deps.authenticationServer.authenticate(asked)
  const { verdict, authentication } = result
  deps.log.info({ sellerId, invoiceId: payment.invoiceId, verdict }, 'payer authenticated')
  if (authentication) return pay(deps, { ...payment, authentication }, mark, amount)
  if (verdict !== 'CHALLENGE') throw notAuthenticated(verdict)
  const made = await makeChallenge(deps, { payment, card, amount, challengeId, result, mark })
  return 'kept' in made ? repeated(deps, mark) : made
}

/** Pays. The key may hold a challenge that answered the same request a moment ago. */
async function pay(
  deps: Deps,
  payment: PayByCardRequest,
  mark: Mark,
  expectedAmount?: number,
): Promise<Replayable<StartAuthenticationResponse>> {
  const { response, replayed } = await payByCard(deps, payment, expectedAmount)
  if (replayed) return repeated(deps, mark)
  return { response: { charge: response, challenge: undefined }, replayed }
}

async function repeated({ pool }: Deps, mark: Mark): Promise<Replayable<StartAuthenticationResponse>> {
  const response = startedAuthentication.decode(await keptAnswer(pool, mark))
  return { response, replayed: true }
}

/** Refuses a payment that is not possible before the payer is asked anything. */
async function checkInvoice(
  { pool, rules }: Deps,
  payment: PayByCardRequest,
): Promise<{ amount: number; publicId: string }> {
  const { sellerId, invoiceId: id, installments } = payment
  const invoice = await readInvoice(pool, { sellerId, id })
  const at = now()
  beginPaying(invoice, at)
  if (isBeingPaid(invoice)) throw paymentPending()
  const { amount, payable } = await cardPriceOf(pool, rules, invoice, { installments, at })
  checkCardTerms(rules, invoice, { installments, payable, at })
  checkShown(payment, amount)
  if (amount === 0) throw nothingToAgreeTo()
  return { amount, publicId: invoice.publicId }
}

/** The reference with which the vault finds the card of the payment, and its id when it is stored. */
async function payersCard({ cards }: Deps, payment: PayByCardRequest): Promise<PayersCard> {
  const { sellerId, cardId, cardToken, networkToken, card } = payment
  const { refusal } = await chooseCard(cards, payment)
  if (refusal) throw refusal
  if (networkToken !== '') return { reference: { networkToken } }
  if (cardId === undefined && cardToken === '') return { reference: { handle: card?.handle ?? '' } }
  const stored = await cards.find(sellerId, cardId === undefined ? { token: cardToken } : { id: cardId })
  return { reference: { cardToken: stored?.token ?? cardToken }, cardId: stored?.id }
}

function nothingToAgreeTo(): DomainError {
  const message = 'An invoice with nothing to pay needs no authentication.'
  return new DomainError('failed_precondition', 'AUTHENTICATION_FAILED', message)
}

function notAuthenticated(verdict: Verdict): DomainError {
  const message =
    verdict === 'REJECTED'
      ? 'The issuer of the card did not authenticate the payer.'
      : 'The payer cannot be authenticated with this card.'
  return new DomainError('failed_precondition', 'AUTHENTICATION_FAILED', message)
}
