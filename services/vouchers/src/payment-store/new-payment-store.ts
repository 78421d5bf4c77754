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
import type { VoucherPayment as Message } from '@cofre/proto/vouchers/v1/vouchers'
import { refused, type CardType } from '../brands/brand'
import type { Payment } from '../payment/payment'
import { PAYMENTS } from './payment-columns'
import { replayOf } from './payment-store'

/** A payment before its card is read from its token. */
export type Draft = Omit<Payment, 'id' | 'bin' | 'lastFour'>

export type Admission = {
  /** So many declined payments of a seller and BIN within a minute stop further ones. */
  declinesPerMinute: number
  /** The refusal of the request, when it is known before the request is stored. */
  refusal: DomainError | undefined
}

const INSERT_PAYMENT = `WITH token AS (
    SELECT bin, last_four, card_type::text, brand, status::text FROM voucher_tokens WHERE token = $3 AND seller_id = $2),
  tested AS (
    SELECT (SELECT p.denied_at FROM payments p, token t
      -- A token by redirect has no BIN: it is counted by itself.
      WHERE p.seller_id = $2 AND p.bin = t.bin AND (t.bin <> '' OR p.token = $3) AND p.denied_at > $4::timestamptz - interval '1 minute'
      ORDER BY p.denied_at DESC OFFSET $8 - 1 LIMIT 1) AS since),
  verdict AS (
    SELECT $5::boolean AND tested.since IS NULL AND EXISTS (
        SELECT FROM token WHERE status = 'ACTIVE' AND card_type = $6 AND brand = $7) AS admitted, tested.since
    FROM tested),
  mark AS (${insertMarkSql('$1', '(SELECT admitted FROM verdict)')}),
  payment AS (
    INSERT INTO payments (${PAYMENTS.inserted()})
    SELECT ${PAYMENTS.inserted('r').replace('r.bin,', 't.bin,').replace('r.last_four,', 't.last_four,')}
    FROM token t, verdict v, json_populate_record(null::payments, $9::json) r
    WHERE v.admitted AND ($1::jsonb -> 'key' IS NULL OR EXISTS (SELECT FROM mark))
    RETURNING id)
  SELECT (SELECT id FROM payment) AS id, v.admitted, v.since AS "testedSince",
    t.bin, t.last_four AS "lastFour", t.card_type AS "cardType", t.brand, t.status,
    -- Asked only of a refused request: one that was served before is answered again, whatever holds now.
    NOT v.admitted AND ${isMarkedSql('$1')} AS repeated
  FROM verdict v LEFT JOIN token t ON true`

type Inserted = {
  id: number | null
  admitted: boolean
  testedSince: Date | null
  repeated: boolean
  /** The token's; null when the seller has no token of that name. */
  bin: string | null
  lastFour: string | null
  cardType: CardType | null
  brand: string | null
  status: string | null
}

/**
 * Stores the intention to pay in one statement, which takes the Idempotency-Key, checks the token, and looks for card
 * testing. Returns the kept answer when the key was used before. Throws the refusal, CARD_TOKEN_UNUSABLE,
 * VOUCHER_CARD_MISMATCH or RATE_LIMITED; nothing is stored then.
 */
export async function insertPayment(
  pool: Pool,
  draft: Draft,
  mark: Mark,
  { declinesPerMinute, refusal }: Admission,
): Promise<Payment | Replayable<Message>> {
  const { rows } = await pool.query<Inserted>({
    name: 'insert-voucher-payment',
    text: INSERT_PAYMENT,
    values: [
      markParameter(mark),
      draft.sellerId,
      draft.token,
      new Date(draft.createdAt),
      refusal === undefined,
      draft.cardType,
      draft.brand,
      declinesPerMinute,
      JSON.stringify(PAYMENTS.toRow({ ...draft, id: 0, bin: '', lastFour: '' })),
    ],
  })
  const row = rows[0] as Inserted
  if (row.id !== null) return { ...draft, id: row.id, bin: row.bin ?? '', lastFour: row.lastFour ?? '' }
  if (row.admitted || row.repeated) return replayOf(await keptAnswer(pool, mark))
  throw refusal ?? notAdmitted(row, draft)
}

function notAdmitted({ status, cardType, brand, testedSince }: Inserted, draft: Draft): DomainError {
  if (status !== 'ACTIVE') {
    return refused('CARD_TOKEN_UNUSABLE', 'The voucher token cannot be used.', '#/card/token')
  }
  if (brand !== draft.brand) {
    return refused('VOUCHER_CARD_MISMATCH', 'The token belongs to another brand.', '#/card/cardBrand')
  }
  if (cardType !== draft.cardType) {
    return refused('VOUCHER_CARD_MISMATCH', 'The token belongs to another card type.', '#/card/cardType')
  }
  const at = draft.createdAt
  const waitMs = (testedSince?.getTime() ?? at) + 60_000 - at
  const message = 'Too many declined payments with cards like this one.'
  return new DomainError('rate_limited', 'RATE_LIMITED', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}
