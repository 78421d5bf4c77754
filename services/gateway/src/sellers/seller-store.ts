import type { Pool } from '@cofre/platform/postgres/postgres'

export type Seller = { id: number; name: string; createdAt: number; lenient: boolean }

const MAX_LISTED = 10_000

type Row = { id: number; name: string; created_at: Date; lenient: boolean }

const COLUMNS = 'id, name, created_at, lenient'

export async function insertSeller(pool: Pool, name: string): Promise<Seller> {
  const { rows } = await pool.query<Row>(`INSERT INTO sellers (name) VALUES ($1) RETURNING ${COLUMNS}`, [
    name,
  ])
  return toSeller(rows[0] as Row)
}

export async function findSeller(pool: Pool, id: number): Promise<Seller | undefined> {
  const { rows } = await pool.query<Row>(`SELECT ${COLUMNS} FROM sellers WHERE id = $1`, [id])
  return rows[0] && toSeller(rows[0])
}

/** Sets whether unknown members in a seller's bodies are ignored. Undefined when there is no such seller. */
export async function setSellerHandling(
  pool: Pool,
  id: number,
  lenient: boolean,
): Promise<Seller | undefined> {
  const { rows } = await pool.query<Row>(
    `UPDATE sellers SET lenient = $2 WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, lenient],
  )
  return rows[0] && toSeller(rows[0])
}

/** Returns the sellers, oldest first. */
export async function listSellers(pool: Pool): Promise<Seller[]> {
  const { rows } = await pool.query<Row>(`SELECT ${COLUMNS} FROM sellers ORDER BY id LIMIT ${MAX_LISTED}`)
  return rows.map(toSeller)
}

function toSeller(row: Row): Seller {
  return { id: row.id, name: row.name, createdAt: row.created_at.getTime(), lenient: row.lenient }
}
