import { notFound } from '@cofre/platform/errors'
import { answerMark, freeMarksSql } from '@cofre/platform/idempotency/mark'
import type { Row, Table } from '@cofre/platform/postgres/columns'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import { withTransaction, type Db, type Pool, type PoolClient } from '@cofre/platform/postgres/postgres'
import type { AskDecision, RegisteredAsk } from '../rules/registered-ask'

/** An invoice has a new ask only when another was refused or is over: few have more than two. */
const LISTED_MAX = 100

/** An ask that money may still be on its way for: it can be paid, or the bank is to be asked about it once more. */
export const MAY_BE_PAID = `(status IN ('PENDING', 'REGISTERED') OR status IN ('EXPIRED', 'CANCELLED') AND ask_at IS NOT NULL)`

/**
 * `number`: the column with the bank's name of an ask. `shown`: which of its rows `t` sellers and payers see and ask for;
 * absent: all. `answerOf`: the answer to the request for one, for its mark.
 */
type Kind<A> = {
  table: string
  number: string
  shown?: string
  columns: Table<A>
  answerOf(ask: A): Uint8Array
}

type Decide<A extends RegisteredAsk> = (ask: A) => AskDecision<A>
type Found = { row: Row }

export type AskStore<A extends RegisteredAsk> = ReturnType<typeof askStore<A>>

/** The stored asks of one method. */
export function askStore<A extends RegisteredAsk>(kind: Kind<A>) {
  return { ...reading(kind), ...changing(kind), ...sweeping(kind) }
}

type Select<A> = (db: Db, what: string, condition: string, values: unknown[]) => Promise<A[]>

function selectFrom<A>({ table, columns }: Kind<A>): Select<A> {
  return async (db, what, condition, values) => {
    const text = `SELECT row_to_json(t) AS row FROM ${table} t WHERE ${condition}`
    const { rows } = await db.query<Found>({ name: `${what}-${table}`, text, values })
    return rows.map(({ row }) => columns.fromRow(row))
  }
}

function reading<A extends RegisteredAsk>(kind: Kind<A>) {
  const select = selectFrom(kind)
  const { shown = 'true' } = kind
  return {
    find: async (db: Db, askNumber: string): Promise<A | undefined> =>
      (await select(db, 'find', `t.${kind.number} = $1`, [askNumber]))[0],

    /** Reads the ask with a public id. NOT_FOUND. */
    readPublic: async (db: Db, publicId: string): Promise<A> => {
      const [ask] = await select(db, 'read-public', 't.public_id = $1', [publicId])
      if (!ask) throw notFound()
      return ask
    },

    /** The asks of a seller's invoice that the bank did not refuse, newest first: one, or the latest `LISTED_MAX`. */
    ofInvoice: (db: Db, of: { sellerId: number; invoiceId: number }, id?: number): Promise<A[]> => {
      const condition = `t.invoice_id = $1 AND t.seller_id = $2 AND t.status <> 'REFUSED'
        AND ($3::bigint IS NULL OR t.id = $3) AND ${shown} ORDER BY t.id DESC LIMIT ${LISTED_MAX}`
      return select(db, 'list', condition, [of.invoiceId, of.sellerId, id ?? null])
    },

    /** The newest ask of an invoice, cancelled ones left out. */
    latest: async (db: Db, invoiceId: number): Promise<A | undefined> => {
      const condition = `t.invoice_id = $1 AND t.status <> 'CANCELLED' AND ${shown} ORDER BY t.id DESC LIMIT 1`
      return (await select(db, 'latest', condition, [invoiceId]))[0]
    },

    /** Those of an invoice whose money may be on its way. */
    mayBePaid: (db: Db, invoiceId: number): Promise<A[]> =>
      select(db, 'may-be-paid', `t.invoice_id = $1 AND ${MAY_BE_PAID} ORDER BY t.id`, [invoiceId]),

    byIds: async (db: Db, ids: readonly number[]): Promise<Map<number, A>> => {
      const asks = await select(db, 'read', 't.id = ANY($1)', [ids])
      return new Map(asks.map((ask) => [ask.id, ask]))
    },
  }
}

function changing<A extends RegisteredAsk>(kind: Kind<A>) {
  const { table, columns, shown = 'true' } = kind
  const select = selectFrom(kind)

  /** Locks an ask. A caller that also locks its invoice must lock the invoice first. */
  const lock = async (tx: Db, id: number): Promise<A> => {
    const [ask] = await select(tx, 'lock', 't.id = $1 FOR UPDATE', [id])
    if (!ask) throw new Error(`a row of ${table} is gone`)
    return ask
  }

  /** Locks the payable asks of invoices, and returns them by invoice. The caller has locked the invoices. */
  const lockOpen = async (tx: Db, invoiceIds: readonly number[]): Promise<Map<number, A>> => {
    const open = `t.invoice_id = ANY($1) AND t.status IN ('PENDING', 'REGISTERED') AND ${shown} ORDER BY t.id FOR UPDATE`
    const asks = await select(tx, 'lock-open', open, [invoiceIds])
    return new Map(asks.map((ask) => [ask.invoiceId, ask]))
  }

  /** Locks all payable asks of an invoice, also those that nobody is shown. The caller has locked the invoice. */
  const lockAllOpen = (tx: Db, invoiceId: number): Promise<A[]> => {
    const open = `t.invoice_id = $1 AND t.status IN ('PENDING', 'REGISTERED') ORDER BY t.id FOR UPDATE`
    return select(tx, 'lock-all-open', open, [invoiceId])
  }

  /** Saves an ask that the caller has locked. */
  const save = async (tx: Db, ask: A): Promise<void> => {
    // A new `ask_at` means that the last question was answered, so the count of `asks` starts again.
    const text = `UPDATE ${table} t
      SET compare_at = CASE WHEN r.status <> t.status THEN r.updated_at + interval '1 hour' ELSE t.compare_at END,
        asks = CASE WHEN r.ask_at IS DISTINCT FROM t.ask_at THEN 0 ELSE t.asks END, ${columns.updated('r')}
      FROM json_populate_record(null::${table}, $1::json) r WHERE t.id = $2 AND t.version = r.version - 1`
    const values = [JSON.stringify(columns.toRow(ask)), ask.id]
    const { rowCount } = await tx.query({ name: `save-${table}`, text, values })
    if (rowCount !== 1) throw new Error(`a locked row of ${table} changed`)
  }

  /** Locks an ask, decides, saves it, and ends its request's mark. An unchanged ask is returned as it is. */
  const change = async (tx: PoolClient, id: number, decide: Decide<A>): Promise<A> => {
    const before = await lock(tx, id)
    const { ask, mark } = decide(before)
    if (ask !== before) await save(tx, ask)
    if (mark?.end === 'freed') await tx.query(freeMarksSql('$1', 'true'), [[mark.operationId]])
    if (mark?.end === 'answered') await answerMark(tx, mark.operationId, kind.answerOf(ask))
    return ask
  }

  /** Changes an ask in a transaction of its own. */
  const update = (pool: Pool, id: number, decide: Decide<A>): Promise<A> =>
    withTransaction(pool, (tx) => change(tx, id, decide))

  return { lock, lockOpen, lockAllOpen, save, change, update }
}

function sweeping<A>({ table, number }: Kind<A>) {
  return {
    /** Takes asks that are due, for this caller alone until their next time. Returns their numbers. */
    lease: async (pool: Pool, lease: Lease): Promise<string[]> => {
      const due = { table, key: number, returning: `${number} AS number` }
      return (await leaseDue<{ number: string }>(pool, due, lease)).map((row) => row.number)
    },

    /**
     * The age in seconds, at a moment (epoch milliseconds), of the oldest ask whose registration or withdrawal the bank
     * has not answered.
     */
    oldestPendingAge: async (db: Db, at: number): Promise<number> => {
      const { rows } = await db.query<{ age: number }>(
        `SELECT greatest(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS age FROM ${table}
         WHERE ask_at IS NOT NULL AND (status = 'PENDING' OR withdrawing)`,
        [new Date(at)],
      )
      return rows[0]?.age ?? 0
    },

    /** How many asks the bank cannot be asked about, since their sellers have no account there, up to 10,000. */
    countWithoutAccount: async (db: Db): Promise<number> => {
      const { rows } = await db.query<{ total: number }>(
        `SELECT count(*) AS total FROM (
           SELECT FROM ${table} WHERE account_gone_at IS NOT NULL AND ask_at IS NOT NULL LIMIT 10000) AS gone`,
      )
      return rows[0]?.total ?? 0
    },
  }
}
