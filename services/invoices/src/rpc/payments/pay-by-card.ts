import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { beginPayment, type Begun } from '../../payments/begin-payment'
import { storeToKeep } from '../../payments/cards-being-stored'
import { chooseCard, type ChosenCard } from '../../payments/choose-card'
import type { Charged } from '../../payments/orders'
import { recordOutcome, type Recorded } from '../../payments/record-outcome'
import { checkPayment, inTermsOf } from './payment-request'

/**
 * Saves the intention, has the card charged, saves the outcome: no service is called inside a transaction.
 * `expectedAmount`: the amount that the payer agreed to, cents; nothing is charged for any other.
 */
export async function payByCard(
  deps: Deps,
  request: PayByCardRequest,
  expectedAmount?: number,
): Promise<Replayable<InvoiceCharge>> {
  checkPayment(request)
  const mark = newMark(request.sellerId)
  const card = await chooseCard(deps.cards, request)
  const begun = await beginPayment(deps, request, mark, { ...card, expectedAmount })
  if ('kept' in begun) return { response: InvoiceCharge.decode(begun.kept), replayed: true }
  const charged = await charge(deps, request, card, begun)
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
  if (toStore) {
    try {
      await storeToKeep({ pool, cards }, transaction, { handle: toStore, operationId })
    } catch (error) {
      logger.warn({ invoiceId: invoice.id, err: error }, 'card not stored for automatic charges')
      return { outcome: { result: 'absent' }, refusal: error as Error }
    }
  }
  return orders.charge(orderOf(invoice, transaction.amount, request, source), operationId, dispatchDeadline)
}

function orderOf(
  { sellerId, id: invoiceId, invoiceNumber, customer }: Begun['invoice'],
  amount: number,
  { installments, authentication }: PayByCardRequest,
  source: ChosenCard['source'],
): AuthorizeOrderRequest {
  return AuthorizeOrderRequest.fromPartial({
    sellerId,
    orderReference: invoiceNumber,
    amount,
    customer: { name: customer.name, document: customer.document, email: customer.email ?? '' },
    payments: [{ amount, installments, ...source, ...(authentication ? { authentication } : {}) }],
    metadata: { invoiceId },
    capture: true,
  })
}

function save({ pool, rules }: Deps, { transaction }: Begun, { outcome }: Charged): Promise<Recorded> {
  return withTransaction(pool, (tx) => {
    const at = now()
    const moment = { at, askAt: at + rules.settleFirstMs, isAnswered: true, dunningDays: rules.dunningDays }
    return recordOutcome(tx, transaction, outcome, moment)
  })
}

function log(deps: Deps, { id, invoiceId, sellerId }: Recorded['transaction'], charged: Charged): void {
  const facts = { sellerId, invoiceId, transactionId: id, result: charged.outcome.result }
  const isLost = charged.outcome.result === 'pending' && charged.refusal !== undefined
  if (isLost) deps.log.warn({ ...facts, err: charged.refusal }, 'outcome of a card payment is unknown')
  else deps.log.info(facts, 'card payment of an invoice tried')
}
