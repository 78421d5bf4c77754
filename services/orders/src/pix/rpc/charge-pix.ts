import { DomainError, unavailable, type FieldError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark, type Mark } from '@cofre/platform/idempotency/mark'
import { orderTxid } from '@cofre/platform/pix-txid'
import type { ChargePixRequest, Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import { newOrderNumber } from '../../acquirer/order-number'
import { recordAuthorization } from '../../charge/authorization'
import type { Charge } from '../../charge/charge'
import { answered, freed } from '../../charge/operation-mark'
import { checkAmount, fault, throwFaults } from '../../charge/order-check'
import type { Decision } from '../../charge/transition'
import { saveOutcome } from '../../charge-store/charge-store'
import { termsFrom, type Deps } from '../../deps'
import { sellersRequest } from '../../rpc/sellers-request'
import type { Registration } from '../bank/pix-bank'
import { registered } from '../rules/adopt-bank'
import { newPixCharge } from '../rules/new-pix-charge'
import { insertPixCharge } from '../store/pix-store'

const RANDOM_LENGTH = 27
const SECONDS_MIN = 60
const SECONDS_MAX = 86_400

/** Saves the intention, registers the charge at the seller's bank, saves its answer. */
export async function chargePix(deps: Deps, request: ChargePixRequest): Promise<Replayable<ChargeMessage>> {
  check(request)
  const { sellerId, amount, customer, expiresInSeconds } = request
  const mark = newMark(sellerId)
  const account = await deps.pix.findAccount(sellerId)
  const inserted = await insertPixCharge(deps.pool, mark, () => {
    if (account === undefined) throw notAccepted()
    return chargeOf(deps, request, mark, account)
  })
  if ('replayed' in inserted) return inserted

  const { charge } = inserted
  const txid = charge.payments[0]?.orderNumber ?? ''
  const deadline = charge.transactions[0]?.dispatchDeadline ?? 0
  const payer = { name: customer?.name ?? '', document: customer?.document ?? '' }
  const outcome = await deps.pix.bank.register(
    { txid, amount, expiresInSeconds, payer },
    { account: { sellerId, merchantId: account ?? '' }, deadline, requestId: mark.operationId },
  )
  const { result } = outcome
  const code = result === 'refused' ? outcome.code : undefined
  deps.log.info({ chargeId: charge.id, result, code }, 'bank answered')
  const { answer } = await saveOutcome(deps.pool, charge, (current) => ({
    ...decisionOf(deps, current, outcome, mark),
    marks: result === 'not_sent' ? freed(mark) : answered(mark),
  }))
  if (result !== 'not_sent') return { response: answer, replayed: false }
  throw outcome.refusal ? notAccepted() : unavailable('The bank could not be reached; nothing was charged.')
}

function decisionOf(deps: Deps, charge: Charge, outcome: Registration, { operationId }: Mark): Decision {
  const terms = termsFrom(deps, 'pix', operationId)
  return outcome.result === 'registered'
    ? registered(charge, outcome.charge.copyAndPaste, terms.at)
    : recordAuthorization(charge, 0, outcome, terms)
}

function chargeOf(deps: Deps, request: ChargePixRequest, mark: Mark, account: string): Charge {
  const terms = termsFrom(deps, 'pix', mark.operationId)
  const order = {
    sellerId: request.sellerId,
    orderReference: request.orderReference ?? null,
    externalReference: request.externalReference ?? null,
    notificationUrl: request.notificationUrl ?? null,
    amount: request.amount,
    metadata: request.metadata ?? {},
    requestId: sellersRequest(),
  }
  const txid = orderTxid(newOrderNumber(RANDOM_LENGTH))
  const expiresAt = terms.at + request.expiresInSeconds * 1_000
  return newPixCharge(order, { txid, account, expiresAt }, terms)
}

function check({ amount, customer, expiresInSeconds }: ChargePixRequest): void {
  checkAmount(amount)
  const isWithin = expiresInSeconds >= SECONDS_MIN && expiresInSeconds <= SECONDS_MAX
  const faults: FieldError[] = []
  if (!isWithin)
    faults.push(fault('#/expiresInSeconds', 'RANGE', `must be from ${SECONDS_MIN} to ${SECONDS_MAX}`))
  if (!customer?.name) faults.push(fault('#/customer/name', 'REQUIRED', 'is required'))
  if (!customer?.document) faults.push(fault('#/customer/document', 'REQUIRED', 'is required'))
  throwFaults(faults)
}

function notAccepted(): DomainError {
  const message = 'The seller has no Pix account at a bank.'
  return new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message)
}
