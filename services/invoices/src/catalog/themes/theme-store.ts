import type { Db } from '@cofre/platform/postgres/postgres'
import { changing, changingTime, fixed, table, type Row } from '@cofre/platform/postgres/columns'
import type { Theme } from './theme'

type StoredTheme = Theme & { sellerId: number; updatedAt: number }

/** The one place that names the columns of a theme. */
const THEMES = table<StoredTheme>({
  sellerId: fixed,
  primaryColor: changing,
  secondaryColor: changing,
  logoUrl: changing,
  headerBackground: changing,
  headerText: changing,
  bodyBackground: changing,
  bodyText: changing,
  updatedAt: changingTime,
})

/** The theme of a seller. Undefined when the seller has none of its own. */
export async function findTheme(db: Db, sellerId: number): Promise<Theme | undefined> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'read-theme',
    text: 'SELECT row_to_json(t) AS row FROM themes t WHERE seller_id = $1',
    values: [sellerId],
  })
  return rows[0] && themeOf(rows[0].row)
}

export async function saveTheme(db: Db, theme: StoredTheme): Promise<void> {
  await db.query(
    `INSERT INTO themes AS t (${THEMES.inserted()})
     SELECT ${THEMES.inserted('r')} FROM json_populate_record(null::themes, $1::json) r
     ON CONFLICT (seller_id) DO UPDATE SET ${THEMES.updated('excluded')}`,
    [JSON.stringify(THEMES.toRow(theme))],
  )
}

function themeOf(row: Row): Theme {
  const { sellerId: _sellerId, updatedAt: _updatedAt, ...theme } = THEMES.fromRow(row)
  return theme
}
