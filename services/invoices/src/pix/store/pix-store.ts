import { assigned, changing, fixed, table, type Row } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import { IssuePixResponse } from '@cofre/proto/invoices/v1/pix'
import { now } from '../../clock/billing-clock'
import { ASK_COLUMNS } from '../../methods/store/ask-columns'
import { askStore } from '../../methods/store/ask-store'
import type { PixCharge } from '../rules/pix-charge'
import type { PixKey } from './pix-account-store'
import { pixMessage } from './pix-message'

/** The one place that names the columns of a Pix charge. */
const COLUMNS = table<PixCharge>({
  id: assigned,
  ...ASK_COLUMNS,
  txid: fixed,
  dueDay: fixed,
  lateFine: fixed,
  interestOfDay: fixed,
  payer: { prefix: 'payer_', fields: { name: fixed, document: fixed } },
  copyAndPaste: changing,
  collection: {
    prefix: 'collection_',
    fields: { recId: fixed, receiver: fixed, status: changing, code: changing, tries: changing },
  },
})

export const PIX_CHARGES = askStore<PixCharge>({
  table: 'pix_charges',
  // What a payer's bank pays by a permission is no charge to scan.
  shown: 't.collection_rec_id IS NULL',
  number: 'txid',
  columns: COLUMNS,
  answerOf: (charge) => IssuePixResponse.encode({ pix: pixMessage(charge, now()), existing: false }).finish(),
})

export async function insertPix(tx: Db, draft: Omit<PixCharge, 'id'>): Promise<PixCharge> {
  const { rows } = await tx.query<{ row: Row }>({
    name: 'insert-pix',
    text: `INSERT INTO pix_charges AS t (${COLUMNS.inserted()})
      SELECT ${COLUMNS.inserted('r')} FROM json_populate_record(null::pix_charges, $1::json) r
      RETURNING row_to_json(t) AS row`,
    values: [JSON.stringify(COLUMNS.toRow({ ...draft, id: 0 }))],
  })
  if (!rows[0]) throw new Error('a Pix charge was not made')
  return COLUMNS.fromRow(rows[0].row)
}

/**
 * Has charges of a key, or of another key of its seller, looked at as soon as possible: a bank reports the collections
 * of all keys of an account to one address. Returns how many there are.
 */
export async function lookSoon(
  db: Db,
  { account, sellerId }: Pick<PixKey, 'account' | 'sellerId'>,
  { txids, at }: { txids: readonly string[]; at: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'look-at-pix-soon',
    // A new version: a look that has just asked the bank does not put off the next one.
    text: `UPDATE pix_charges SET ask_at = least(ask_at, $3), asks = 0, version = version + 1
      WHERE (account = $1 OR seller_id = $4) AND txid = ANY($2)`,
    values: [account, txids, new Date(at), sellerId],
  })
  return rowCount ?? 0
}
