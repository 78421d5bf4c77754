import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { beginPayment, type Begun } from './begin-payment'
import { storeToKeep } from './cards-being-stored'
import { chooseCard, type ChosenCard } from './choose-card'
import { forgetPayment } from './forget-payment'
import { orderOf } from './order-of'
import type { Charged } from './orders'
import { recordOutcome, type Recorded } from './record-outcome'

/**
 * Saves the intention, has the card charged, saves the outcome: no service is called inside a transaction. A refusal
 * leaves everything as it was. A decline is an outcome, and so is a charge that could not be sent.
 * `expectedAmount`: the amount that the payer agreed to, cents; nothing is charged for any other.
 */
export async function payByCard(
  deps: Deps,
  request: PayByCardRequest,
  expectedAmount?: number,
): Promise<Replayable<InvoiceCharge>> {
  const mark = newMark(request.sellerId)
  const card = await chooseCard(deps.cards, request)
  const begun = await beginPayment(deps, request, mark, { ...card, expectedAmount })
  if ('kept' in begun) return { response: InvoiceCharge.decode(begun.kept), replayed: true }
  const charged = await charge(deps, request, card, begun)
  if (isRefused(charged)) {
    await forgetPayment(deps.pool, begun.transaction)
    throw inTermsOf(request, charged.refusal)
  }
  const { transaction, answer } = await save(deps, begun, charged)
  log(deps, transaction, charged)
  if (charged.outcome.result === 'absent' && charged.refusal) throw inTermsOf(request, charged.refusal)
  return { response: answer, replayed: false }
}

/** Stores the card that the customer keeps, then has it charged. When it can't be stored, nothing is done. */
async function charge(
  { pool, cards, orders, log: logger }: Deps,
  request: PayByCardRequest,
  { source, toStore }: ChosenCard,
  { invoice, transaction }: Begun,
): Promise<Charged> {
  const { operationId, dispatchDeadline } = transaction
  if (operationId === null || dispatchDeadline === null) throw new Error('a card payment has no operation')
  let keptAs = source.keptAs ?? ''
  if (toStore) {
    try {
      keptAs = await storeToKeep({ pool, cards }, transaction, { handle: toStore, operationId })
    } catch (error) {
      logger.warn({ invoiceId: invoice.id, err: error }, 'card not stored for automatic charges')
      return { outcome: { result: 'absent' }, refusal: error as Error }
    }
  }
  const { installments, authentication } = request
  const payment = {
    amount: transaction.amount,
    installments,
    ...source,
    keptAs,
    ...(authentication && { authentication }),
  }
  return orders.charge(orderOf(invoice, payment), operationId, dispatchDeadline)
}

/** Whether a request was refused for what it asks: nothing was sent to anybody. */
function isRefused(charged: Charged): charged is Charged & { refusal: DomainError } {
  const { outcome, refusal } = charged
  return outcome.result === 'absent' && refusal instanceof DomainError && refusal.kind !== 'unavailable'
}

function save(deps: Deps, { transaction }: Begun, { outcome }: Charged): Promise<Recorded> {
  return withTransaction(deps.pool, (tx) => {
    const at = now()
    const moment = { at, askAt: at + deps.rules.resolveFirstMs, isAnswered: true }
    return recordOutcome(deps, tx, transaction, outcome, moment)
  })
}

function log(deps: Deps, { id, invoiceId, sellerId }: Recorded['transaction'], charged: Charged): void {
  const facts = { sellerId, invoiceId, transactionId: id, result: charged.outcome.result }
  const isLost = charged.outcome.result === 'pending' && charged.refusal !== undefined
  if (isLost) deps.log.warn({ ...facts, err: charged.refusal }, 'outcome of a card payment is unknown')
  else deps.log.info(facts, 'card payment of an invoice tried')
}

/** A refusal of the orders service with the pointers of our body: there, a card named by its id has no token. */
function inTermsOf({ cardId }: PayByCardRequest, error: Error): Error {
  if (!(error instanceof DomainError) || cardId === undefined || !error.extra.errors) return error
  const errors = error.extra.errors.map((each) =>
    each.pointer.startsWith('#/cardToken') ? { ...each, pointer: '#/cardId' } : each,
  )
  return new DomainError(error.kind, error.reason, error.message, { ...error.extra, errors })
}
