import type { Db } from '@cofre/platform/postgres/postgres'
import type { CardName } from '@cofre/platform/written'
import type { MovementMethod } from '../rules/movement'

/** A way by which an invoice was paid. `installments`: of a card, where they are known. `card`: a stored one, if its name is known. */
export type PaidWay = { method: MovementMethod; installments: number | null; card: CardName | null }

const MOST = 5

/** The ways by which an invoice was paid, each once. */
export async function paidWays(db: Db, invoiceId: number): Promise<PaidWay[]> {
  const { rows } = await db.query<Omit<PaidWay, 'card'> & { brand: string | null; lastFour: string | null }>({
    name: 'paid-ways',
    text: `SELECT m.method, (m.card->>'installments')::int AS installments, n.brand, n.last_four AS "lastFour"
      FROM movements m LEFT JOIN invoice_transactions t ON t.id = m.transaction_id
        LEFT JOIN card_names n ON n.card_id = coalesce(t.card_id, t.keep_card_id)
      WHERE m.invoice_id = $1 AND m.kind = 'PAYMENT' AND m.method IS NOT NULL
      GROUP BY 1, 2, 3, 4 ORDER BY min(m.id) LIMIT ${MOST}`,
    values: [invoiceId],
  })
  return rows.map(({ brand, lastFour, ...way }) => ({
    ...way,
    card: brand !== null && lastFour !== null ? { brand, lastFour } : null,
  }))
}
