import { randomUUID } from 'node:crypto'
import { currentCall, type IdempotencyKey } from '../grpc/call-context'
import { DomainError } from '../errors'
import type { Db, Pool, PoolClient } from '../postgres/postgres'

/**
 * The mark of one operation: the record in the database that its request's Idempotency-Key is used. It is written with
 * the operation's effect and keeps the operation's answer for 7 days. A request without a key leaves no mark.
 */
export type Mark = Readonly<{ sellerId: number; operationId: string; key: IdempotencyKey | undefined }>

/**
 * The operations whose marks end with a decision, by id. An answered mark keeps the saved aggregate as its answer.
 * A freed mark lets the caller make the request again.
 */
export type Marks = { answered: readonly string[]; freed: readonly string[] }

export const NO_MARKS: Marks = { answered: [], freed: [] }

/** Makes the mark of the current request, as a new operation. */
export function newMark(sellerId: number): Mark {
  return { sellerId, operationId: randomUUID(), key: currentCall()?.idempotency }
}

/**
 * SQL that inserts the mark of `markParameter`, unless it exists or the request carries no key. `when`: one more
 * condition, such as `(SELECT admitted FROM verdict)`.
 */
export function insertMarkSql(parameter: string, when = 'true'): string {
  return `INSERT INTO idempotency (seller_id, key, method, path, fingerprint, operation_id)
    SELECT seller_id, key, method, path, fingerprint, operation_id FROM jsonb_to_record(${parameter}::jsonb)
      AS m(seller_id bigint, key text, method text, path text, fingerprint text, operation_id uuid)
    WHERE key IS NOT NULL AND ${when}
    ON CONFLICT ON CONSTRAINT idempotency_scope DO NOTHING RETURNING operation_id`
}

/** SQL that is true when the key of the mark at `parameter` was used before. */
export function isMarkedSql(parameter: string): string {
  return `EXISTS (SELECT FROM idempotency i JOIN jsonb_to_record(${parameter}::jsonb)
      AS m(seller_id bigint, key text, method text, path text)
    ON i.seller_id = m.seller_id AND i.key = m.key AND i.method = m.method AND i.path = m.path)`
}

/** The parameter for `insertMarkSql`; an empty object when the request carries no key. */
export function markParameter({ sellerId, operationId, key }: Mark): string {
  return JSON.stringify(key ? { ...key, seller_id: sellerId, operation_id: operationId } : {})
}

/** SQL, for a larger statement, that stores the answer at `response` in the marks of `operationIds`. */
export function answerMarksSql(operationIds: string, response: string, when: string): string {
  return `UPDATE idempotency SET response = ${response}, completed_at = now()
    WHERE operation_id = ANY(${operationIds}::uuid[]) AND response IS NULL AND ${when}`
}

/** SQL that deletes the marks of `operationIds`, so that their requests may be sent again. */
export function freeMarksSql(operationIds: string, when: string): string {
  return `DELETE FROM idempotency
    WHERE operation_id = ANY(${operationIds}::uuid[]) AND response IS NULL AND ${when}`
}

/** Inserts the mark within a transaction. When another request holds the key, returns its kept answer or throws. */
export async function insertMark(tx: PoolClient, mark: Mark): Promise<Uint8Array | undefined> {
  if (!mark.key) return undefined
  const { rowCount } = await tx.query(insertMarkSql('$1'), [markParameter(mark)])
  return rowCount === 1 ? undefined : keptAnswer(tx, mark)
}

/** Stores the encoded answer of an operation in its mark. */
export async function answerMark(db: Db, operationId: string, response: Uint8Array): Promise<void> {
  await db.query(answerMarksSql('$1', '$2', 'true'), [[operationId], response])
}

/**
 * Stores the encoded answer of an operation in its mark, unless one is kept. Returns the kept one; undefined when there
 * was none, and when the operation left no mark.
 */
export async function answerOnce(
  db: Db,
  operationId: string,
  response: Uint8Array,
): Promise<Uint8Array | undefined> {
  // The last part sees the mark as it was before.
  const text = `WITH answered AS (${answerMarksSql('ARRAY[$1]', '$2', 'true')})
    SELECT response FROM idempotency WHERE operation_id = $1`
  const { rows } = await db.query({ name: 'answer-once', text, values: [operationId, response] })
  return rows[0]?.response ?? undefined
}

/** The answer of an operation; undefined when it left no mark, or is in flight. */
export async function answerOf(db: Db, operationId: string): Promise<Uint8Array | undefined> {
  const { rows } = await db.query('SELECT response FROM idempotency WHERE operation_id = $1', [operationId])
  return rows[0]?.response ?? undefined
}

/** The answer kept for the request's key; undefined when it has no key, or a new one. Throws as keptAnswer. */
export async function answerOfKey(db: Db, mark: Mark): Promise<Uint8Array | undefined> {
  if (!mark.key) return undefined
  const { rows } = await db.query<{ marked: boolean }>(`SELECT ${isMarkedSql('$1')} AS marked`, [
    markParameter(mark),
  ])
  return rows[0]?.marked ? keptAnswer(db, mark) : undefined
}

/** The answer kept for a key that another request used first. Throws when that one still runs, or had another body. */
export async function keptAnswer(db: Db, { sellerId, key }: Mark): Promise<Uint8Array> {
  if (!key) throw new Error('a request without a key has no kept answer')
  const { rows } = await db.query(
    `SELECT fingerprint, response FROM idempotency
     WHERE seller_id = $1 AND key = $2 AND method = $3 AND path = $4`,
    [sellerId, key.key, key.method, key.path],
  )
  const kept = rows[0]
  if (kept && !isSameBody(kept.fingerprint, key)) {
    const message = 'This Idempotency-Key was used for another body.'
    throw new DomainError('failed_precondition', 'IDEMPOTENCY_KEY_REUSED', message)
  }
  // No row: the holder released the key a moment ago. For the caller that is the same as still running.
  if (!kept?.response) {
    const message = 'The first request with this key is still running.'
    throw new DomainError('conflict', 'IDEMPOTENCY_KEY_IN_USE', message, { retryAfterSeconds: 1 })
  }
  return kept.response
}

/** The fingerprints of a request's body. Its mark may have any of them. */
export function fingerprintsOf({ fingerprint, otherFingerprints = [] }: IdempotencyKey): string[] {
  return [fingerprint, ...otherFingerprints]
}

/** True when the fingerprint of a mark is that of the request's body, under any key. */
export function isSameBody(kept: string, key: IdempotencyKey): boolean {
  return fingerprintsOf(key).includes(kept)
}

/** Deletes marks older than 7 days. The mark of an operation in flight stays until it is resolved. Returns how many. */
export async function forgetMarks(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM idempotency WHERE ctid IN (
       SELECT ctid FROM idempotency WHERE created_at < now() - interval '7 days' AND response IS NOT NULL LIMIT 1000)`,
  )
  return rowCount ?? 0
}
