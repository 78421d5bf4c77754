import type { Pool } from './postgres'

/** Keeps a sealed value under a name, unless one is kept already. Returns the one that is kept. */
export async function keepKeyCheck(pool: Pool, name: string, sealed: Buffer): Promise<Buffer> {
  await pool.query('INSERT INTO key_checks (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    name,
    sealed,
  ])
  const { rows } = await pool.query<{ sealed: Buffer }>('SELECT sealed FROM key_checks WHERE name = $1', [
    name,
  ])
  if (!rows[0]) throw new Error('the check of a key is gone')
  return rows[0].sealed
}
