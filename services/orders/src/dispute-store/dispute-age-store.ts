import { addDays, dayOf } from '@cofre/platform/calendar-day'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { databaseNow } from '@cofre/platform/service/database-clock'

/** Age of the oldest answer that may not have arrived, in seconds; 0 without one. */
export async function oldestAnswerAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ age: number }>(
    `SELECT coalesce(extract(epoch FROM $1::timestamptz - min(updated_at)), 0)::float8 AS age
     FROM disputes WHERE ask_at IS NOT NULL`,
    [new Date(databaseNow())],
  )
  return rows[0]?.age ?? 0
}

/** How many disputes without an answer have their last day today or tomorrow. */
export async function countDueTomorrow(pool: Pool): Promise<number> {
  const today = dayOf(databaseNow())
  const { rows } = await pool.query<{ due: number }>(
    `SELECT count(*) AS due FROM disputes
     WHERE due_at IS NOT NULL AND answer_kind IS NULL AND respond_by BETWEEN $1 AND $2`,
    [today, addDays(today, 1)],
  )
  return rows[0]?.due ?? 0
}
