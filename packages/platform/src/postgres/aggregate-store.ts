import { notFound } from '../errors'
import type { DomainEvent } from '../events/outbox'
import type { Replayable } from '../grpc/replayable'
import type { Codec } from '../idempotency/idempotency'
import { answerOf, insertMark, NO_MARKS, type Mark, type Marks } from '../idempotency/mark'
import { savingOf } from './aggregate-statement'
import type { NewRow, Row, Table } from './columns'
import { withTransaction, type Db, type Pool, type PoolClient } from './postgres'

/** Rows of a table that belong to an aggregate, saved with it. */
type Part<Decision> = {
  /** SQL that saves the JSON rows at this parameter. They belong to the aggregate `$1`, which `saved` holds. */
  save(rows: string): string
  /** SQL that saves one row of which each value is a parameter. Without this, `save` saves also a single one. */
  saveOne?(row: NewRow): string
  /** The rows that a decision changes. */
  changedBy(decision: Decision): Row[]
}

/**
 * How the aggregates of one kind are stored. `Entity` is an aggregate under its own name, as a decision and a stored
 * aggregate have it: `{ charge: Charge }`.
 */
export type Kind<Key, Value, Entity, Stored, Decision, Message> = {
  /** Its name in statements and errors: `voucher-payment`. */
  name: string
  table: string
  /** The column that names an aggregate. */
  id: keyof Key & keyof Value & string
  columns: Pick<Table<Value>, 'updated' | 'toRow'>
  /** One more assignment of each update: of the row `t`, from values of the new row. */
  alsoSet(valueOf: (column: string) => string): string
  parts?: readonly Part<Decision>[]
  /** Selects whole aggregates `t`; the store adds its condition. */
  select: string
  storedOf(row: never): Stored
  valueOf(entity: Entity): Value
  message: Codec<Message>
  toMessage(value: Value): Message
  /** The events of a decision, with the message of the aggregate as it is after the decision. */
  eventsOf(decision: Decision, message: Message): DomainEvent[]
  /** The marks that end with a decision; without this, none do. */
  marksOf?(decision: Decision): Marks
}

type Changes<Key, Value, Stored, Decision, Message> = {
  /** Undefined also for another seller's aggregate. */
  find(db: Db, key: Key): Promise<Stored | undefined>
  /** Throws NOT_FOUND, also for another seller's aggregate. */
  read(db: Db, key: Key): Promise<Stored>
  /**
   * Saves a whole decision in one statement: the aggregate, its events, and the marks that end with it. Returns
   * undefined, and saves nothing, when the aggregate has changed since the decision's `before`. The one message is the
   * content of the events, the kept answer of the marks, and the response.
   */
  save(db: Db, decision: Decision): Promise<(Decision & { message: Message }) | undefined>
  /** Locks, decides, and saves, within the caller's transaction. Without a decision the aggregate stays as it is. */
  decideLocked(
    tx: PoolClient,
    key: Key,
    decide: (value: Value) => Decision | undefined,
  ): Promise<Stored & { message: Message }>
  /** Does the same as `decideLocked`, in a transaction of its own. */
  update(
    pool: Pool,
    key: Key,
    decide: (value: Value) => Decision | undefined,
  ): Promise<Stored & { message: Message }>
}

type Operations<Key, Value, Entity, Stored, Decision, Message> = {
  /**
   * Saves the outcome of a call to a partner in one statement, decided on the aggregate as it was before the call. When
   * the sweeper was faster, decides again on its result. The sweeper may have answered the key too: its answer stays.
   */
  saveOutcome(
    pool: Pool,
    snapshot: Value,
    decide: (value: Value) => Decision,
  ): Promise<Entity & { answer: Message }>
  /** Saves an intention with its operation's mark, or returns the answer that the Idempotency-Key has kept. */
  beginOperation(
    pool: Pool,
    mark: Mark,
    key: Key,
    decide: (value: Value) => Decision,
  ): Promise<Stored | Replayable<Message>>
  replayOf(kept: Uint8Array): Replayable<Message>
}

/** The one way to read and change the aggregates of a kind: lock, decide, save by version, with outbox and marks. */
export function aggregateStore<
  Key extends { sellerId: number },
  Value extends Key,
  Entity extends object,
  Stored extends Entity,
  Decision extends Entity,
  Message,
>(
  kind: Kind<Key, Value, Entity, Stored, Decision, Message>,
): Changes<Key, Value, Stored, Decision, Message> &
  Operations<Key, Value, Entity, Stored, Decision, Message> {
  const changes = changesOf(kind)
  return { ...changes, ...operationsOf(kind, changes) }
}

function changesOf<
  Key extends { sellerId: number },
  Value extends Key,
  Entity extends object,
  Stored extends Entity,
  Decision extends Entity,
  Message,
>(kind: Kind<Key, Value, Entity, Stored, Decision, Message>) {
  type Store = Changes<Key, Value, Stored, Decision, Message>
  const { name, table, id, toMessage, marksOf = noMarks } = kind
  const saving = savingOf(kind)
  const find: Store['find'] = async (db, key) => {
    const { rows } = await db.query({
      name: `read-${name}`,
      text: `${kind.select} WHERE t.${id} = $1 AND t.seller_id = $2`,
      values: [key[id], key.sellerId],
    })
    return rows[0] && kind.storedOf(rows[0] as never)
  }
  const read: Store['read'] = async (db, key) => {
    const stored = await find(db, key)
    if (!stored) throw notFound()
    return stored
  }
  const save: Store['save'] = async (db, decision) => {
    const message = toMessage(kind.valueOf(decision))
    const { rowCount } = await db.query(saving(decision, message, marksOf(decision)))
    return rowCount === 1 ? { ...decision, message } : undefined
  }
  const decideLocked: Store['decideLocked'] = async (tx, key, decide) => {
    const lock = `SELECT FROM ${table} WHERE ${id} = $1 AND seller_id = $2 FOR UPDATE`
    // Two statements: the second reads the aggregate as the last holder of the lock left it.
    await tx.query(lock, [key[id], key.sellerId])
    const stored = await read(tx, key)
    const decision = decide(kind.valueOf(stored))
    if (!decision) return { ...stored, message: toMessage(kind.valueOf(stored)) }
    const saved = await save(tx, decision)
    if (!saved) throw new Error(`a locked ${name} changed`)
    return { ...stored, ...saved }
  }
  const update: Store['update'] = (pool, key, decide) =>
    withTransaction(pool, (tx) => decideLocked(tx, key, decide))
  return { find, read, save, decideLocked, update }
}

function operationsOf<
  Key,
  Value extends Key,
  Entity,
  Stored extends Entity,
  Decision extends Entity,
  Message,
>(
  { message: codec, marksOf = noMarks }: Kind<Key, Value, Entity, Stored, Decision, Message>,
  { save, decideLocked }: Changes<Key, Value, Stored, Decision, Message>,
): Operations<Key, Value, Entity, Stored, Decision, Message> {
  type Store = Operations<Key, Value, Entity, Stored, Decision, Message>
  const saveOutcome: Store['saveOutcome'] = async (pool, snapshot, decide) => {
    const saved = await save(pool, decide(snapshot))
    if (saved) return { ...saved, answer: saved.message }
    return withTransaction(pool, async (tx) => {
      let ended = NO_MARKS
      const again = await decideLocked(tx, snapshot, (value) => {
        const decision = decide(value)
        ended = marksOf(decision)
        return decision
      })
      const [operationId] = ended.answered
      const kept = operationId === undefined ? undefined : await answerOf(tx, operationId)
      return { ...again, answer: kept ? codec.decode(kept) : again.message }
    })
  }
  const replayOf: Store['replayOf'] = (kept) => ({ response: codec.decode(kept), replayed: true })
  const beginOperation: Store['beginOperation'] = (pool, mark, key, decide) =>
    withTransaction(pool, async (tx) => {
      const kept = await insertMark(tx, mark)
      return kept ? replayOf(kept) : decideLocked(tx, key, decide)
    })
  return { saveOutcome, replayOf, beginOperation }
}

const noMarks = () => NO_MARKS
