import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError, unavailable } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark, type Mark } from '@cofre/platform/idempotency/mark'
import { MAX_AMOUNT } from '@cofre/platform/money'
import type { CreatePaymentRequest, VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import type { Terms } from '@cofre/platform/operation/terms'
import { refused, usableBrand, type CardType } from '../brands/brand'
import { termsFrom, type Deps } from '../deps'
import type { Issuer, PaymentOutcome } from '../issuer/issuer'
import { newOrderNumber } from '../issuer/order-number'
import type { Payment } from '../payment/payment'
import { recordPayment } from '../payment/payment-outcome'
import { insertPayment, type Draft } from '../payment-store/new-payment-store'
import { saveOutcome } from '../payment-store/payment-store'
import { cardTypeOf, fault, throwFaults } from './request-check'

/** Saves the intention, asks the issuer, and saves the answer: the network is never called inside a transaction. */
export async function createPayment(
  deps: Deps,
  request: CreatePaymentRequest,
): Promise<Replayable<VoucherPayment>> {
  const cardType = checkRequest(request)
  const mark = newMark(request.sellerId)
  const way = await wayOf(deps, request)
  const account = 'account' in way ? way.account : ''
  const draft = draftOf(request, cardType, account, termsFrom(deps, mark.operationId))
  const { declinesPerMinute } = deps.rules
  // Counted by brand: the BIN is not known before the token is read, and a brand has few.
  const slot = deps.cardTesting.enter(request.sellerId, [request.cardBrand])
  try {
    const refusal = 'refusal' in way ? way.refusal : slot.refusal
    const inserted = await insertPayment(deps.pool, draft, mark, { declinesPerMinute, refusal })
    if ('replayed' in inserted) return inserted
    if ('refusal' in way) throw way.refusal
    return await send(deps, way.issuer, inserted, { request, mark })
  } finally {
    slot.leave()
  }
}

async function send(
  deps: Deps,
  issuer: Issuer,
  payment: Payment,
  { request, mark }: { request: CreatePaymentRequest; mark: Mark },
): Promise<Replayable<VoucherPayment>> {
  const { sellerId, account, token, orderNumber, cardType, amount, operation } = payment
  const deadline = operation?.dispatchDeadline ?? 0
  const dispatch = { sellerId, account, deadline, requestId: mark.operationId }
  const document = request.customer?.document ?? ''
  const sale = { token, handle: request.card?.handle ?? '', orderNumber, cardType, amount, document }
  const outcome: PaymentOutcome =
    databaseNow() < deadline ? await issuer.pay(sale, dispatch) : { result: 'not_sent' }
  log(deps, payment, outcome)
  const { answer } = await saveOutcome(deps.pool, payment, (current) =>
    recordPayment(current, mark.operationId, outcome, databaseNow()),
  )
  if (outcome.result === 'not_sent') throw notSent(outcome.refusal)
  return { response: answer, replayed: false }
}

/** Returns the issuer and account, or a refusal that is not thrown yet: a repeated request gets its first answer. */
async function wayOf(
  { brands, issuers, accounts }: Deps,
  { sellerId, cardBrand, installments, card }: CreatePaymentRequest,
): Promise<{ issuer: Issuer; account: string } | { refusal: DomainError }> {
  try {
    const brand = usableBrand(brands, cardBrand, '#/card/cardBrand')
    const issuer = issuers.get(brand.name)
    const account = await accounts.find(sellerId, brand.partner)
    if (!issuer || account === undefined) {
      const message = 'This voucher brand is not set up for the seller.'
      throw refused('VOUCHER_BRAND_UNSUPPORTED', message, '#/card/cardBrand')
    }
    if (installments > 1) {
      throw refused('INSTALLMENTS_NOT_ALLOWED', 'Vouchers do not allow installments.', '#/installments')
    }
    if (card && (!card.usable || card.handle === '')) {
      throw refused('CARD_TOKEN_UNUSABLE', 'The voucher token cannot be used.', '#/card/token')
    }
    return { issuer, account }
  } catch (refusal) {
    if (refusal instanceof DomainError) return { refusal }
    throw refusal
  }
}

const INSTALLMENTS_MAX = 12

function checkRequest(request: CreatePaymentRequest): CardType {
  const { amount, installments, cardType, token, customer, referenceId } = request
  const isAmount = Number.isSafeInteger(amount) && amount >= 1 && amount <= MAX_AMOUNT
  const isCount = Number.isInteger(installments) && installments >= 0 && installments <= INSTALLMENTS_MAX
  const type = cardTypeOf(cardType)
  throwFaults([
    ...(isAmount ? [] : [fault('#/amount', 'RANGE', `must be whole cents from 1 to ${MAX_AMOUNT}`)]),
    ...(isCount ? [] : [fault('#/installments', 'RANGE', `must be from 0 to ${INSTALLMENTS_MAX}`)]),
    ...(type ? [] : [fault('#/card/cardType', 'ENUM', 'must be MEAL or FOOD')]),
    ...(/^[0-9a-f]{64}$/.test(token)
      ? []
      : [fault('#/card/token', 'FORMAT', 'must be 64 hexadecimal digits')]),
    ...(customer?.document ? [] : [fault('#/customer/document', 'REQUIRED', 'is required')]),
    ...(referenceId.length <= 255 ? [] : [fault('#/referenceId', 'MAX', 'must be at most 255 characters')]),
  ])
  return type as CardType
}

function draftOf(
  { sellerId, token, cardBrand: brand, referenceId, amount }: CreatePaymentRequest,
  cardType: CardType,
  account: string,
  { operationId: id, at, deadline, firstAskAt }: Terms,
): Draft {
  return {
    sellerId,
    token,
    cardType,
    brand,
    account,
    referenceId: referenceId || null,
    amount,
    status: 'PENDING',
    orderNumber: newOrderNumber(),
    issuerPaymentId: '',
    authorizationCode: '',
    decline: null,
    deniedAt: null,
    operation: { type: 'PAYMENT', id, dispatchDeadline: deadline, since: at },
    resolutions: null,
    version: 1,
    sequence: 0,
    askAt: firstAskAt,
    absentSince: null,
    cancelFailedAt: null,
    canceledByIssuer: false,
    lookAgainAt: null,
    paidAt: null,
    createdAt: at,
    updatedAt: at,
  }
}

function log(deps: Deps, { id, brand }: Payment, outcome: PaymentOutcome): void {
  const facts = { paymentId: id, brand, result: outcome.result }
  if (outcome.result !== 'refused') return deps.log.info(facts, 'voucher payment sent')
  deps.log.error({ ...facts, issuerCode: outcome.issuerCode }, 'the issuer refused a voucher payment')
}

function notSent(refusal: DomainError | undefined): DomainError {
  if (refusal?.reason === 'NO_ESTABLISHMENT') {
    const message = 'This voucher brand is not set up for the seller.'
    return refused('VOUCHER_BRAND_UNSUPPORTED', message, '#/card/cardBrand')
  }
  if (refusal?.reason === 'CARD_TOKEN_UNUSABLE') {
    return refused('CARD_TOKEN_UNUSABLE', 'The voucher token cannot be used.', '#/card/token')
  }
  return refusal ?? unavailable('The issuer could not be reached; nothing was paid.')
}
