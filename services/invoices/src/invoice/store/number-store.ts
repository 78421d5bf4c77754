import type { Db } from '@cofre/platform/postgres/postgres'
import { madeNumber } from '../rules/invoice-number'

/** Sellers, and how many numbers each needs. */
export type Wanted = ReadonlyMap<number, number>

/** How many numbers are claimed next when some are taken: a seller may have given a long row of them itself. */
const CLAIMED_AGAIN = 1_000

/**
 * Claims numbers for new invoices of several sellers, in order. The sellers' rows are locked until the caller's commit,
 * one after the other: callers never wait for each other in a circle.
 */
export async function claimNumbers(tx: Db, wanted: Wanted): Promise<Map<number, string[]>> {
  const numbers = new Map<number, string[]>()
  let missing = [...wanted]
  for (let least = 0; missing.length > 0; least = CLAIMED_AGAIN) {
    const claimed = missing.map(([sellerId, count]) => [sellerId, Math.max(count, least)] as const)
    const free = await claim(tx, new Map(claimed))
    for (const [sellerId, found] of free) {
      numbers.set(sellerId, [...(numbers.get(sellerId) ?? []), ...found])
    }
    missing = [...wanted]
      .map(([sellerId, count]): [number, number] => [sellerId, count - (numbers.get(sellerId)?.length ?? 0)])
      .filter(([, count]) => count > 0)
  }
  await giveBack(tx, wanted, numbers)
  return numbers
}

const CLAIM = `INSERT INTO invoice_numbers AS n (seller_id, last)
  SELECT seller_id, count FROM unnest($1::bigint[], $2::bigint[]) AS wanted(seller_id, count) ORDER BY seller_id
  ON CONFLICT (seller_id) DO UPDATE SET last = n.last + EXCLUDED.last RETURNING seller_id AS "sellerId", last`

/** Claims the next numbers of each seller, and leaves out those that it has given itself. */
async function claim(tx: Db, wanted: Wanted): Promise<Map<number, string[]>> {
  const { rows } = await tx.query<{ sellerId: number; last: number }>({
    name: 'claim-numbers',
    text: CLAIM,
    values: [[...wanted.keys()], [...wanted.values()]],
  })
  const made = rows.flatMap(({ sellerId, last }) => {
    const count = wanted.get(sellerId) ?? 0
    return Array.from(
      { length: count },
      (_none, at) => [sellerId, madeNumber(last - count + 1 + at)] as const,
    )
  })
  const taken = await findTaken(tx, made)
  const free = new Map<number, string[]>(rows.map(({ sellerId }) => [sellerId, []]))
  for (const [sellerId, number] of made) {
    if (!taken.has(`${sellerId} ${number}`)) free.get(sellerId)?.push(number)
  }
  return free
}

async function findTaken(tx: Db, made: readonly (readonly [number, string])[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ taken: string }>({
    name: 'taken-numbers',
    text: `SELECT i.seller_id || ' ' || i.invoice_number AS taken
      FROM unnest($1::bigint[], $2::text[]) AS made(seller_id, number)
      JOIN invoices i ON i.seller_id = made.seller_id AND i.invoice_number = made.number`,
    values: [made.map(([sellerId]) => sellerId), made.map(([, number]) => number)],
  })
  return new Set(rows.map(({ taken }) => taken))
}

/** Gives surplus numbers back for the next invoices: numbers have no gaps. */
async function giveBack(tx: Db, wanted: Wanted, numbers: Map<number, string[]>): Promise<void> {
  for (const [sellerId, count] of wanted) {
    const found = numbers.get(sellerId) ?? []
    if (found.length === count) continue
    numbers.set(sellerId, found.slice(0, count))
    await tx.query('UPDATE invoice_numbers SET last = $2 WHERE seller_id = $1', [
      sellerId,
      Number(found[count - 1]),
    ])
  }
}
