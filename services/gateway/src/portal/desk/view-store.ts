import type { Pool } from '@cofre/platform/postgres/postgres'

/** So many views of one list a person keeps. */
export const VIEWS_MAX = 20

/** Filters of a list under a name. `query`: as they stand in its address. */
export type SavedView = { name: string; query: string }

/** The list of a person. */
export type ListOf = { userId: number; list: string }

export async function listViews(pool: Pool, { userId, list }: ListOf): Promise<SavedView[]> {
  const { rows } = await pool.query<SavedView>({
    name: 'list-portal-views',
    text: `SELECT name, query FROM portal_views WHERE user_id = $1 AND list = $2 ORDER BY name LIMIT ${VIEWS_MAX}`,
    values: [userId, list],
  })
  return rows
}

/** Keeps a view; one of the same name is replaced. False when the person keeps as many as there may be. */
export async function saveView(
  pool: Pool,
  { userId, list, name, query }: ListOf & SavedView,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO portal_views (user_id, list, name, query)
     SELECT $1, $2, $3, $4
     WHERE (SELECT count(*) FROM portal_views WHERE user_id = $1 AND list = $2 AND name <> $3) < ${VIEWS_MAX}
     ON CONFLICT (user_id, list, name) DO UPDATE SET query = $4`,
    [userId, list, name, query],
  )
  return rowCount === 1
}

export async function deleteView(
  pool: Pool,
  { userId, list, name }: ListOf & Pick<SavedView, 'name'>,
): Promise<void> {
  await pool.query('DELETE FROM portal_views WHERE user_id = $1 AND list = $2 AND name = $3', [
    userId,
    list,
    name,
  ])
}
