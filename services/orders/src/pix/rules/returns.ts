import { pendingOf, type Charge, type Payment, type Transaction } from '../../charge/charge'
import { failure } from '../../charge/failure'
import { changeOf, fail, released, succeed } from '../../charge/transaction'
import { transition, withEvent, type Decision } from '../../charge/transition'
import { devolutionId, type BankCharge, type Devolution, type ReceivedPix } from '../bank/pix-bank'
import type { Heard, PixPayment } from './pix-book'

const DAY_MS = 86_400_000
/** How often a Pix that nobody owes is sent back: again at once, then a day later each time. */
const TRIES_MAX = 5

/** The returns of money that came besides the payment which may leave now. */
export function returnsDue(charge: Charge, { bank }: Heard): Transaction[] {
  return bank ? pendingOf(charge, 'VOID').filter(({ dispatchDeadline }) => dispatchDeadline === null) : []
}

/** A return ends as the bank says. */
export function adoptReturn(charge: Charge, payment: PixPayment, heard: Heard): Decision | undefined {
  const { bank, at, graceMs } = heard
  if (!bank) return undefined
  for (const one of pendingOf(charge, 'REFUND', 'VOID')) {
    const devolution = devolutionOf(bank, payment, one)
    if (devolution?.state === 'done') return transition(charge, changeOf(succeed(charge, one.id)), at)
    const isOver = one.dispatchDeadline !== null && one.dispatchDeadline + graceMs < at
    const why =
      devolution?.state === 'failed'
        ? failure('ACQUIRER_REFUSED', 'NAO_REALIZADO')
        : !devolution && isOver
          ? failure('NOT_DONE')
          : undefined
    if (!why) continue
    const failed = fail(charge, one.id, why)
    const isGivenUp = one.endToEndId !== null && triesOf(failed, one.endToEndId).length >= TRIES_MAX
    const decision = transition(charge, changeOf(failed), at)
    return withEvent(decision, isGivenUp ? 'charge.void_failed' : undefined)
  }
  return undefined
}

function devolutionOf(
  { received }: BankCharge,
  { reference }: Payment,
  { operationId, endToEndId }: Transaction,
): Devolution | undefined {
  const pix = received.find((one) => one.endToEndId === (endToEndId ?? reference.paymentId))
  return pix?.devolutions.find(({ id }) => id === devolutionId(operationId))
}

/**
 * A Pix that came besides the payment: a second one, one of another amount, or one after the charge ended. Nobody owes
 * it, so what is left of it is given back. A return that failed is tried again as another one, for the bank keeps its end.
 */
export function giveBackOther(
  charge: Charge,
  payment: PixPayment,
  { bank, at }: Heard,
  operationId: string,
): Decision | undefined {
  const other = bank?.received.find(
    (pix) => pix.endToEndId !== payment.reference.paymentId && leftOf(pix) > 0 && mayGoBack(charge, pix, at),
  )
  if (!other) return undefined
  const release = released(charge, payment, { cause: 'RELEASE', operationId, at })
  const transaction = { ...release, amount: leftOf(other), endToEndId: other.endToEndId }
  return transition(charge, { transactions: [...charge.transactions, transaction], askAt: at }, at)
}

function mayGoBack(charge: Charge, { endToEndId }: ReceivedPix, at: number): boolean {
  const tries = triesOf(charge, endToEndId)
  if (tries.some(({ status }) => status !== 'FAILED')) return false
  const waitMs = tries.length > 1 ? DAY_MS : 0
  return tries.length < TRIES_MAX && (tries.at(-1)?.createdAt ?? 0) + waitMs <= at
}

function triesOf({ transactions }: Charge, endToEndId: string): Transaction[] {
  return transactions.filter((one) => one.endToEndId === endToEndId)
}

/** What neither the seller nor the bank has given back. */
function leftOf({ amount, devolutions }: ReceivedPix): number {
  const gone = devolutions.filter(({ state }) => state !== 'failed')
  return gone.reduce((left, devolution) => left - devolution.amount, amount)
}
