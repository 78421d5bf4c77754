import { MovementKind } from '@cofre/proto/invoices/v1/money'
import type {
  ListEntriesRequest,
  ListEntriesResponse,
  RecipientEntry,
} from '@cofre/proto/invoices/v1/recipients'
import { RECIPIENTS } from '../../catalog/recipients/recipient-store'
import type { Deps } from '../../deps'
import { checkPage, fault, throwFaults } from '../../request-check'
import { exportEntries as exportFound, listEntries as list, type Entry } from '../entry-store'

const EXPORTED_MAX = 1_000

export async function listEntries(
  { pool }: Deps,
  { page, size, after, place, ...request }: ListEntriesRequest,
): Promise<ListEntriesResponse> {
  checkPage({ page, size })
  await RECIPIENTS.read(pool, { sellerId: request.sellerId, id: request.recipientId })
  const { entries, ...end } = await list(
    pool,
    { from: undefined, to: undefined, ...request },
    { page, size, after, place },
  )
  return { entries: entries.map(entryMessage), ...end }
}

export async function exportEntries(
  { pool }: Deps,
  { size, after, place, ...request }: ListEntriesRequest,
): Promise<ListEntriesResponse> {
  if (size < 1 || size > EXPORTED_MAX) {
    throwFaults([fault('#/size', 'RANGE', `must be from 1 to ${EXPORTED_MAX}`)])
  }
  await RECIPIENTS.read(pool, { sellerId: request.sellerId, id: request.recipientId })
  const { entries, ...end } = await exportFound(
    pool,
    { from: undefined, to: undefined, ...request },
    { size, after, place },
  )
  return { entries: entries.map(entryMessage), ...end, total: 0, totalIsLowerBound: false }
}

function entryMessage({ kind, ...entry }: Entry): RecipientEntry {
  return { ...entry, kind: MovementKind[kind] }
}
