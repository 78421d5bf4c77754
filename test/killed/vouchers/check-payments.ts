import type { VoucherPaymentJson } from '@cofre/api/vouchers/voucher-payment'
import type { Client } from '../client'
import type { DoomedSystem } from '../doomed-system'
import { entriesOf, type Entry, type Ledger } from '../ledger'
import { readIssuers, strangersAmongVouchers, type BookedPayment, type IssuerPayment } from './voucher-books'

/** Checks that each payment is at its issuer as it is here, once, that answers hold, and that nobody paid twice. */
export async function checkVoucherPayments(
  system: DoomedSystem,
  client: Client,
  ledger: Ledger,
  booked: readonly BookedPayment[],
): Promise<string[]> {
  const there = new Map<string, IssuerPayment[]>()
  for (const payment of await readIssuers(system)) {
    there.set(payment.orderNumber, [...(there.get(payment.orderNumber) ?? []), payment])
  }
  const strangers = await strangersAmongVouchers(system, [...there.keys()])
  return [
    ...booked.flatMap((payment) => faultAtIssuer(payment, there.get(payment.orderNumber) ?? [])),
    ...strangers.map((number) => `the issuers hold ${number}, which no voucher payment owns`),
    ...checkRequests(ledger, booked),
    ...checkCancellations(ledger, booked),
    ...(await checkReadings(system, client, ledger)),
  ]
}

function faultAtIssuer(
  { id, orderNumber, amount, status, declineCode }: BookedPayment,
  there: IssuerPayment[],
): string[] {
  const [one] = there
  const isRight = {
    PENDING: false,
    PAID: one?.status === 'APPROVED' && one.amount === amount,
    CANCELED: one?.status === 'CANCELED' && one.amount === amount,
    // A payment that turned up at the issuer after it was denied here was given back.
    DENIED: declineCode === 'NOT_PROCESSED' ? one?.status !== 'APPROVED' : one?.status === 'DECLINED',
  }[status]
  if (there.length <= 1 && isRight) return []
  return [`voucher payment ${id} (${status}, ${orderNumber}, ${amount}); there: ${JSON.stringify(there)}`]
}

/** Checks that a request left one payment, beside those that never reached the issuer: they left its key free. */
function checkRequests(ledger: Ledger, booked: readonly BookedPayment[]): string[] {
  const requests = entriesOf(ledger, 'voucher-payment')
  const asked = new Map(requests.map((entry) => [referenceOf(entry), entry]))
  const strangers = booked.filter(
    ({ reference, declineCode }) => !asked.has(reference) && declineCode !== 'NOT_PROCESSED',
  )
  return [
    ...strangers.map(({ id, status }) => `nobody was told of voucher payment ${id} (${status})`),
    ...requests.flatMap((entry) => {
      const made = booked.filter(({ reference }) => reference === referenceOf(entry))
      const taken = made.filter(({ declineCode }) => declineCode !== 'NOT_PROCESSED')
      const answer = entry.status === 201 ? (entry.answer as VoucherPaymentJson) : undefined
      const named = made.find(({ id }) => id === answer?.id)
      const isOne = answer ? named && taken.every(({ id }) => id === answer.id) : taken.length === 0
      const { amount } = entry.body as { amount: number }
      if (isOne && made.every((payment) => payment.amount === amount)) return []
      return [
        `${entry.key} asked for ${amount}, was answered ${entry.status}, and is ${JSON.stringify(made)}`,
      ]
    }),
  ]
}

function referenceOf({ body }: Entry): string {
  return (body as { referenceId: string }).referenceId
}

function checkCancellations(ledger: Ledger, booked: readonly BookedPayment[]): string[] {
  const answered = entriesOf(ledger, 'voucher-cancellation').filter(({ status }) => status === 200)
  const asked = new Set(answered.map(({ answer }) => (answer as VoucherPaymentJson).id))
  return booked.flatMap(({ id, status }) =>
    status === 'CANCELED' && !asked.has(id) ? [`nobody asked to cancel voucher payment ${id}`] : [],
  )
}

const MAY_BECOME: Record<VoucherPaymentJson['status'], readonly string[]> = {
  PENDING: ['PAID', 'DENIED', 'CANCELED'],
  PAID: ['PAID', 'CANCELED'],
  DENIED: ['DENIED'],
  CANCELED: ['CANCELED'],
}

/** Checks that each answered payment reads the same, or has a status that may follow the answered one. */
async function checkReadings({ ready }: DoomedSystem, client: Client, ledger: Ledger): Promise<string[]> {
  const breaches: string[] = []
  for (const entry of entriesOf(ledger, 'voucher-payment', 'voucher-cancellation')) {
    if (entry.status >= 300) continue
    const answer = entry.answer as VoucherPaymentJson
    const path = `/api/v2/sellers/${ready.sellerId}/vouchers/payments/${answer.id}`
    const payment = (await client({ method: 'GET', path })).body as VoucherPaymentJson
    const isSame = (['amount', 'referenceId', 'orderNumber'] as const).every(
      (name) => payment[name] === answer[name],
    )
    const isOver = !payment.cancellationPending && MAY_BECOME[answer.status].includes(payment.status)
    if (isSame && isOver) continue
    breaches.push(`${entry.key} was told ${JSON.stringify(answer)}, it reads ${JSON.stringify(payment)}`)
  }
  return breaches
}
