import { notFound } from '@cofre/platform/errors'
import type { ListPage } from '@cofre/platform/list-page'
import { table, type Columns, type Row } from '@cofre/platform/postgres/columns'
import { readList, type List, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'

/** A record that a seller keeps, and replaces as a whole. */
type Kept = { id: number; sellerId: number; createdAt: number; updatedAt: number }

/** What a replacement leaves as it is. */
type Lasting = 'createdAt' | 'linkToken'

type RecordKey = { sellerId: number; id: number }

/** The statements for a table of records, each of one seller: another seller's is not found. */
export function recordStore<Entity extends Kept>(
  name: 'customers' | 'products' | 'recipients',
  columns: Columns<Entity>,
) {
  const stored = table<Entity>(columns)
  const select = `SELECT row_to_json(t) AS row FROM ${name} t`
  const recordOf = ({ row }: { row: Row }) => stored.fromRow(row)
  const oneOf = (rows: { row: Row }[]) => {
    if (!rows[0]) throw notFound()
    return recordOf(rows[0])
  }
  return {
    async insert(db: Db, record: Omit<Entity, 'id'>): Promise<Entity> {
      const { rows } = await db.query<{ row: Row }>({
        name: `insert-${name}`,
        text: `INSERT INTO ${name} AS t (${stored.inserted()})
          SELECT ${stored.inserted('r')} FROM json_populate_record(null::${name}, $1::json) r
          RETURNING row_to_json(t) AS row`,
        values: [JSON.stringify(stored.toRow({ ...record, id: 0 } as Entity))],
      })
      return oneOf(rows)
    },

    /** Throws NOT_FOUND. */
    async read(db: Db, { sellerId, id }: RecordKey): Promise<Entity> {
      const { rows } = await db.query<{ row: Row }>({
        name: `read-${name}`,
        text: `${select} WHERE t.id = $1 AND t.seller_id = $2`,
        values: [id, sellerId],
      })
      return oneOf(rows)
    },

    /** Replaces every field. Throws NOT_FOUND. */
    async replace(db: Db, record: Omit<Entity, Lasting>): Promise<Entity> {
      const { id, sellerId, updatedAt } = record as Entity
      const { rows } = await db.query<{ row: Row }>({
        name: `replace-${name}`,
        text: `UPDATE ${name} t SET ${stored.updated('r')}
          FROM json_populate_record(null::${name}, $1::json) r WHERE t.id = $2 AND t.seller_id = $3
          RETURNING row_to_json(t) AS row`,
        values: [JSON.stringify(stored.toRow({ ...record, createdAt: updatedAt } as Entity)), id, sellerId],
      })
      return oneOf(rows)
    },

    /** Deletes the row, and all its data with it. False when the seller has none. */
    async remove(db: Db, { sellerId, id }: RecordKey): Promise<boolean> {
      const text = `DELETE FROM ${name} WHERE id = $1 AND seller_id = $2`
      const { rowCount } = await db.query(text, [id, sellerId])
      return rowCount === 1
    },

    /** A page of a seller's records, newest first. Throws PAGE_TOO_DEEP. */
    async list(
      pool: Pool,
      sellerId: number,
      conditions: List['conditions'],
      request: ListRequest,
    ): Promise<ListPage<Entity>> {
      const list = { table: name, select, sellerId, conditions, statuses: [] }
      const { entries, ...end } = await readList<{ row: Row }>(pool, list, request)
      return { entries: entries.map(recordOf), ...end }
    },
  }
}
