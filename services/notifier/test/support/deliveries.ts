import type { Pool } from '@cofre/platform/postgres/postgres'

export type DeliveryRow = {
  status: string
  attempts: number
  lastStatus: number | null
  lastError: string | null
  sequence: number
  body: string
  nextAttemptAt: Date | null
}

/** The stored deliveries of a charge, in their order. */
export async function deliveriesOf(pool: Pool, chargeId: number): Promise<DeliveryRow[]> {
  const { rows } = await pool.query(
    `SELECT status, attempts, last_status AS "lastStatus", last_error AS "lastError", sequence, body,
       next_attempt_at AS "nextAttemptAt"
     FROM deliveries WHERE resource_kind = 'charge' AND resource_id = $1 ORDER BY sequence, id`,
    [String(chargeId)],
  )
  return rows
}

/** Each attempt of a charge's deliveries: its number, and the status or the error. */
export async function attemptsOf(pool: Pool, chargeId: number): Promise<[number, number | string][]> {
  const { rows } = await pool.query(
    `SELECT number, attempts.status, error FROM attempts JOIN deliveries ON deliveries.id = delivery_id
     WHERE resource_id = $1 ORDER BY sequence, number`,
    [String(chargeId)],
  )
  return rows.map((row) => [row.number, row.status ?? row.error])
}
