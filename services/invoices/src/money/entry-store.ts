import type { ListPage, PageRequest } from '@cofre/platform/list-page'
import type { Row } from '@cofre/platform/postgres/columns'
import {
  readFollowing,
  readList,
  type FollowingRequest,
  type List,
} from '@cofre/platform/postgres/list-search'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../invoice/rules/invoice'
import type { Movement, MovementKind } from '../invoice/rules/movement'
import type { Share } from '../invoice/rules/shares'
import { MOVEMENTS } from '../invoice/store/invoice-columns'

/** Which entries of a recipient. `from`, `to`: when money moved, both included; undefined limits nothing. */
export type EntryFilter = {
  sellerId: number
  recipientId: number
  from: number | undefined
  to: number | undefined
}

/** What a recipient is owed of a movement, cents; negative: owed back. Times in epoch milliseconds. */
export type Entry = {
  id: number
  recipientId: number
  invoiceId: number
  movementId: number
  kind: MovementKind
  amount: number
  at: number
  recordedAt: number
}

const SELECT = `SELECT t.id, t.recipient_id AS "recipientId", t.invoice_id AS "invoiceId", t.movement_id AS "movementId",
    m.kind, t.amount, floor(extract(epoch FROM t.at) * 1000)::bigint AS at,
    floor(extract(epoch FROM t.created_at) * 1000)::bigint AS "recordedAt"
  FROM recipient_entries t JOIN movements m ON m.id = t.movement_id`

function listOf({ sellerId, recipientId, from, to }: EntryFilter): List {
  return {
    table: 'recipient_entries',
    select: SELECT,
    sellerId,
    conditions: [['t.recipient_id = $', recipientId]],
    statuses: [],
    ranges: [{ column: 'at', from, to }],
  }
}

/** A page of entries, the latest recorded first. Throws PAGE_TOO_DEEP. */
export function listEntries(
  pool: Pool,
  filter: EntryFilter,
  request: PageRequest & { after: number | undefined },
): Promise<ListPage<Entry>> {
  return readList<Entry>(pool, listOf(filter), request)
}

/** The entries that follow one, the latest recorded first, without a total. */
export function exportEntries(
  pool: Pool,
  filter: EntryFilter,
  request: FollowingRequest,
): Promise<Pick<ListPage<Entry>, 'entries' | 'more' | 'place'>> {
  return readFollowing<Entry>(pool, listOf(filter), request)
}

/** All movements of an invoice, in the order in which they were recorded. */
export async function movementsOf(db: Db, invoiceId: number): Promise<Movement[]> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'movements-to-split',
    text: 'SELECT row_to_json(t) AS row FROM movements t WHERE t.invoice_id = $1 ORDER BY t.id',
    values: [invoiceId],
  })
  return rows.map(({ row }) => MOVEMENTS.fromRow(row))
}

/** Enters shares of an invoice's movements, each once. */
export async function enterShares(
  db: Db,
  { id, sellerId }: Pick<Invoice, 'id' | 'sellerId'>,
  shares: readonly Share[],
): Promise<void> {
  await db.query({
    name: 'enter-shares',
    text: `INSERT INTO recipient_entries (seller_id, recipient_id, invoice_id, movement_id, amount, at, created_at)
      SELECT $1, r.recipient_id, $2, r.movement_id, r.amount, to_timestamp(r.at / 1000.0), to_timestamp(r.made / 1000.0)
      FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
        AS r (recipient_id, movement_id, amount, at, made)`,
    values: [
      sellerId,
      id,
      shares.map(({ recipientId }) => recipientId),
      shares.map(({ movementId }) => movementId),
      shares.map(({ amount }) => amount),
      shares.map(({ at }) => at),
      shares.map(({ recordedAt }) => recordedAt),
    ],
  })
}
