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
    declined: payments.filter(({ decline, amount }) => decline && amount > 0).length,
  }
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
  const named = (wanted: string) => of((name) => name === wanted)
  return {
    approved: named('approved'),
    denied: named('denied'),
    captured: named('captured')[1],
    refunded: named('refunded')[1],
    declined: of((name) => name.startsWith('declined '))[0],
  }
}
