import type { Db } from '@cofre/platform/postgres/postgres'
import { ourNumberOf } from '../rules/our-number'

type Range = { sellerId: number; account: string }
type Numbered = { id: number; ourNumber: string }

/**
 * Claims the ids and the bank's numbers of new slips in an agreement, in order, and leaves out `skipped` numbers before
 * them. The agreement's row is locked until the caller's commit.
 */
export async function claimBoletoNumbers(
  tx: Db,
  { sellerId, account }: Range,
  count: number,
  skipped = 0,
): Promise<Numbered[]> {
  const { rows } = await tx.query<{ id: number; sequence: number }>({
    name: 'claim-boleto-numbers',
    text: `WITH claimed AS (
        INSERT INTO boleto_numbers AS n (account, seller_id, next) VALUES ($1, $2, 1 + $3::bigint + $4::bigint)
        ON CONFLICT (account) DO UPDATE SET seller_id = EXCLUDED.seller_id, next = n.next + $3 + $4
        RETURNING next - $3 AS first)
      SELECT nextval('boleto_ids')::bigint AS id, first + at AS sequence
      FROM claimed, generate_series(0, $3::bigint - 1) AS at ORDER BY at`,
    values: [account, sellerId, count, skipped],
  })
  return rows.map(({ id, sequence }) => ({ id, ourNumber: ourNumberOf(account, sequence) }))
}

/** Has an agreement's numbers begin at `first`, unless they are beyond it. Returns the next number. */
export async function raiseBoletoNumbers(
  db: Db,
  { sellerId, account }: Range,
  first: number,
): Promise<number> {
  const { rows } = await db.query<{ next: number }>(
    `INSERT INTO boleto_numbers AS n (account, seller_id, next) VALUES ($1, $2, $3)
     ON CONFLICT (account) DO UPDATE SET seller_id = EXCLUDED.seller_id, next = greatest(n.next, EXCLUDED.next)
     RETURNING next`,
    [account, sellerId, first],
  )
  return rows[0]?.next ?? first
}

/** The seller of an agreement. Null when Cofre has made no slip in it. */
export async function findSellerOfAccount(db: Db, account: string): Promise<number | null> {
  const { rows } = await db.query<{ sellerId: number }>(
    'SELECT seller_id AS "sellerId" FROM boleto_numbers WHERE account = $1',
    [account],
  )
  return rows[0]?.sellerId ?? null
}
