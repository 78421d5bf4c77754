import { DomainError } from '@cofre/platform/errors'
import {
  currentCall,
  newCall,
  runCall,
  type Call,
  type IdempotencyKey,
} from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Reason } from '@cofre/platform/reason'
import { RequestState, type IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import {
  type AuthorizeOrderRequest,
  Charge,
  ChargeStatus,
  DeclineAdvice,
  type ListedPix,
  type Transaction,
  TransactionStatus,
  TransactionType,
  type OrdersClient,
} from '@cofre/proto/orders/v1/orders'
import type { CardFacts } from '../invoice/rules/movement'
import type { CardOutcome, Refusal } from './rules/card-payment'
import type { RefusedReturn } from './store/refused-refund-store'
import { ownKey } from './own-key'

/**
 * The orders service's book of a charge. Cents; `changedAt` in epoch milliseconds. `isHeld`: an authorization that is
 * neither captured nor voided. `isPending`: a part of it has no outcome yet.
 */
export type ChargeBook = {
  captured: number
  refunded: number
  disputed: number
  isHeld: boolean
  isPending: boolean
  changedAt: number
}

/** The orders service: card charges for invoices, and Pix of orders for a key that invoices have too. */
export type Orders = {
  /**
   * Charges a card until `deadline` (epoch milliseconds), at most once for each operation. `absent` says why nothing
   * was done. Never fails: any other error is `pending`.
   */
  charge(request: AuthorizeOrderRequest, operationId: string, deadline: number): Promise<Charged>
  /** The outcome of an operation. `absent`: the orders service does not know it, or knows that nothing was done. */
  find(sellerId: number, operationId: string): Promise<CardOutcome>
  read(sellerId: number, chargeId: number): Promise<CardOutcome>
  /** The orders service's book of a charge, to be compared with ours. NOT_FOUND. */
  readBook(sellerId: number, chargeId: number): Promise<ChargeBook>
  /**
   * Refunds a charge in whole, and tries again when that failed before. Repeatable. `refused`: nothing was tried now,
   * since the acquirer has refused more often than `noted` times.
   */
  giveBack(
    sellerId: number,
    chargeId: number,
    operationId: string,
    noted: number,
  ): Promise<CardOutcome | ({ result: 'refused' } & RefusedReturn)>
  /** Hands on Pix of orders that a bank lists. */
  handOn(listed: ListedPix[]): Promise<void>
}

export type Charged = { outcome: CardOutcome; refusal?: Error }

const TIMEOUT_MS = 30_000

export function openOrders(orders: OrdersClient, requests: IdempotencyClient): Orders {
  return {
    charge: (request, operationId, deadline) => {
      const call = withKey(keyOf(operationId), deadline)
      if (call.dispatch) call.dispatch.begun = true
      const options = { timeoutMs: TIMEOUT_MS, writes: true }
      return runCall(call, () => callRpc(orders, orders.authorizeOrder, request, options)).then(
        (charge) => ({ outcome: outcomeOf(charge) }),
        failed,
      )
    },
    find: async (sellerId, operationId) => {
      const key = keyOf(operationId)
      try {
        const { state, response } = await runCall(withKey(key), () =>
          callRpc(requests, requests.findRequest, { sellerId, key: key.key }),
        )
        if (state !== RequestState.DONE) return { result: 'pending', chargeId: null }
        return outcomeOf(Charge.decode(response))
      } catch (error) {
        if (error instanceof DomainError && error.kind === 'not_found') return { result: 'absent' }
        throw error
      }
    },
    read: async (sellerId, chargeId) =>
      outcomeOf(await callRpc(orders, orders.getCharge, { sellerId, chargeId })),
    readBook: async (sellerId, chargeId) =>
      bookOf(await callRpc(orders, orders.getCharge, { sellerId, chargeId })),
    giveBack: async (sellerId, chargeId, operationId, noted) => {
      const request = {
        sellerId,
        chargeId,
        amount: undefined,
        reason: 'The invoice was paid in another way.',
      }
      const charge = await callRpc(orders, orders.getCharge, { sellerId, chargeId })
      const refused = refusedReturnOf(charge)
      if (refused.refusals > noted) return { result: 'refused', ...refused }
      const call = withKey(keyOf(operationId, `/refund/${failedReturnsOf(charge).length}`))
      return outcomeOf(await runCall(call, () => callRpc(orders, orders.refundCharge, request)))
    },
    handOn: async (listed) => {
      await callRpc(orders, orders.takePixHint, { body: Buffer.alloc(0), listed })
    },
  }
}

const RETURNS: ReadonlySet<TransactionType> = new Set([TransactionType.REFUND, TransactionType.VOID])

function keyOf(operationId: string, more = ''): IdempotencyKey {
  return ownKey(operationId, `invoices/transactions/${operationId}${more}`)
}

/** The refunds and voids that failed. A key keeps the failure as its answer, so each attempt has a key of its own. */
function failedReturnsOf({ transactions }: Charge): Transaction[] {
  return transactions.filter(({ type, status }) => RETURNS.has(type) && status === TransactionStatus.FAILED)
}

/** The refusals of the acquirer. A refund that did not reach it was not refused. */
function refusedReturnOf(charge: Charge): RefusedReturn {
  const refused = failedReturnsOf(charge).filter(({ failure }) => failure?.code !== 'NOT_SENT')
  return { refusals: refused.length, acquirerCode: refused.at(-1)?.failure?.acquirerCode ?? '' }
}

/** The call that is being served, under a key of ours in place of the seller's. */
function withKey(idempotency: IdempotencyKey, deadline = Infinity): Call {
  const call = currentCall() ?? newCall({ timeoutMs: TIMEOUT_MS })
  return { ...call, deadline: Math.min(call.deadline, deadline), idempotency }
}

/** A refusal means that nothing was done. Any other error may hide a charge. */
function failed(error: unknown): Charged {
  const isRefusal =
    error instanceof DomainError && error.reason !== 'OUTCOME_UNKNOWN' && error.kind !== 'conflict'
  if (isRefusal) return { outcome: absent(error), refusal: error }
  return {
    outcome: { result: 'pending', chargeId: null },
    ...(error instanceof Error ? { refusal: error } : {}),
  }
}

/** Cards that were refused together are tried again one by one: all at once, they would only be refused again. */
const SPREAD_MS = 3 * 3_600_000
const OF_THE_CARD: ReadonlySet<Reason> = new Set([
  'CARD_TOKEN_UNUSABLE',
  'CARD_BRAND_UNSUPPORTED',
  'NETWORK_TOKEN_NOT_ACTIVE',
])

function absent(error: DomainError): CardOutcome {
  const refusal = refusalOf(error)
  return { result: 'absent', ...(refusal ? { refusal } : {}) }
}

/** Undefined when the error says nothing about the next attempt. */
function refusalOf({ kind, reason, extra }: DomainError): Refusal | undefined {
  if (kind === 'rate_limited') {
    return { by: 'busy', waitMs: (extra.retryAfterSeconds ?? 60) * 1_000 + Math.random() * SPREAD_MS }
  }
  if (kind !== 'failed_precondition' && kind !== 'invalid_argument') return undefined
  if (OF_THE_CARD.has(reason)) return { by: 'card' }
  return { by: 'seller', isOfEstablishment: reason === 'PAYMENT_METHOD_NOT_ACCEPTED' }
}

const HELD: ReadonlySet<ChargeStatus> = new Set([
  ChargeStatus.AUTHORIZED,
  ChargeStatus.PARTIALLY_CAPTURED,
  ChargeStatus.PARTIALLY_REFUNDED,
])
const MOVED: ReadonlySet<ChargeStatus> = new Set([
  ChargeStatus.CAPTURED,
  ChargeStatus.PARTIALLY_REFUNDED,
  ChargeStatus.REFUNDED,
])
const CAME_TO_NOTHING: ReadonlySet<ChargeStatus> = new Set([
  ChargeStatus.FAILED,
  ChargeStatus.VOIDED,
  ChargeStatus.EXPIRED,
  // Only a part was captured: a charge that was captured whole counts as MOVED.
  ChargeStatus.REFUNDED,
])

/** The outcome of a payment, from its charge. */
export function outcomeOf(charge: Charge): CardOutcome {
  const { id: chargeId, status, payments, amount, capturedAmount, refundedAmount } = charge
  const authentication = payments[0]?.authentication
  if (MOVED.has(status) && capturedAmount >= amount) {
    return { result: 'captured', chargeId, refundedAmount, authentication, card: cardFactsOf(charge) }
  }
  if (CAME_TO_NOTHING.has(status)) return { result: 'failed', chargeId }
  if (isHeld(charge)) return { result: 'held', chargeId }
  if (status !== ChargeStatus.DENIED) return { result: 'pending', chargeId }
  const decline = payments[0]?.decline
  return {
    result: 'denied',
    chargeId,
    authentication,
    decline: decline ? { ...decline, advice: adviceOf(decline.advice) } : null,
  }
}

/** Null before the acquirer has answered. */
function cardFactsOf({ payments: [payment] }: Charge): CardFacts | null {
  if (!payment?.acquirer) return null
  const { nsu, tid, authorizationCode } = payment.acquirer
  return { nsu, tid, authorizationCode, installments: payment.installments }
}

function bookOf(charge: Charge): ChargeBook {
  const { status, capturedAmount: captured, refundedAmount: refunded, transactions } = charge
  const { disputedAmount: disputed } = charge
  const isOpen = transactions.some((each) => each.status === TransactionStatus.PENDING)
  const isPending = isOpen || status === ChargeStatus.PENDING
  const changedAt = charge.updatedAt
  return { captured, refunded, disputed, isPending, isHeld: status === ChargeStatus.AUTHORIZED, changedAt }
}

/** True when the acquirer holds or has less than the whole, and nothing is pending for the rest. */
function isHeld({ status, amount, capturedAmount, transactions }: Charge): boolean {
  if (!HELD.has(status) || capturedAmount >= amount) return false
  return transactions.every((each) => each.status !== TransactionStatus.PENDING)
}

/** The name of an advice. An advice that this version does not know becomes USE_ANOTHER_CARD. */
function adviceOf(advice: DeclineAdvice): string {
  const [name = 'USE_ANOTHER_CARD'] =
    Object.entries(DeclineAdvice).find(([, value]) => value === advice) ?? []
  return name
}
