import { randomUUID } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import { isDone } from '@cofre/platform/outbound/partner-answers'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import type { RedirectBrand } from '../brands/brand'
import type { DeclineCode } from '../payment/decline'
import type { Grants } from '../redirect/grants'
import type { TokenKey } from '../tokens/token-store'
import type { PickedCard, VoucherToken } from '../tokens/voucher-token'
import type { CancelOutcome, Dispatch, Found, Issuer, PaymentOutcome, Sale } from './issuer'
import { callsTo, isRefusedPayment, issuerName, type Called } from './issuer-call'

const transaction = z.object({
  data: z.object({
    transaction_id: issuerName,
    status: z.enum(['captured', 'declined', 'cancelled']),
    reason: z.string().max(50).nullable(),
    authorization_code: issuerName.nullable(),
    amount: z.int(),
  }),
})

const REASONS: Record<string, DeclineCode> = {
  insufficient_balance: 'INSUFFICIENT_FUNDS',
  not_allowed: 'TRANSACTION_NOT_ALLOWED',
  card_blocked: 'CARD_NOT_UNLOCKED',
  timeout: 'ISSUER_UNAVAILABLE',
  card_cancelled: 'CARD_CANCELED',
  card_problem: 'INVALID_CARD',
  refused: 'DO_NOT_HONOR',
}

// 401 is not among them: it is about the holder's access token, which can be renewed.
const HOLDER_NOT_ADMITTED = [403, 429]

/** True when the issuer did not accept the holder's access token. */
function isTurnedAway(called: Called): boolean {
  return called.result === 'answered' && called.answer.status === 401
}

/** JSON over https; payments in the name of the card's holder, everything else in the seller's. Amounts in cents. */
export function openTicketIssuer(vault: VaultClient, brand: RedirectBrand, grants: Grants): Issuer {
  const asHolder = callsTo(vault, brand.holderPartner, HOLDER_NOT_ADMITTED)
  const asSeller = callsTo(vault, brand.partner)
  const pay = async (sale: Sale, dispatch: Dispatch, refused?: VoucherToken): Promise<PaymentOutcome> => {
    const key = { sellerId: dispatch.sellerId, token: sale.token }
    const token = await grants.use(key, dispatch.deadline, refused)
    if (token === 'unavailable') return { result: 'not_sent' }
    if (token === 'gone') return { result: 'not_sent', refusal: unusable() }
    const { orderNumber: order_ref, amount } = sale
    const body = { order_ref, card_id: token.redirect?.issuerCardId ?? '', amount, capture_mode: 'auto' }
    const asked = { method: 'POST', path: '/v2/transactions', body, token: sale.token } as const
    const called = await asHolder(asked, dispatch)
    // The access token was revoked: the issuer did not look at the payment. A new one is tried, once.
    if (!isTurnedAway(called)) return paymentOutcome(called)
    return refused ? { result: 'not_sent' } : pay(sale, dispatch, token)
  }
  const find: Issuer['find'] = async ({ orderNumber }, dispatch) =>
    found(await asSeller({ method: 'GET', path: `/v2/transactions?order_ref=${orderNumber}` }, dispatch))
  return {
    pay: (sale, dispatch) => pay(sale, dispatch),
    find,
    cancel: async (named, dispatch) => {
      // A payment that people closed by hand has no id of the issuer's yet.
      const known = named.issuerPaymentId ? named : await find(named, dispatch)
      if (!('issuerPaymentId' in known)) return { result: 'not_sent' }
      const path = `/v2/transactions/${known.issuerPaymentId}/cancel`
      return cancelOutcome(await asSeller({ method: 'POST', path, body: {} }, dispatch))
    },
  }
}

/** The cards of holders who authorized a token. */
export type Holders = {
  /** Reads the card that the holder picked. `none`: the issuer shows no card of a known kind. */
  card(
    key: TokenKey,
    deadline: number,
  ): Promise<{ result: 'card'; card: PickedCard } | { result: 'none' } | { result: 'unknown' }>
}

const card = z.object({
  card_id: z.string().regex(/^[\w-]{1,64}$/),
  product: z.enum(['meal', 'food']),
  last4: z.string().regex(/^\d{4}$/),
})
/** A card of a product that pays for nothing here. */
const otherCard = z.object({ product: z.string().regex(/^(?!(meal|food)$)/) })
const cards = z.object({ data: z.array(z.union([card, otherCard])) })

/** Reads the card that a token's holder picked. `isRenewed`: the access token was renewed a moment ago. */
export async function readTicketCard(
  vault: VaultClient,
  brand: RedirectBrand,
  grants: Grants,
  token: VoucherToken,
  deadline: number,
  isRenewed = false,
): ReturnType<Holders['card']> {
  const asHolder = callsTo(vault, brand.holderPartner, HOLDER_NOT_ADMITTED)
  const dispatch = { sellerId: token.sellerId, account: '', deadline, requestId: randomUUID() }
  const called = await asHolder({ method: 'GET', path: '/v2/cards', token: token.token }, dispatch)
  if (isTurnedAway(called) && !isRenewed) {
    // The access token expired before the card was read, or was revoked. A new one is tried, once.
    const renewed = await grants.use(token, deadline, token)
    if (typeof renewed === 'string') return { result: 'unknown' }
    return readTicketCard(vault, brand, grants, renewed, deadline, true)
  }
  if (called.result !== 'answered' || !isDone(called.answer.status)) return { result: 'unknown' }
  const read = cards.safeParse(called.answer.body)
  if (!read.success) return { result: 'unknown' }
  const picked = read.data.data.find((one) => 'card_id' in one)
  if (!picked) return { result: 'none' }
  const cardType = picked.product === 'meal' ? 'MEAL' : 'FOOD'
  return { result: 'card', card: { cardId: picked.card_id, cardType, lastFour: picked.last4 } }
}

function paymentOutcome(called: Called): PaymentOutcome {
  if (called.result !== 'answered') return called
  const { status, body } = called.answer
  if (isRefusedPayment(status)) return { result: 'refused', issuerCode: codeIn(body) }
  const read = isDone(status) ? transaction.safeParse(body) : undefined
  if (!read?.success) return { result: 'unknown' }
  const { transaction_id: issuerPaymentId, amount, reason, authorization_code } = read.data.data
  if (read.data.data.status === 'captured') {
    return { result: 'approved', amount, issuerPaymentId, authorizationCode: authorization_code ?? '' }
  }
  if (read.data.data.status !== 'declined') return { result: 'unknown' }
  return { result: 'declined', code: declineCodeOf(reason), issuerCode: reason ?? '', issuerPaymentId }
}

const STATES = { captured: 'approved', declined: 'declined', cancelled: 'canceled' } as const

function found(called: Called): Found {
  if (called.result !== 'answered') return { result: 'unknown' }
  const { status, body } = called.answer
  if (status === 404 && codeIn(body) === 'not_found') return { result: 'absent' }
  const read = isDone(status) ? transaction.safeParse(body) : undefined
  if (!read?.success) return { result: 'unknown' }
  const { transaction_id: issuerPaymentId, amount, reason, authorization_code } = read.data.data
  return {
    result: 'found',
    state: STATES[read.data.data.status],
    amount,
    issuerPaymentId,
    authorizationCode: authorization_code ?? '',
    code: declineCodeOf(reason),
    issuerCode: reason ?? '',
  }
}

function cancelOutcome(called: Called): CancelOutcome {
  if (called.result !== 'answered') return called
  const { status, body } = called.answer
  if (status === 422 && codeIn(body) === 'cancellation_window_closed') return { result: 'refused' }
  const read = isDone(status) ? transaction.safeParse(body) : undefined
  return read?.success && read.data.data.status === 'cancelled' ? { result: 'done' } : { result: 'unknown' }
}

function declineCodeOf(reason: string | null): DeclineCode {
  return REASONS[reason ?? ''] ?? 'GENERIC_DECLINE'
}

const failure = z.object({ errors: z.array(z.object({ code: z.string().regex(/^[a-z_]{1,40}$/) })).min(1) })

function codeIn(body: unknown): string {
  const read = failure.safeParse(body)
  return read.success ? (read.data.errors[0]?.code ?? '') : ''
}

function unusable(): DomainError {
  return new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The voucher token cannot be used.')
}
