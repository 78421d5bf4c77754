import { isMarkedSql, markParameter, type Mark } from '@cofre/platform/idempotency/mark'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import {
  assigned,
  changing,
  changingTime,
  fixed,
  fixedTime,
  table,
  type Row,
} from '@cofre/platform/postgres/columns'
import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { Challenge } from './challenge'

const CHALLENGES = table<Challenge>({
  id: assigned,
  publicId: fixed,
  sellerId: fixed,
  invoiceId: fixed,
  authenticationId: fixed,
  status: changing,
  refusal: changing,
  cardId: changing,
  networkToken: fixed,
  cardIsOurs: fixed,
  keepCard: fixed,
  keepConsent: fixed,
  installments: fixed,
  amount: fixed,
  expiresAt: fixedTime,
  askAt: changingTime,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

type Found = { row: Row }

export async function insertChallenge(db: Db, draft: Omit<Challenge, 'id'>): Promise<Challenge> {
  const { rows } = await db.query<{ id: number }>({
    name: 'insert-challenge',
    text: `INSERT INTO challenges (${CHALLENGES.inserted()})
      SELECT ${CHALLENGES.inserted('r')} FROM json_populate_record(null::challenges, $1::json) r RETURNING id`,
    values: [JSON.stringify(CHALLENGES.toRow({ ...draft, id: 0 }))],
  })
  return { ...draft, id: rows[0]?.id ?? 0 }
}

/** The challenge that a payer's browser names, if it belongs to the invoice whose page the browser names. */
export async function findChallenge(
  db: Db,
  { publicId, challengeId }: { publicId: string; challengeId: string },
): Promise<Challenge | undefined> {
  const { rows } = await db.query<Found>({
    name: 'find-challenge',
    text: `SELECT row_to_json(c) AS row FROM challenges c JOIN invoices i ON i.id = c.invoice_id
      WHERE c.public_id = $1 AND i.public_id = $2`,
    values: [challengeId, publicId],
  })
  return rows[0] && CHALLENGES.fromRow(rows[0].row)
}

export type Changed = { challenge: Challenge; isChanged: boolean }

/** Locks a challenge, decides, and saves, in one transaction. Nothing changes when `decide` returns undefined. */
export function updateChallenge(
  pool: Pool,
  id: number,
  decide: (challenge: Challenge, tx: Db) => Promise<Challenge | undefined> | Challenge | undefined,
): Promise<Changed> {
  return withTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Found>(
      'SELECT row_to_json(c) AS row FROM challenges c WHERE id = $1 FOR UPDATE',
      [id],
    )
    if (!rows[0]) throw new Error('a challenge is gone')
    const before = CHALLENGES.fromRow(rows[0].row)
    const after = await decide(before, tx)
    if (!after) return { challenge: before, isChanged: false }
    await saveChallenge(tx, after)
    return { challenge: after, isChanged: true }
  })
}

/** Saves a challenge that the caller has locked, or has just made. */
export async function saveChallenge(tx: Db, challenge: Challenge): Promise<void> {
  await tx.query({
    name: 'save-challenge',
    text: `UPDATE challenges t SET ${CHALLENGES.updated('r')}
      FROM json_populate_record(null::challenges, $1::json) r WHERE t.id = $2`,
    values: [JSON.stringify(CHALLENGES.toRow(challenge)), challenge.id],
  })
}

/** Takes challenges that are due, for this caller alone until their next time. */
export async function leaseChallenges(pool: Pool, lease: Lease): Promise<Challenge[]> {
  const rows = await leaseDue<Found>(
    pool,
    { table: 'challenges', key: 'id', returning: 'row_to_json(challenges) AS row' },
    lease,
  )
  return rows.map(({ row }) => CHALLENGES.fromRow(row))
}

/**
 * Marks the kept card of a challenge as ours, so that it is destroyed once nobody keeps it. While the payment is not
 * resolved, the mark is saved with the payment. False when nobody keeps the card.
 */
export async function ownKeptCard(tx: Db, { sellerId, invoiceId, cardId }: Challenge): Promise<boolean> {
  // Locked first, in a statement of its own: the next one sees a payment that was resolved meanwhile.
  await tx.query('SELECT FROM invoices WHERE id = $1 AND seller_id = $2 FOR UPDATE', [invoiceId, sellerId])
  const { rowCount } = await tx.query({
    name: 'own-kept-card',
    text: `WITH waiting AS (
        UPDATE invoice_transactions SET keep_card_is_ours = true
        WHERE invoice_id = $2 AND keep_card_id = $3 AND status = 'PENDING' RETURNING id),
      kept AS (
        UPDATE customers SET kept_card_is_ours = true WHERE seller_id = $1 AND kept_card_id = $3 RETURNING id)
      SELECT id FROM waiting UNION ALL SELECT id FROM kept`,
    values: [sellerId, invoiceId, cardId],
  })
  return (rowCount ?? 0) > 0
}

/** Whether the key of a request was used before. */
export async function isMarked(db: Db, mark: Mark): Promise<boolean> {
  const { rows } = await db.query<{ marked: boolean }>(`SELECT ${isMarkedSql('$1')} AS marked`, [
    markParameter(mark),
  ])
  return rows[0]?.marked === true
}

/** Forgets challenges that have been over for 30 days. Returns how many. */
export async function forgetChallenges(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM challenges WHERE ctid IN (
       SELECT ctid FROM challenges WHERE ask_at IS NULL AND updated_at < now() - interval '30 days' LIMIT 1000)`,
  )
  return rowCount ?? 0
}
