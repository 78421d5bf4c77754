import { DomainError } from '@cofre/platform/errors'
import { insertMark, type Mark } from '@cofre/platform/idempotency/mark'
import { deadlineOf } from '@cofre/platform/operation/terms'
import { withTransaction, type Pool } from '@cofre/platform/postgres/postgres'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { now } from '../clock/billing-clock'
import type { PaymentRules } from '../deps'
import type { KeepConsent, Transaction, WholeInvoice } from '../invoice/rules/invoice'
import { beginPaying, isBeingPaid, paymentPending } from '../invoice/rules/transition'
import { lockInvoice } from '../invoice/store/invoice-store'
import { insertTransaction, type NewTransaction } from '../invoice/store/transaction-store'
import type { ChosenCard } from './choose-card'
import { cardPriceOf, checkShown } from './card-price'
import { checkCardTerms } from './payment-terms'

export type Begun = { invoice: WholeInvoice; transaction: Transaction }

/** `expectedAmount`: the amount that the payer agreed to, the fee included, cents. Undefined accepts any amount. */
type PaidWith = Pick<ChosenCard, 'keepCardId' | 'refusal' | 'cardId' | 'cardBrand'> & {
  expectedAmount?: number | undefined
}

/**
 * Saves the intention to charge a card for an invoice, with the request's mark, in one transaction. A draft stays one
 * until the payment has an outcome, so that a refused payment leaves no trace. Returns the kept answer when the
 * Idempotency-Key was used before. Throws, and saves nothing, when the payment is not allowed: FAILED_PRECONDITION
 * AMOUNT_CHANGED if the payer was shown another amount, AUTHENTICATION_FAILED if the issuer was.
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
    beginPaying(found, at)
    if (isBeingPaid(found)) throw paymentPending()
    const money = await cardPriceOf(tx, rules, found, { installments, at })
    checkCardTerms(rules, found, { installments, payable: money.payable, at })
    checkShown(request, money.amount)
    if (expectedAmount !== undefined && expectedAmount !== money.amount) throw otherAmount()
    if (refusal) throw refusal
    const intention = newCardPayment(found, mark.operationId, { ...money, at, ...timesOf(rules, at) })
    const keepConsent = request.keepCard ? consentOf(request, at) : null
    return insertTransaction(tx, found, { ...intention, keepCardId, keepConsent, cardId, cardBrand })
  })
}

function consentOf({ keepConsent }: PayByCardRequest, at: number): KeepConsent | null {
  if (!keepConsent) return null
  const { language, text, address } = keepConsent
  return { language, text, address, givenAt: at }
}

function otherAmount(): DomainError {
  const message = 'The amount differs from the amount that the payer agreed to.'
  return new DomainError('failed_precondition', 'AUTHENTICATION_FAILED', message)
}

type Times = { at: number; deadline: number; askAt: number }

/** The call's deadline by the real clock, and when to ask about it by the billing clock. */
export function timesOf({ ordersTimeoutMs, resolveFirstMs }: PaymentRules, at: number): Omit<Times, 'at'> {
  return { deadline: deadlineOf(ordersTimeoutMs), askAt: at + resolveFirstMs }
}

/** The intention to charge a card for an invoice. A draft has no charge yet. */
export function newCardPayment(
  { id: invoiceId, sellerId, charge }: WholeInvoice,
  operationId: string,
  { amount, payable, at, deadline, askAt }: Times & { amount: number; payable: number },
): NewTransaction {
  return {
    sellerId,
    invoiceId,
    chargeId: charge?.id ?? null,
    type: 'CREDIT_CARD',
    status: 'PENDING',
    amount,
    payable,
    refunded: 0,
    disputed: 0,
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
    keepConsent: null,
    giveBack: false,
    askAt,
    createdAt: at,
    updatedAt: at,
  }
}
