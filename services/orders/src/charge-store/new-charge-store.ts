import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  insertMarkSql,
  isMarkedSql,
  keptAnswer,
  markParameter,
  type Mark,
} from '@cofre/platform/idempotency/mark'
import { breaches, type Pool } from '@cofre/platform/postgres/postgres'
import type { Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import { authenticationUnusable } from '../charge/authentication'
import type { Charge } from '../charge/charge'
import { CHARGES, PAYMENTS, TRANSACTIONS } from './charge-columns'
import { replayOf, type StoredCharge } from './charge-store'

export type Admission = {
  /** The seller's store, whose establishment is charged. 0 or undefined: the default one. */
  affiliateId: number | undefined
  /** The account for which the payments' network tokens were made. */
  merchantId: string | undefined
  /** The number of declines of a seller and BIN within a minute from which on payments are refused. */
  declinesPerMinute: number
  /** Why the request can't be served, when that is known before it is stored. */
  refusal: DomainError | undefined
}

/** In SQL: true when an establishment belongs to the store $3. */
const OF_STORE = 'coalesce(affiliate_id, 0) = coalesce($3::bigint, 0)'

const INSERT_CHARGE = `WITH establishment AS (
    SELECT id, merchant_id, retry_with_card FROM establishments
    WHERE seller_id = $2 AND CASE
      WHEN $10::text IS NULL THEN ${OF_STORE}
      -- A network token can be charged by the account that it was made for, and by no other.
      ELSE merchant_id = $10 AND ($3 IS NULL OR ${OF_STORE}) END
    ORDER BY affiliate_id IS NOT DISTINCT FROM $3 DESC, affiliate_id LIMIT 1),
  tested AS (
    SELECT max(nth.denied_at) AS since
    FROM (SELECT DISTINCT bin FROM json_populate_recordset(null::payments, $7::json)) cards
    CROSS JOIN LATERAL (
      SELECT denied_at FROM payments
      WHERE status = 'DENIED' AND seller_id = $2 AND bin = cards.bin AND denied_at > $5::timestamptz - interval '1 minute'
        AND NOT merchant_initiated AND NOT $11::boolean
      ORDER BY denied_at DESC OFFSET $9 - 1 LIMIT 1) nth),
  verdict AS (
    SELECT $4::boolean AND EXISTS (SELECT FROM establishment) AND tested.since IS NULL AS admitted, tested.since
    FROM tested),
  mark AS (${insertMarkSql('$1', '(SELECT admitted FROM verdict)')}),
  charge AS (
    INSERT INTO charges (establishment_id, ${CHARGES.inserted()})
    SELECT e.id, ${CHARGES.inserted('r')}
    FROM establishment e, verdict v, json_populate_record(null::charges, $6::json) r
    WHERE v.admitted AND ($1::jsonb -> 'key' IS NULL OR EXISTS (SELECT FROM mark))
    RETURNING id),
  new_payments AS (
    INSERT INTO payments (charge_id, seller_id, ${PAYMENTS.inserted()})
    SELECT c.id, $2, ${PAYMENTS.inserted('r')}
    FROM charge c, json_populate_recordset(null::payments, $7::json) r),
  new_transactions AS (
    INSERT INTO transactions (charge_id, ${TRANSACTIONS.inserted()})
    SELECT c.id, ${TRANSACTIONS.inserted('r')}
    FROM charge c, json_populate_recordset(null::transactions, $8::json) r)
  SELECT (SELECT id FROM charge) AS id, v.admitted, e.id AS "establishmentId", e.merchant_id AS "merchantId",
    e.retry_with_card AS "retryWithCard", v.since AS "testedSince",
    $3 <> 0 AND NOT EXISTS (SELECT FROM establishments WHERE seller_id = $2 AND affiliate_id = $3) AS "unknownStore",
    -- Asked only of a refused request: one that was served before is answered again, whatever holds now.
    NOT v.admitted AND ${isMarkedSql('$1')} AS repeated
  FROM verdict v LEFT JOIN establishment e ON true`

type Inserted = {
  id: number | null
  admitted: boolean
  establishmentId: number | null
  merchantId: string
  retryWithCard: boolean
  testedSince: Date | null
  unknownStore: boolean | null
  repeated: boolean
}

/**
 * Stores the intention to authorize, in one statement: takes the Idempotency-Key, picks the establishment, looks for
 * card testing. Returns the kept answer when the key was used before. Otherwise throws, storing nothing, the refusal,
 * FAILED_PRECONDITION REFERENCE_NOT_FOUND (no establishment is registered under that store), PAYMENT_METHOD_NOT_ACCEPTED
 * (the seller has no establishment that can charge it) or AUTHENTICATION_UNUSABLE (another charge used it), or
 * RATE_LIMITED.
 */
export async function insertCharge(
  pool: Pool,
  draft: Charge,
  mark: Mark,
  admission: Admission,
): Promise<StoredCharge | Replayable<ChargeMessage>> {
  const { rows } = await pool
    .query<Inserted>({
      name: 'insert-charge',
      text: INSERT_CHARGE,
      values: [
        markParameter(mark),
        draft.sellerId,
        admission.affiliateId ?? null,
        admission.refusal === undefined,
        new Date(draft.createdAt),
        JSON.stringify(CHARGES.toRow(draft)),
        JSON.stringify(draft.payments.map(PAYMENTS.toRow)),
        JSON.stringify(draft.transactions.map(TRANSACTIONS.toRow)),
        admission.declinesPerMinute,
        admission.merchantId ?? null,
        draft.payments.some(({ merchantInitiated }) => merchantInitiated),
      ],
    })
    .catch(unlessAuthenticationUsed(draft))
  const row = rows[0] as Inserted
  if (row.id !== null && row.establishmentId !== null) {
    const charge = { ...draft, id: row.id, establishmentId: row.establishmentId }
    const { merchantId, retryWithCard } = row
    return { charge, account: { sellerId: draft.sellerId, merchantId }, retryWithCard }
  }
  if (row.admitted || row.repeated) return replayOf(await keptAnswer(pool, mark))
  throw admission.refusal ?? notAdmitted(row, draft.createdAt, admission.merchantId !== undefined)
}

function unlessAuthenticationUsed({ direct }: Charge): (error: unknown) => never {
  return (error) => {
    if (!breaches(error, 'payments_authentication_once')) throw error
    const pointer = direct ? '#/threeDSecure/authenticationValue' : '#/payments'
    throw authenticationUnusable('Another charge has already used this authentication.', pointer)
  }
}

function notAdmitted(
  { establishmentId, unknownStore, testedSince }: Inserted,
  at: number,
  isOfNetworkToken: boolean,
): DomainError {
  if (unknownStore) {
    const message = 'The request names a store that does not exist.'
    const errors = [{ pointer: '#/affiliateId', code: 'UNKNOWN', detail: 'does not exist for this seller' }]
    return new DomainError('failed_precondition', 'REFERENCE_NOT_FOUND', message, { errors })
  }
  if (establishmentId === null) {
    return new DomainError(
      'failed_precondition',
      'PAYMENT_METHOD_NOT_ACCEPTED',
      isOfNetworkToken
        ? 'The network token was made for another establishment at the acquirer.'
        : 'The seller has no establishment at the acquirer for card payments.',
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
