import { createHash } from 'node:crypto'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Charge } from '@cofre/proto/orders/v1/orders'

/** How the orders service names a kept card. */
export function credentialOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Saves the declines of kept cards in a charge that is denied, each once. */
export async function insertCardDeclines(
  tx: Db,
  { id, sellerId, payments, updatedAt }: Charge,
): Promise<void> {
  const declined = payments.flatMap(({ credential, decline, amount }, payment) =>
    credential && decline ? [{ payment, credential, amount }] : [],
  )
  await tx.query({
    name: 'insert-card-declines',
    text: `INSERT INTO card_declines (charge_id, payment, seller_id, credential, amount, created_at)
      SELECT $1, r.payment, $2, r.credential, r.amount, $3
      FROM json_to_recordset($4::json) AS r(payment int, credential text, amount bigint) ON CONFLICT DO NOTHING`,
    values: [id, sellerId, new Date(updatedAt), JSON.stringify(declined)],
  })
}

/** Forgets declines that no brand counts any more. Returns how many. */
export async function forgetCardDeclines(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM card_declines WHERE (charge_id, payment) IN (SELECT charge_id, payment FROM card_declines
       WHERE created_at < now() - interval '32 days' ORDER BY created_at LIMIT 1000)`,
  )
  return rowCount ?? 0
}
