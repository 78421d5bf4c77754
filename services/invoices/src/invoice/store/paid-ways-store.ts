import type { Db } from '@cofre/platform/postgres/postgres'
import type { MovementMethod } from '../rules/movement'

/** A way by which an invoice was paid. `installments`: of a card, where they are known. */
export type PaidWay = { method: MovementMethod; installments: number | null }

const MOST = 5

/** The ways by which an invoice was paid, each once. */
export async function paidWays(db: Db, invoiceId: number): Promise<PaidWay[]> {
  const { rows } = await db.query<PaidWay>({
    name: 'paid-ways',
    text: `SELECT method, (card->>'installments')::int AS installments FROM movements
      WHERE invoice_id = $1 AND kind = 'PAYMENT' AND method IS NOT NULL
      GROUP BY 1, 2 ORDER BY min(id) LIMIT ${MOST}`,
    values: [invoiceId],
  })
  return rows
}
