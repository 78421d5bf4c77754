import type { BookedCharge } from '../books'
import type { DoomedSystem } from '../doomed-system'
import { entriesOf, type Ledger } from '../ledger'
import { readPixBank, readRefunds, type BankCharge, type BankPix, type BookedRefund } from './pix-books'

type Answered = { id: number; invoiceId: number; amountInCents: number }

/**
 * Checks that the Pix of each order paid it once, and all else went back; that each answered refund of an invoice is one
 * return at the bank, no other return is there, and none gives back more than came.
 */
export async function checkPix(
  system: DoomedSystem,
  ledger: Ledger,
  charges: readonly BookedCharge[],
): Promise<string[]> {
  const bank = await readPixBank(system)
  const byTxid = new Map(bank.map((charge) => [charge.txid, charge]))
  const ofOrders = charges.flatMap((charge) => {
    const [payment] = charge.payments
    const there = byTxid.get(payment?.orderNumber ?? '')
    const faults = payment?.isPix ? faultsInOrder(charge, payment.paymentId, there) : []
    return faults.map(
      (fault) => `Pix charge ${charge.id} (${charge.status}): ${fault}; ${JSON.stringify(there)}`,
    )
  })
  return [...ofOrders, ...faultsInRefunds(ledger, bank, await readRefunds(system))]
}

const returnedOf = ({ devolutions }: BankPix) =>
  devolutions.reduce((sum, { amount, status }) => (status === 'DEVOLVIDO' ? sum + amount : sum), 0)

function faultsInOrder(charge: BookedCharge, paidBy: string, there: BankCharge | undefined): string[] {
  const payments = there?.payments ?? []
  const ours = payments.filter(({ endToEndId }) => endToEndId === paidBy)
  const kept = payments.filter((pix) => !ours.includes(pix) && returnedOf(pix) !== pix.amount)
  const took = ours.reduce((sum, { amount }) => sum + amount, 0)
  const gaveBack = ours.reduce((sum, pix) => sum + returnedOf(pix), 0)
  const isOpen = charge.status !== 'PENDING' && there?.status === 'ATIVA'
  return [
    ...(charge.capturedAmount === took ? [] : [`captured ${charge.capturedAmount}, the bank took ${took}`]),
    ...(charge.refundedAmount === gaveBack
      ? []
      : [`refunded ${charge.refundedAmount}, the bank gave back ${gaveBack}`]),
    ...(kept.length === 0 ? [] : [`${kept.length} Pix that nobody owed were not given back`]),
    ...(isOpen ? ['can still be paid'] : []),
  ]
}

function faultsInRefunds(
  ledger: Ledger,
  bank: readonly BankCharge[],
  refunds: readonly BookedRefund[],
): string[] {
  const answered = entriesOf(ledger, 'invoice-refund')
    .filter(({ status }) => status === 201)
    .map(({ answer }) => answer as Answered)
  const invoices = new Set(
    entriesOf(ledger, 'invoice-refund').map(({ path }) => Number(path.split('/').at(-2))),
  )
  const ids = new Set(answered.map(({ id }) => id))
  const unasked = refunds.filter(({ id, invoiceId }) => invoices.has(invoiceId) && !ids.has(id))
  const received = new Map(bank.flatMap(({ payments }) => payments.map((pix) => [pix.endToEndId, pix])))
  const ours = refunds.filter(({ invoiceId }) => invoices.has(invoiceId))
  return [
    ...(ids.size === answered.length ? [] : [`${answered.length} answers name ${ids.size} refunds`]),
    ...answered.flatMap((one) => faultInAnswered(one, refunds)),
    ...unasked.map(({ id }) => `nobody was told of refund ${id}`),
    ...ours.flatMap((one) => faultAtBank(one, received.get(one.endToEndId))),
    ...[...received.values()]
      .filter((pix) => returnedOf(pix) > pix.amount)
      .map(({ endToEndId }) => `${endToEndId}: more went back than came`),
    ...faultsInNumbers(ours, received),
  ]
}

function faultInAnswered({ id, amountInCents }: Answered, refunds: readonly BookedRefund[]): string[] {
  const kept = refunds.find((one) => one.id === id)
  return kept?.amount === amountInCents ? [] : [`refund ${id} of ${amountInCents} is ${JSON.stringify(kept)}`]
}

/** A refund is at the bank as it is here. */
function faultAtBank(refund: BookedRefund, pix: BankPix | undefined): string[] {
  const there = pix?.devolutions.filter(({ id }) => id === refund.number) ?? []
  const isDone = there.length === 1 && there[0]?.status === 'DEVOLVIDO' && there[0].amount === refund.amount
  if (refund.status === 'SUCCEEDED' ? isDone : there.every(({ status }) => status === 'NAO_REALIZADO'))
    return []
  return [`refund ${JSON.stringify(refund)} is at the bank ${JSON.stringify(there)}`]
}

/** No return of a Pix that was refunded is unknown here. */
function faultsInNumbers(ours: readonly BookedRefund[], received: ReadonlyMap<string, BankPix>): string[] {
  const numbers = new Set(ours.map(({ number }) => number))
  return [...new Set(ours.map(({ endToEndId }) => endToEndId))].flatMap((endToEndId) => {
    const strangers = received.get(endToEndId)?.devolutions.filter(({ id }) => !numbers.has(id)) ?? []
    return strangers.map(({ id }) => `${endToEndId}: nobody here asked for the return ${id}`)
  })
}
