import { DomainError } from '@cofre/platform/errors'
import { currentCall } from '@cofre/platform/grpc/call-context'
import { insertMark, type Mark } from '@cofre/platform/idempotency/mark'
import { withTransaction, type Pool } from '@cofre/platform/postgres/postgres'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { now } from '../clock/billing-clock'
import type { PaymentRules } from '../deps'
import type { Transaction, WholeInvoice } from '../invoice/invoice'
import { beginPaying, isBeingPaid, paymentPending } from '../invoice/transition'
import { lockInvoice, saveLocked } from '../invoice-store/invoice-store'
import { insertTransaction, type NewTransaction } from '../payment-store/transaction-store'
import type { ChosenCard } from './choose-card'
import { cardPriceOf, checkShown } from './card-price'
import { checkCardTerms } from './payment-terms'

/** The part of the caller's time that is kept for saving the outcome and answering. */
const ANSWER_MS = 1_000

export type Begun = { invoice: WholeInvoice; transaction: Transaction }

/** `expectedAmount`: the amount that the payer agreed to, the fee included, cents. Undefined accepts any amount. */
type PaidWith = Pick<ChosenCard, 'keepCardId' | 'refusal' | 'cardId' | 'cardBrand'> & {
  expectedAmount?: number | undefined
}

/**
 * Saves the intention to charge a card for an invoice, with the request's mark, in one transaction. Returns the kept
 * answer when the Idempotency-Key was used before. Throws, and saves nothing, when the payment is not allowed:
 * FAILED_PRECONDITION AMOUNT_CHANGED if the payer was shown another amount, AUTHENTICATION_FAILED if the issuer was.
 */
export async function beginPayment(
  { pool, rules }: { pool: Pool; rules: PaymentRules },
  request: PayByCardRequest,
  mark: Mark,
  { refusal, expectedAmount, keepCardId, cardId, cardBrand }: PaidWith,
): Promise<Begun | { kept: Uint8Array }> {
  const { sellerId, invoiceId: id, installments } = request
  return withTransaction(pool, async (tx) => {
    const kept = await insertMark(tx, mark)
    if (kept) return { kept }
    const found = await lockInvoice(tx, { sellerId, id })
    const at = now()
    const finalized = beginPaying(found, at)
    if (isBeingPaid(found)) throw paymentPending()
    const money = cardPriceOf(rules, found, installments, at)
    checkCardTerms(found, { installments, payable: money.payable, at })
    checkShown(request, money.amount)
    if (expectedAmount !== undefined && expectedAmount !== money.amount) throw otherAmount()
    if (refusal) throw refusal
    const ready = finalized ? await saveLocked(tx, finalized) : found
    const intention = newCardPayment(ready, mark.operationId, { ...money, at, ...timesOf(rules, at) })
    return insertTransaction(tx, ready, { ...intention, keepCardId, cardId, cardBrand })
  })
}

function otherAmount(): DomainError {
  const message = 'The amount differs from the amount that the payer agreed to.'
  return new DomainError('failed_precondition', 'AUTHENTICATION_FAILED', message)
}

type Times = { at: number; deadline: number; askAt: number }

/** The call's deadline, and when to ask about it. No call leaves so late that its caller would miss the outcome. */
export function timesOf({ ordersTimeoutMs, settleFirstMs }: PaymentRules, at: number): Omit<Times, 'at'> {
  const callerWaitsUntil = currentCall()?.deadline ?? Infinity
  const deadline = Math.min(Date.now() + ordersTimeoutMs, callerWaitsUntil - ANSWER_MS)
  return { deadline, askAt: at + settleFirstMs }
}

/** The intention to charge a card for an invoice that has its charge. */
export function newCardPayment(
  { id: invoiceId, sellerId, charge }: WholeInvoice,
  operationId: string,
  { amount, payable, at, deadline, askAt }: Times & { amount: number; payable: number },
): NewTransaction {
  if (!charge) throw new Error('an invoice that is paid has no charge')
  return {
    sellerId,
    invoiceId,
    chargeId: charge.id,
    type: 'CREDIT_CARD',
    status: 'PENDING',
    amount,
    payable,
    orderChargeId: null,
    decline: null,
    failure: null,
    authentication: null,
    operationId,
    dispatchDeadline: deadline,
    cardId: null,
    cardBrand: null,
    keepCardId: null,
    keepCardIsOurs: false,
    giveBack: false,
    askAt,
    createdAt: at,
    updatedAt: at,
  }
}
