import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { DisputeCase, DisputedSale } from '../acquirer/dispute-cases'
import { adoptCase } from '../disputes/adopt-case'
import type { Dispute } from '../disputes/dispute'
import { DISPUTES } from './dispute-columns'
import { decideDisputeLocked } from './dispute-store'

export type NewDispute = { sellerId: number; establishmentId: number; found: DisputeCase; at: number }

type Sale = { chargeId: number; position: number }

/** Stores a case that is seen for the first time, with the payment that it is about. Undefined when it is known. */
export function insertDispute(
  pool: Pool,
  { sellerId, establishmentId, found, at }: NewDispute,
): Promise<Dispute | undefined> {
  return withTransaction(pool, async (tx) => {
    const sale = await findSale(tx, sellerId, found)
    const row = DISPUTES.toRow({ ...unseen(found, at), sellerId, establishmentId, ...sale })
    const { rows } = await tx.query<{ id: number }>(
      `INSERT INTO disputes (${DISPUTES.inserted()})
       SELECT ${DISPUTES.inserted('r')} FROM json_populate_record(null::disputes, $1::json) r
       ON CONFLICT ON CONSTRAINT disputes_case DO NOTHING RETURNING id`,
      [JSON.stringify(row)],
    )
    const [inserted] = rows
    if (!inserted) return undefined
    const key = { sellerId, id: inserted.id }
    const { dispute: opened } = await decideDisputeLocked(tx, key, (dispute) => adoptCase(dispute, found, at))
    return opened
  })
}

/** The seller's payment that a case is about: by the acquirer's number, else by its receipt. Only when there is one. */
async function findSale(db: Db, sellerId: number, { sale, amount }: DisputeCase): Promise<Sale | undefined> {
  return (await byTid(db, sellerId, sale)) ?? (await byReceipt(db, sellerId, sale, amount))
}

async function byTid(db: Db, sellerId: number, { tid }: DisputedSale): Promise<Sale | undefined> {
  if (tid === '') return undefined
  return onlyOne(db, 'p.seller_id = $1 AND p.tid = $2', [sellerId, tid])
}

async function byReceipt(
  db: Db,
  sellerId: number,
  { nsu, authorizationCode, day }: DisputedSale,
  amount: number,
): Promise<Sale | undefined> {
  if (nsu === '' || authorizationCode === '' || day === null) return undefined
  const condition = `p.seller_id = $1 AND p.nsu = $2 AND p.authorization_code = $3 AND p.captured_amount >= $4
    AND (c.created_at AT TIME ZONE 'America/Sao_Paulo')::date = $5::date`
  return onlyOne(db, condition, [sellerId, nsu, authorizationCode, amount, day])
}

async function onlyOne(db: Db, condition: string, values: unknown[]): Promise<Sale | undefined> {
  const { rows } = await db.query<Sale>(
    `SELECT p.charge_id AS "chargeId", p.position FROM payments p JOIN charges c ON c.id = p.charge_id
     WHERE ${condition} LIMIT 2`,
    values,
  )
  return rows.length === 1 ? rows[0] : undefined
}

/** A case before anything of it is adopted. */
function unseen({ caseId, disputeId, stage, amount, reason, sale }: DisputeCase, at: number): Dispute {
  const { day: _unkept, ...ofSale } = sale
  return {
    id: 0,
    sellerId: 0,
    establishmentId: 0,
    chargeId: null,
    position: 0,
    status: 'NEEDS_RESPONSE',
    stage,
    amount,
    withdrawnAmount: 0,
    reason,
    respondBy: null,
    caseId,
    acquirerDisputeId: disputeId,
    ...ofSale,
    evidence: null,
    history: [],
    answer: null,
    askAt: null,
    dueAt: null,
    reminded: false,
    version: 0,
    sequence: 0,
    createdAt: at,
    updatedAt: at,
    orderReference: null,
    notificationUrl: null,
  }
}
