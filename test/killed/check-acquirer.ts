import {
  strangersAmong,
  type AcquirerPayment,
  type BookedCharge,
  type Payment,
  type Transaction,
} from './books'
import { readAcquirer } from './books'
import type { DoomedSystem } from './doomed-system'

const AUTHORIZED = 1
const CAPTURED = 2
const DENIED = 3
const VOIDED = [10, 11]

type Sums = { captured: number; voided: number }

/** Checks that each payment is at the acquirer as it is here, once, to the cent, and that no other is there. */
export async function checkAcquirer(system: DoomedSystem, all: readonly BookedCharge[]): Promise<string[]> {
  const charges = all.filter(({ payments }) => !payments.some(({ isPix }) => isPix))
  const listed = await readAcquirer(system)
  const byOrder = new Map<string, AcquirerPayment[]>()
  for (const payment of listed) {
    byOrder.set(payment.merchantOrderId, [...(byOrder.get(payment.merchantOrderId) ?? []), payment])
  }
  const breaches = charges.flatMap((charge) => checkCharge(charge, byOrder))
  const strangers = await strangersAmong(system, [...byOrder.keys()])
  return [
    ...breaches,
    ...strangers.map((number) => `the acquirer holds ${number}, which no charge owns`),
    ...checkSums(charges, byOrder),
  ]
}

function checkCharge(charge: BookedCharge, byOrder: ReadonlyMap<string, AcquirerPayment[]>): string[] {
  return charge.payments.flatMap((payment) => {
    const there = byOrder.get(payment.orderNumber) ?? []
    const name = `charge ${charge.id} (${charge.status}), payment ${payment.position} (${payment.status}, ${payment.orderNumber})`
    if (there.length > 1) return [`${name} is ${there.length} payments at the acquirer`]
    const fault = faultOf(charge, payment, there[0])
    return fault ? [`${name} ${fault}; there: ${JSON.stringify(there[0] ?? null)}`] : []
  })
}

function faultOf(
  charge: BookedCharge,
  payment: Payment,
  there: AcquirerPayment | undefined,
): string | undefined {
  const done = (type: Transaction['type']) =>
    charge.transactions
      .filter((one) => one.position === payment.position && one.type === type && one.status === 'SUCCEEDED')
      .reduce((sum, { amount }) => sum + amount, 0)
  const holdsNothing = !there || there.status === DENIED || VOIDED.includes(there.status)
  if (payment.amount === 0) return there ? 'verified a card and made a payment' : undefined
  if (payment.status === 'DENIED') return !there || there.status === DENIED ? undefined : 'was denied'
  if (payment.status === 'FAILED') return holdsNothing ? undefined : 'failed, and money is held'
  if (!there) return 'is not at the acquirer'
  if (there.authorizedAmount !== payment.amount) return 'has another amount'

  const [captured, refunded, voided] = [done('CAPTURE'), done('REFUND'), done('VOID')]
  if (there.capturedAmount !== captured) return `captured ${captured}`
  if (captured > 0) {
    if (there.voidedAmount !== refunded) return `refunded ${refunded}`
    const whole = refunded === captured
    return (whole ? VOIDED.includes(there.status) : there.status === CAPTURED)
      ? undefined
      : `refunded ${refunded}`
  }
  if (voided > 0) return VOIDED.includes(there.status) ? undefined : 'was voided'
  return there.status === AUTHORIZED ? undefined : 'is authorized'
}

/** Compares the sums captured and given back over all charges, here and at the acquirer. */
function checkSums(
  charges: readonly BookedCharge[],
  byOrder: ReadonlyMap<string, AcquirerPayment[]>,
): string[] {
  const ours: Sums = { captured: 0, voided: 0 }
  const theirs: Sums = { captured: 0, voided: 0 }
  for (const charge of charges) {
    ours.captured += charge.capturedAmount
    ours.voided += charge.refundedAmount
    for (const { orderNumber } of charge.payments) {
      for (const { capturedAmount, voidedAmount } of byOrder.get(orderNumber) ?? []) {
        theirs.captured += capturedAmount
        theirs.voided += capturedAmount > 0 ? voidedAmount : 0
      }
    }
  }
  const agree = ours.captured === theirs.captured && ours.voided === theirs.voided
  return agree ? [] : [`in sum: ours ${JSON.stringify(ours)}, the acquirer's ${JSON.stringify(theirs)}`]
}
