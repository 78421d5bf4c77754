import type { DomainEvent } from '@cofre/platform/events/outbox'
import { aggregateStore, type Kind } from '@cofre/platform/postgres/aggregate-store'
import type { Row } from '@cofre/platform/postgres/columns'
import { TOPICS } from '@cofre/api/events'
import { DisputeEvent } from '@cofre/proto/orders/v1/events'
import { Dispute as DisputeMessage } from '@cofre/proto/orders/v1/disputes'
import type { Account } from '../acquirer/acquirer'
import type { AcquirerName } from '../acquirer/acquirer-name'
import type { Dispute } from '../disputes/dispute'
import type { Decision } from '../disputes/transition'
import { DISPUTES } from './dispute-columns'
import { toMessage } from './dispute-message'

export type DisputeKey = { sellerId: number; id: number }

/** A dispute, and where it is filed. */
export type StoredDispute = {
  dispute: Dispute
  account: Account
  acquirer: AcquirerName
  establishmentNumber: string
}

/** Selects whole disputes `t`; the caller adds its condition. */
export const SELECT_DISPUTE = `SELECT row_to_json(t) AS dispute, e.acquirer, e.merchant_id, e.establishment_number,
    c.order_reference, c.notification_url
  FROM disputes t JOIN establishments e ON e.id = t.establishment_id LEFT JOIN charges c ON c.id = t.charge_id`

export type SelectedDispute = {
  dispute: Row
  acquirer: AcquirerName
  merchant_id: string
  establishment_number: string | null
  order_reference: string | null
  notification_url: string | null
}

export function disputeOf(row: SelectedDispute): Dispute {
  const { order_reference: orderReference, notification_url: notificationUrl } = row
  return { ...DISPUTES.fromRow(row.dispute), orderReference, notificationUrl }
}

export function storedDispute(row: SelectedDispute): StoredDispute {
  const dispute = disputeOf(row)
  const account = { sellerId: dispute.sellerId, merchantId: row.merchant_id }
  return { dispute, account, acquirer: row.acquirer, establishmentNumber: row.establishment_number ?? '' }
}

/** What a decision withdraws from its charge's payment, or gives back. */
function withdrawnBy({ before, dispute }: Decision): Row[] {
  const delta = dispute.withdrawnAmount - before.withdrawnAmount
  const { chargeId: charge_id, position, updatedAt } = dispute
  return charge_id === null || delta === 0
    ? []
    : [{ charge_id, position, delta, at: new Date(updatedAt).toISOString() }]
}

const AS_WITHDRAWN = 'AS r(charge_id bigint, position smallint, delta bigint, at timestamptz)'

// A new version of the charge: whoever decided on the charge as it was before decides again. Locks the charge first.
const WITHDRAWN_FROM_CHARGE = {
  save: (
    rows: string,
  ) => `UPDATE charges c SET version = c.version + 1, updated_at = greatest(c.updated_at, r.at),
      compare_at = least(c.compare_at, r.at + interval '1 day')
    FROM saved, json_to_recordset(${rows}::json) ${AS_WITHDRAWN} WHERE c.id = r.charge_id
    RETURNING c.id`,
  changedBy: withdrawnBy,
}
const WITHDRAWN_FROM_PAYMENT = {
  save: (rows: string) => `UPDATE payments p SET disputed_amount = p.disputed_amount + r.delta
    FROM part_0 c, json_to_recordset(${rows}::json) ${AS_WITHDRAWN} WHERE p.charge_id = c.id AND p.position = r.position`,
  changedBy: withdrawnBy,
}

function eventsOf({ before, dispute, events }: Decision, message: DisputeMessage): DomainEvent[] {
  return events.map((type, index) => ({
    topic: TOPICS.disputes,
    key: String(dispute.id),
    type,
    sellerId: dispute.sellerId,
    value: DisputeEvent.toJSON({
      dispute: message,
      sequence: before.sequence + index + 1,
      occurredAt: dispute.updatedAt,
      notificationUrl: dispute.notificationUrl ?? '',
    }),
  }))
}

const DISPUTE: Kind<DisputeKey, Dispute, { dispute: Dispute }, StoredDispute, Decision, DisputeMessage> = {
  name: 'dispute',
  table: 'disputes',
  id: 'id',
  columns: DISPUTES,
  alsoSet: (valueOf) => `asks = CASE WHEN ${valueOf('ask_at')}::timestamptz IS NULL THEN 0 ELSE t.asks END`,
  parts: [WITHDRAWN_FROM_CHARGE, WITHDRAWN_FROM_PAYMENT],
  select: SELECT_DISPUTE,
  storedOf: storedDispute,
  valueOf: ({ dispute }) => dispute,
  message: DisputeMessage,
  toMessage,
  eventsOf,
  marksOf: ({ marks }) => marks,
}

export const {
  read: readDispute,
  save: saveDispute,
  update: updateDispute,
  decideLocked: decideDisputeLocked,
  saveOutcome: saveAnswerOutcome,
  beginOperation: beginAnswer,
} = aggregateStore(DISPUTE)
