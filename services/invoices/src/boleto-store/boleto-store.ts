import { notFound } from '@cofre/platform/errors'
import { answerMark, freeMarksSql } from '@cofre/platform/idempotency/mark'
import type { Row } from '@cofre/platform/postgres/columns'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import { withTransaction, type Db, type Pool, type PoolClient } from '@cofre/platform/postgres/postgres'
import { IssueBoletoResponse } from '@cofre/proto/invoices/v1/boletos'
import type { Boleto } from '../boleto/boleto'
import { ourNumberOf } from '../boleto/our-number'
import { withdraw, type BoletoDecision } from '../boleto/transition'
import { BOLETOS } from './boleto-columns'
import { boletoMessage } from './boleto-message'

const SELECT_BOLETO = 'SELECT row_to_json(t) AS row FROM boletos t'

type Found = { row: Row }

export async function findBoleto(db: Db, ourNumber: string): Promise<Boleto | undefined> {
  const { rows } = await db.query<Found>({
    name: 'find-boleto-by-number',
    text: `${SELECT_BOLETO} WHERE t.our_number = $1`,
    values: [ourNumber],
  })
  return rows[0] && BOLETOS.fromRow(rows[0].row)
}

/** Reads the slip with a public id. NOT_FOUND. */
export async function readPublicBoleto(db: Db, publicId: string): Promise<Boleto> {
  const { rows } = await db.query<Found>({
    name: 'read-public-boleto',
    text: `${SELECT_BOLETO} WHERE t.public_id = $1`,
    values: [publicId],
  })
  if (!rows[0]) throw notFound()
  return BOLETOS.fromRow(rows[0].row)
}

/** The newest slip of an invoice, cancelled ones left out. */
export async function findLatestBoleto(db: Db, invoiceId: number): Promise<Boleto | undefined> {
  const { rows } = await db.query<Found>({
    name: 'find-latest-boleto',
    text: `${SELECT_BOLETO} WHERE t.invoice_id = $1 AND t.status <> 'CANCELLED' ORDER BY t.id DESC LIMIT 1`,
    values: [invoiceId],
  })
  return rows[0] && BOLETOS.fromRow(rows[0].row)
}

/** Locks the payable slip of an invoice. The caller has locked the invoice. */
export async function lockOpenBoleto(tx: Db, invoiceId: number): Promise<Boleto | undefined> {
  const { rows } = await tx.query<Found>({
    name: 'lock-open-boleto',
    text: `${SELECT_BOLETO} WHERE t.invoice_id = $1 AND t.status IN ('PENDING', 'REGISTERED') FOR UPDATE`,
    values: [invoiceId],
  })
  return rows[0] && BOLETOS.fromRow(rows[0].row)
}

/** Locks the payable slips of invoices, and returns them by invoice. The caller has locked the invoices. */
export async function lockOpenBoletos(tx: Db, invoiceIds: readonly number[]): Promise<Map<number, Boleto>> {
  const { rows } = await tx.query<Found>({
    name: 'lock-open-boletos',
    text: `${SELECT_BOLETO} WHERE t.invoice_id = ANY($1) AND t.status IN ('PENDING', 'REGISTERED') ORDER BY t.id FOR UPDATE`,
    values: [invoiceIds],
  })
  const boletos = rows.map(({ row }) => BOLETOS.fromRow(row))
  return new Map(boletos.map((boleto) => [boleto.invoiceId, boleto]))
}

/** Slips by their ids. */
export async function readBoletos(db: Db, ids: readonly number[]): Promise<Map<number, Boleto>> {
  const { rows } = await db.query<Found>({
    name: 'read-boletos',
    text: `${SELECT_BOLETO} WHERE t.id = ANY($1)`,
    values: [ids],
  })
  const boletos = rows.map(({ row }) => BOLETOS.fromRow(row))
  return new Map(boletos.map((boleto) => [boleto.id, boleto]))
}

/** Locks a slip. A caller that also locks its invoice must lock the invoice first. */
export async function lockBoleto(tx: Db, id: number): Promise<Boleto> {
  const { rows } = await tx.query<Found>({
    name: 'lock-boleto',
    text: `${SELECT_BOLETO} WHERE t.id = $1 FOR UPDATE`,
    values: [id],
  })
  if (!rows[0]) throw new Error('a boleto is gone')
  return BOLETOS.fromRow(rows[0].row)
}

/** A new slip before it has its number. */
export type NewBoleto = Omit<Boleto, 'id' | 'ourNumber'>

export async function insertBoleto(tx: Db, draft: NewBoleto): Promise<Boleto> {
  const [boleto] = await insertBoletos(tx, [draft])
  if (!boleto) throw new Error('a boleto was not made')
  return boleto
}

/** Saves new slips in two statements, however many they are. The answer keeps the order. */
export async function insertBoletos(tx: Db, drafts: readonly NewBoleto[]): Promise<Boleto[]> {
  if (drafts.length === 0) return []
  const { rows } = await tx.query<{ id: number }>({
    name: 'next-boleto-ids',
    text: `SELECT nextval('boleto_ids')::bigint AS id FROM generate_series(1, $1)`,
    values: [drafts.length],
  })
  const boletos = drafts.map((draft, at) => {
    const id = rows[at]?.id ?? 0
    return { ...draft, id, ourNumber: ourNumberOf(draft.account, id) }
  })
  await tx.query({
    name: 'insert-boletos',
    text: `INSERT INTO boletos (${BOLETOS.inserted()})
      SELECT ${BOLETOS.inserted('r')} FROM json_populate_recordset(null::boletos, $1::json) r`,
    values: [JSON.stringify(boletos.map(BOLETOS.toRow))],
  })
  return boletos
}

// A new `ask_at` means that the last question was answered, so the count of `asks` starts again.
const SAVE_BOLETO = `UPDATE boletos t
  SET compare_at = CASE WHEN r.status <> t.status THEN r.updated_at + interval '1 hour' ELSE t.compare_at END,
    asks = CASE WHEN r.ask_at IS DISTINCT FROM t.ask_at THEN 0 ELSE t.asks END, ${BOLETOS.updated('r')}
  FROM json_populate_record(null::boletos, $1::json) r WHERE t.id = $2 AND t.version = r.version - 1`

/** Saves a slip that the caller has locked. */
export async function saveBoleto(tx: Db, boleto: Boleto): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'save-boleto',
    text: SAVE_BOLETO,
    values: [JSON.stringify(BOLETOS.toRow(boleto)), boleto.id],
  })
  if (rowCount !== 1) throw new Error('a locked boleto changed')
}

/** Locks a slip, decides, saves it, and ends its request's mark. An unchanged slip is returned as it is. */
export async function updateBoleto(
  pool: Pool,
  id: number,
  decide: (boleto: Boleto) => BoletoDecision,
): Promise<Boleto> {
  return withTransaction(pool, async (tx) => {
    const before = await lockBoleto(tx, id)
    const { boleto, mark } = decide(before)
    if (boleto !== before) await saveBoleto(tx, boleto)
    await endMark(tx, boleto, mark)
    return boleto
  })
}

async function endMark(tx: PoolClient, boleto: Boleto, mark: BoletoDecision['mark']): Promise<void> {
  if (mark?.end === 'freed') await tx.query(freeMarksSql('$1', 'true'), [[mark.operationId]])
  if (mark?.end !== 'answered') return
  const answer = { boleto: boletoMessage(boleto), existing: false }
  await answerMark(tx, mark.operationId, IssueBoletoResponse.encode(answer).finish())
}

/** Withdraws the open slip of an invoice that the caller has locked. `at`: epoch milliseconds. */
export async function withdrawOpenBoleto(tx: Db, invoiceId: number, at: number): Promise<void> {
  const open = await lockOpenBoleto(tx, invoiceId)
  if (open) await saveBoleto(tx, withdraw(open, at))
}

/** Takes slips that are due, for this caller alone until their next time. Returns their numbers. */
export async function leaseBoletos(pool: Pool, lease: Lease): Promise<string[]> {
  const due = { table: 'boletos', key: 'our_number', returning: 'our_number' }
  const rows = await leaseDue<{ our_number: string }>(pool, due, lease)
  return rows.map((row) => row.our_number)
}

/**
 * The age in seconds, at a moment (epoch milliseconds), of the oldest slip whose registration or withdrawal the bank has
 * not answered.
 */
export async function oldestPendingBoletoAge(db: Db, at: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS age FROM boletos
     WHERE ask_at IS NOT NULL AND (status = 'PENDING' OR withdrawing)`,
    [new Date(at)],
  )
  return rows[0]?.age ?? 0
}

/** How many slips the bank cannot be asked about, since their sellers have no account there, up to 10,000. */
export async function countWithoutAccount(db: Db): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*) AS total FROM (
       SELECT FROM boletos WHERE account_gone_at IS NOT NULL AND ask_at IS NOT NULL LIMIT 10000) AS gone`,
  )
  return rows[0]?.total ?? 0
}
