import { foldDayChanges, readDaySums } from '@cofre/platform/postgres/day-sums-store'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Charge } from '../../src/charge/charge'

/** Whether the sums of a seller's days are those of its charges, before and after changes are folded. */
export async function sumFindings(pool: Pool, sellerId: number, books: readonly Charge[]): Promise<string[]> {
  const expected = JSON.stringify(sumsOf(books))
  const stored = async () => JSON.stringify(await readSums(pool, sellerId))
  const open = await stored()
  await foldDayChanges(pool)
  const folded = await stored()
  return [open, folded].filter((each) => each !== expected).map((each) => `sums ${each}, not ${expected}`)
}

type Sums = {
  approved: [number, number]
  denied: [number, number]
  captured: number
  refunded: number
  /** The same by card brand: captured and refunded of each payment. */
  byMethod: Record<string, number>
  declined: number
}

function sumsOf(books: readonly Charge[]): Sums {
  const sales = books.filter(({ amount }) => amount > 0)
  const total = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0)
  const approved = sales.filter(({ authorizedAmount }) => authorizedAmount > 0)
  const denied = sales.filter(({ status }) => status === 'DENIED')
  const own = sales.filter(({ requestId }) => requestId !== null)
  const payments = sales.flatMap((charge) => charge.payments)
  return {
    approved: [approved.length, total(approved.map(({ authorizedAmount }) => authorizedAmount))],
    denied: [denied.length, total(denied.map(({ amount }) => amount))],
    captured: total(own.map(({ capturedAmount }) => capturedAmount)),
    refunded: total(own.map(({ refundedAmount }) => refundedAmount)),
    byMethod: byMethodOf(own.flatMap((charge) => charge.payments)),
    declined: payments.filter(({ decline, amount }) => decline && amount > 0).length,
  }
}

function byMethodOf(payments: Charge['payments']): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { card, capturedAmount, refundedAmount } of payments)
    for (const [name, amount] of [
      [`captured ${card?.brand ?? 'PIX'}`, capturedAmount],
      [`refunded ${card?.brand ?? 'PIX'}`, refundedAmount],
    ] as const)
      if (amount > 0) sums[name] = (sums[name] ?? 0) + amount
  return sorted(sums)
}

function sorted(sums: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(sums).toSorted(([one], [other]) => one.localeCompare(other)))
}

async function readSums(pool: Pool, sellerId: number): Promise<Sums> {
  const days = await readDaySums(pool, { sellerId, from: '0001-01-01', to: '9999-12-31' })
  const of = (isMeant: (name: string) => boolean): [count: number, amount: number] => {
    const sums = days.flatMap(({ sums: each }) => Object.entries(each).filter(([name]) => isMeant(name)))
    return [
      sums.reduce((all, [, { count }]) => all + count, 0),
      sums.reduce((all, [, { amount }]) => all + amount, 0),
    ]
  }
  const byMethod: Record<string, number> = {}
  for (const [name, { amount }] of days.flatMap(({ sums }) => Object.entries(sums)))
    if (/^(captured|refunded) /.test(name)) byMethod[name] = (byMethod[name] ?? 0) + amount
  const named = (wanted: string) => of((name) => name === wanted)
  return {
    approved: named('approved'),
    denied: named('denied'),
    captured: named('captured')[1],
    refunded: named('refunded')[1],
    byMethod: sorted(byMethod),
    declined: of((name) => name.startsWith('declined '))[0],
  }
}
