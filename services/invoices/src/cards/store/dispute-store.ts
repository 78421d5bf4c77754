import type { Db } from '@cofre/platform/postgres/postgres'

/** What is known of a dispute of an invoice's payment. `withdrawn`: taken back of what the invoice took, cents. */
export type KnownDispute = {
  id: number
  sellerId: number
  transactionId: number
  /** The stored card of the payment. Null: none was kept. */
  cardId: number | null
  isWon: boolean
  withdrawn: number
  sequence: number
}

/** What an event has said of a dispute before. The caller has locked its invoice. */
export async function findDispute(
  tx: Db,
  id: number,
): Promise<Pick<KnownDispute, 'sequence' | 'withdrawn'> | undefined> {
  const { rows } = await tx.query<Pick<KnownDispute, 'sequence' | 'withdrawn'>>({
    name: 'find-dispute',
    text: 'SELECT sequence, withdrawn FROM disputes WHERE id = $1',
    values: [id],
  })
  return rows[0]
}

export async function saveDispute(
  tx: Db,
  { id, sellerId, transactionId, cardId, isWon, withdrawn, sequence }: KnownDispute,
): Promise<void> {
  await tx.query({
    name: 'save-dispute',
    text: `INSERT INTO disputes (id, seller_id, transaction_id, card_id, is_won, withdrawn, sequence)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE
      SET is_won = excluded.is_won, withdrawn = excluded.withdrawn, sequence = excluded.sequence`,
    values: [id, sellerId, transactionId, cardId, isWon, withdrawn, sequence],
  })
}
