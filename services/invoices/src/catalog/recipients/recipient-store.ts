import { assigned, changing, changingTime, fixed, fixedTime } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import { unknownReference } from '../../request-check'
import { recordStore } from '../record-store'
import type { Recipient } from './recipient'

/** The one place that names the columns of a recipient. */
export const RECIPIENTS = recordStore<Recipient>('recipients', {
  id: assigned,
  sellerId: fixed,
  name: changing,
  document: changing,
  reference: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

/** Throws FAILED_PRECONDITION REFERENCE_NOT_FOUND for splits among recipients that the seller does not have. */
export async function checkRecipients(
  db: Db,
  sellerId: number,
  splits: readonly { recipientId: number }[],
): Promise<void> {
  if (splits.length === 0) return
  const { rows } = await db.query<{ id: number }>({
    name: 'find-recipients',
    text: 'SELECT id FROM recipients WHERE seller_id = $1 AND id = ANY ($2::bigint[])',
    values: [sellerId, splits.map(({ recipientId }) => recipientId)],
  })
  const known = new Set(rows.map(({ id }) => id))
  const unknown = splits.flatMap(({ recipientId }, place) =>
    known.has(recipientId) ? [] : [`#/splits/${place}/recipientId`],
  )
  if (unknown.length > 0) throw unknownReference('The request', unknown)
}
