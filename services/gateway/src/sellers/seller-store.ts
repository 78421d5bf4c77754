import type { Pool } from '@cofre/platform/postgres/postgres'

export type Seller = { id: number; name: string; createdAt: number }

const MAX_LISTED = 10_000

type Row = { id: number; name: string; created_at: Date }

export async function insertSeller(pool: Pool, name: string): Promise<Seller> {
  const { rows } = await pool.query<Row>(
    'INSERT INTO sellers (name) VALUES ($1) RETURNING id, name, created_at',
    [name],
  )
  return toSeller(rows[0] as Row)
}

export async function findSeller(pool: Pool, id: number): Promise<Seller | undefined> {
  const { rows } = await pool.query<Row>('SELECT id, name, created_at FROM sellers WHERE id = $1', [id])
  return rows[0] && toSeller(rows[0])
}

/** Oldest first. */
export async function listSellers(pool: Pool): Promise<Seller[]> {
  const { rows } = await pool.query<Row>(
    `SELECT id, name, created_at FROM sellers ORDER BY id LIMIT ${MAX_LISTED}`,
  )
  return rows.map(toSeller)
}

function toSeller(row: Row): Seller {
  return { id: row.id, name: row.name, createdAt: row.created_at.getTime() }
}
