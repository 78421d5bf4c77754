import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  insertMarkSql,
  isMarkedSql,
  keptAnswer,
  markParameter,
  type Mark,
} from '@cofre/platform/idempotency/mark'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import type { Charge } from '../charge/charge'
import { chargeRow, paymentRow, transactionRow } from './charge-row'
import { replayOf, type StoredCharge } from './charge-store'

export type Admission = {
  /** The seller's store; picks its establishment. */
  affiliateId: number | undefined
  /** The account that the payments' network tokens were made for. */
  merchantId: string | undefined
  /** Declined payments of a seller and BIN within a minute, from which on nothing more is taken. */
  declinesPerMinute: number
  /** Why the request can't be served, where that is known before it is stored. */
  refusal: DomainError | undefined
}

const INSERT_CHARGE = `WITH establishment AS (
    SELECT id, merchant_id, merchant_key, retry_with_card FROM establishments
    WHERE seller_id = $2 AND CASE
      WHEN $10::text IS NULL THEN affiliate_id IS NULL OR affiliate_id = $3
      -- A network token can be charged by the account that it was made for, and by no other.
      ELSE merchant_id = $10 AND ($3::bigint IS NULL OR affiliate_id IS NULL OR affiliate_id = $3) END
    ORDER BY affiliate_id NULLS LAST LIMIT 1),
  tested AS (
    SELECT max(nth.denied_at) AS since
    FROM (SELECT DISTINCT bin FROM json_populate_recordset(null::payments, $7::json)) cards
    CROSS JOIN LATERAL (
      SELECT denied_at FROM payments
      WHERE status = 'denied' AND seller_id = $2 AND bin = cards.bin AND denied_at > $5::timestamptz - interval '1 minute'
      ORDER BY denied_at DESC OFFSET $9 - 1 LIMIT 1) nth),
  verdict AS (
    SELECT $4::boolean AND EXISTS (SELECT FROM establishment) AND tested.since IS NULL AS admitted, tested.since
    FROM tested),
  mark AS (${insertMarkSql('$1', '(SELECT admitted FROM verdict)')}),
  charge AS (
    INSERT INTO charges (seller_id, establishment_id, order_reference, external_reference, notification_url, status,
      direct, amount, authorized_amount, captured_amount, refunded_amount, refund_reserved, metadata, version,
      sequence, ask_at, created_at, updated_at)
    SELECT r.seller_id, e.id, r.order_reference, r.external_reference, r.notification_url, r.status,
      r.direct, r.amount, r.authorized_amount, r.captured_amount, r.refunded_amount, r.refund_reserved, r.metadata,
      r.version, r.sequence, r.ask_at, r.created_at, r.updated_at
    FROM establishment e, verdict v, json_populate_record(null::charges, $6::json) r
    WHERE v.admitted AND ($1::jsonb -> 'key' IS NULL OR EXISTS (SELECT FROM mark))
    RETURNING id),
  new_payments AS (
    INSERT INTO payments (charge_id, position, seller_id, order_number, amount, installments, status,
      captured_amount, refunded_amount, bin, last_four, brand, expiration_year, expiration_month, holder_name,
      card_source, acquirer_payment_id, tid, nsu, authorization_code, return_code, payment_limit_date, due_date)
    SELECT c.id, r.position, r.seller_id, r.order_number, r.amount, r.installments, r.status,
      r.captured_amount, r.refunded_amount, r.bin, r.last_four, r.brand, r.expiration_year, r.expiration_month,
      r.holder_name, r.card_source, r.acquirer_payment_id, r.tid, r.nsu, r.authorization_code, r.return_code,
      r.payment_limit_date, r.due_date
    FROM charge c, json_populate_recordset(null::payments, $7::json) r),
  new_transactions AS (
    INSERT INTO transactions (charge_id, id, position, type, status, cause, amount, operation_id,
      dispatch_deadline, reason, created_at)
    SELECT c.id, r.id, r.position, r.type, r.status, r.cause, r.amount, r.operation_id,
      r.dispatch_deadline, r.reason, r.created_at
    FROM charge c, json_populate_recordset(null::transactions, $8::json) r)
  SELECT (SELECT id FROM charge) AS id, v.admitted, e.id AS "establishmentId", e.merchant_id AS "merchantId",
    e.merchant_key AS "merchantKey", e.retry_with_card AS "retryWithCard", v.since AS "testedSince",
    -- Asked only of a refused request: one that was served before is answered again, whatever holds now.
    NOT v.admitted AND ${isMarkedSql('$1')} AS repeated
  FROM verdict v LEFT JOIN establishment e ON true`

type Inserted = {
  id: number | null
  admitted: boolean
  establishmentId: number | null
  merchantId: string
  merchantKey: Buffer
  retryWithCard: boolean
  testedSince: Date | null
  repeated: boolean
}

/**
 * Stores the intention to authorize, in one statement: takes the Idempotency-Key, picks the establishment, looks for
 * card testing. Answers the kept answer when the key was used before. Throws, nothing being stored, the refusal,
 * FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED (the seller has no establishment) or RATE_LIMITED.
 */
export async function insertCharge(
  pool: Pool,
  draft: Charge,
  mark: Mark,
  admission: Admission,
): Promise<StoredCharge | Replayable<ChargeMessage>> {
  const { rows } = await pool.query<Inserted>({
    name: 'insert-charge',
    text: INSERT_CHARGE,
    values: [
      markParameter(mark),
      draft.sellerId,
      admission.affiliateId ?? null,
      admission.refusal === undefined,
      new Date(draft.createdAt),
      JSON.stringify(chargeRow(draft)),
      JSON.stringify(draft.payments.map((payment) => paymentRow(draft, payment))),
      JSON.stringify(draft.transactions.map((transaction) => transactionRow(draft, transaction))),
      admission.declinesPerMinute,
      admission.merchantId ?? null,
    ],
  })
  const row = rows[0] as Inserted
  if (row.id !== null && row.establishmentId !== null) {
    const charge = { ...draft, id: row.id, establishmentId: row.establishmentId }
    const { merchantId, merchantKey, retryWithCard } = row
    return { charge, account: { sellerId: draft.sellerId, merchantId, merchantKey }, retryWithCard }
  }
  if (row.admitted || row.repeated) return replayOf(await keptAnswer(pool, mark))
  throw admission.refusal ?? notAdmitted(row, draft.createdAt)
}

function notAdmitted({ establishmentId, testedSince }: Inserted, at: number): DomainError {
  if (establishmentId === null) {
    return new DomainError(
      'failed_precondition',
      'PAYMENT_METHOD_NOT_ACCEPTED',
      'The seller has no establishment at the acquirer for card payments.',
    )
  }
  const waitMs = (testedSince?.getTime() ?? at) + 60_000 - at
  return new DomainError(
    'rate_limited',
    'RATE_LIMITED',
    'Too many declined payments with cards like this one.',
    {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    },
  )
}
