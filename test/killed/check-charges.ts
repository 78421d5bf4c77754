import type { BookedCharge, Transaction } from './books'
import { chargeIn, entriesOf, type Entry, type Ledger } from './ledger'

/** Checks that each answered request had its effect once, that nothing else had one, and that totals add up. */
export function checkCharges(ledger: Ledger, charges: readonly BookedCharge[]): string[] {
  const operations = entriesOf(ledger, 'authorize', 'charge', 'capture', 'refund')
  const answered = new Map(operations.map((entry) => [entry.key, entry]))
  const byKey = new Map<string, Transaction[]>()
  const breaches: string[] = []
  for (const charge of charges) {
    breaches.push(...checkTotals(charge))
    for (const transaction of charge.transactions) {
      const { key, cause, status, type } = transaction
      if (status === 'PENDING') breaches.push(`charge ${charge.id}: transaction ${transaction.id} is pending`)
      if (cause !== 'REQUEST') continue
      if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), transaction])
      // A charge that FAILED gives its key back and releases what it holds, which its totals show.
      const isVain = charge.status === 'FAILED' && type === 'AUTHORIZATION'
      if (status === 'SUCCEEDED' && !isVain && !answered.has(key ?? '')) {
        breaches.push(`charge ${charge.id}: nobody was told of ${type} ${transaction.id} (${key})`)
      }
    }
  }
  for (const entry of operations) breaches.push(...checkEffect(entry, byKey.get(entry.key) ?? []))
  return breaches
}

/** Checks that the transactions of a request add up to the amount that it asked for. */
function checkEffect(entry: Entry, transactions: readonly Transaction[]): string[] {
  const { operation, key } = entry
  if (entry.status !== 201) return []
  if (transactions.length === 0) return [`${operation} ${key} was answered and left nothing`]
  const wanted = (entry.body as { amount?: number }).amount
  const types =
    operation === 'capture' ? ['CAPTURE'] : operation === 'refund' ? ['REFUND', 'VOID'] : ['AUTHORIZATION']
  const asked = transactions
    .filter(({ type }) => types.includes(type))
    .reduce((sum, { amount }) => sum + amount, 0)
  const due = wanted ?? chargeIn(entry).amount
  return asked === due ? [] : [`${operation} ${key} asked for ${due} and is ${asked}`]
}

function checkTotals(charge: BookedCharge): string[] {
  const sum = (type: Transaction['type']) =>
    charge.transactions
      .filter((one) => one.type === type && one.status === 'SUCCEEDED')
      .reduce((total, { amount }) => total + amount, 0)
  const faults: string[] = []
  if (charge.status === 'PENDING') faults.push('is still pending')
  if (sum('CAPTURE') !== charge.capturedAmount)
    faults.push(`captured ${charge.capturedAmount}, not its captures' sum`)
  if (sum('REFUND') !== charge.refundedAmount)
    faults.push(`refunded ${charge.refundedAmount}, not its refunds' sum`)
  if (charge.refundedAmount > charge.capturedAmount) faults.push('gave back more than it took')
  if (charge.capturedAmount > charge.amount) faults.push('took more than its amount')
  const held = charge.payments.filter(({ status }) => !['DENIED', 'FAILED', 'VOIDED'].includes(status))
  const gone = charge.status === 'DENIED' || charge.status === 'FAILED'
  if (gone && held.length > 0) faults.push(`holds payment ${held[0]?.position}`)
  return faults.map((fault) => `charge ${charge.id} (${charge.status}) ${fault}`)
}
