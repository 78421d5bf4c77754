import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  insertMarkSql,
  isMarkedSql,
  keptAnswer,
  markParameter,
  type Mark,
} from '@cofre/platform/idempotency/mark'
import type { NewRow, Row } from '@cofre/platform/postgres/columns'
import { parameters, type Parameters } from '@cofre/platform/postgres/parameters'
import { breaches, type Pool } from '@cofre/platform/postgres/postgres'
import type { Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import type { AcquirerName } from '../acquirer/acquirer-name'
import { authenticationUnusable } from '../charge/authentication'
import { GUESSED_DATA, latestDeclines, type TestingLimits } from '../charge/card-testing'
import type { Charge } from '../charge/charge'
import { CHARGES, PAYMENTS, TRANSACTIONS } from './charge-columns'
import { replayOf, type StoredCharge } from './charge-store'

/** An order as one acquirer would be sent it, or why it would not. The establishment decides which acquirer is. */
export type Draft = { charge: Charge; refusal: DomainError | undefined }

export type Admission = {
  /** Epoch milliseconds. */
  at: number
  /** Authorizes and captures in one step. */
  direct: boolean
  /** The guard against card testing neither counts nor stops it. */
  exemptFromTestingGuard: boolean
  /** The kept card of each payment, in order; null: it is not kept. */
  credentials: readonly (string | null)[]
  /** The BINs of the cards. */
  bins: readonly string[]
  /** The seller's store, whose establishment is charged. 0 or undefined: the default one. */
  affiliateId: number | undefined
  /** The account for which the payments' network tokens were made. */
  merchantId: string | undefined
  testing: TestingLimits
  /** Why the request can't be served at any acquirer, when that is known before it is stored. */
  refusal: DomainError | undefined
}

/** What is stored: `open` are the drafts that their acquirer would be sent, each with its rows. */
type Asked = { mark: Mark; admission: Admission; open: readonly Charge[]; rows: readonly Rows[] }
type Rows = { charge: Row; payments: Row[]; transactions: Row[] }

function rowsOf(charge: Charge): Rows {
  const { payments, transactions } = charge
  return {
    charge: CHARGES.toRow(charge),
    payments: payments.map(PAYMENTS.toRow),
    transactions: transactions.map(TRANSACTIONS.toRow),
  }
}

/** Where the statement finds the new rows of a table. `from` follows a list of tables that names the establishment `e`. */
type NewRows = { row: NewRow; from: string }
type Form = (given: Parameters<Asked>, table: keyof Rows) => NewRows

/** Of one draft with one payment and one transaction: a parameter for each value. */
const ONE: Form = ({ row }, table) => ({
  row: row(({ rows: [one] }) => (table === 'charge' ? one?.charge : one?.[table][0]) ?? {}),
  from: '',
})

/** Of drafts for several acquirers, or with several payments: JSON by acquirer. */
const SOME: Form = ({ add }, table) => {
  const drafts = add(({ open, rows }) =>
    JSON.stringify(Object.fromEntries(open.map(({ acquirer }, at) => [acquirer, rows[at]?.[table]]))),
  )
  const read = table === 'charge' ? 'record(null::charges' : `recordset(null::${table}`
  return { row: 'r', from: `, json_populate_${read}, ${drafts}::json -> e.acquirer::text) r` }
}

function insertionOf(form: Form) {
  const given = parameters<Asked>()
  const add = (valueOf: (admission: Admission) => unknown) => given.add(({ admission }) => valueOf(admission))
  const mark = given.add((asked) => markParameter(asked.mark))
  const seller = given.add((asked) => asked.mark.sellerId)
  const acquirers = given.add(({ open }) => open.map(({ acquirer }) => acquirer))
  const store = add(({ affiliateId }) => affiliateId ?? null)
  const merchant = add(({ merchantId }) => merchantId ?? null)
  const guessed = add(() => GUESSED_DATA)
  const ofStore = `coalesce(affiliate_id, 0) = coalesce(${store}::bigint, 0)`
  const [charge, payments, transactions] = [
    form(given, 'charge'),
    form(given, 'payments'),
    form(given, 'transactions'),
  ]
  const text = `WITH establishment AS (
    SELECT id, acquirer, merchant_id, retry_with_card FROM establishments
    WHERE seller_id = ${seller} AND CASE
      WHEN ${merchant}::text IS NULL THEN ${ofStore}
      -- A network token can be charged by the account that it was made for, and by no other.
      ELSE merchant_id = ${merchant} AND (${store} IS NULL OR ${ofStore}) END
    ORDER BY affiliate_id IS NOT DISTINCT FROM ${store} DESC, affiliate_id LIMIT 1),
  -- Of a seller's latest declines of a BIN within a minute, so many that their guesses can reach the share: the one that
  -- is the nth guess. It is the latest that must have passed before the BIN is taken again.
  tested AS (
    SELECT max(nth.denied_at) AS since
    FROM (SELECT DISTINCT bin FROM unnest(${add(({ bins }) => bins)}::text[]) bin) cards
    CROSS JOIN LATERAL (
      SELECT denied_at FROM (
        SELECT denied_at, brand, decline_code FROM payments
        WHERE status = 'DENIED' AND seller_id = ${seller} AND bin = cards.bin
          AND denied_at > ${add(({ at }) => new Date(at))}::timestamptz - interval '1 minute'
          AND NOT exempt_from_testing_guard AND NOT ${add((each) => each.exemptFromTestingGuard)}::boolean
        ORDER BY denied_at DESC LIMIT ${add(({ testing }) => latestDeclines(testing))}) latest
      WHERE decline_code = ANY (${guessed}::text[]) OR concat_ws(' ', brand, decline_code) = ANY (${guessed}::text[])
      ORDER BY denied_at DESC OFFSET ${add(({ testing }) => testing.guesses)}::bigint - 1 LIMIT 1) nth),
  verdict AS (
    SELECT EXISTS (SELECT FROM establishment WHERE acquirer = ANY (${acquirers}::acquirer[])) AND tested.since IS NULL
      AS admitted, tested.since
    FROM tested),
  mark AS (${insertMarkSql(mark, '(SELECT admitted FROM verdict)')}),
  charge AS (
    INSERT INTO charges (establishment_id, ${CHARGES.inserted()})
    SELECT e.id, ${CHARGES.inserted(charge.row)} FROM verdict v, establishment e${charge.from}
    WHERE v.admitted AND (${mark}::jsonb -> 'key' IS NULL OR EXISTS (SELECT FROM mark))
    RETURNING id),
  new_payments AS (
    INSERT INTO payments (charge_id, seller_id, ${PAYMENTS.inserted()})
    SELECT c.id, ${seller}, ${PAYMENTS.inserted(payments.row)} FROM charge c, establishment e${payments.from}),
  new_transactions AS (
    INSERT INTO transactions (charge_id, ${TRANSACTIONS.inserted()})
    SELECT c.id, ${TRANSACTIONS.inserted(transactions.row)} FROM charge c, establishment e${transactions.from})
  SELECT (SELECT id FROM charge) AS id, v.admitted, e.id AS "establishmentId", e.acquirer, e.merchant_id AS "merchantId",
    e.retry_with_card AS "retryWithCard", v.since AS "testedSince",
    ARRAY(SELECT (
        SELECT p.issuer_transaction_id FROM payments p JOIN charges c ON c.id = p.charge_id
          JOIN establishments of ON of.id = c.establishment_id
        WHERE p.seller_id = ${seller} AND p.credential = kept.credential AND p.status NOT IN ('PENDING', 'DENIED', 'FAILED')
          AND of.merchant_id = e.merchant_id
        ORDER BY p.charge_id DESC LIMIT 1)
      FROM unnest(${add(({ credentials }) => credentials)}::text[]) WITH ORDINALITY kept (credential, nth) ORDER BY nth)
      AS "lastSaleIds",
    ${store} <> 0 AND NOT EXISTS (SELECT FROM establishments WHERE seller_id = ${seller} AND affiliate_id = ${store})
      AS "unknownStore",
    -- Asked only of a refused request: one that was served before is answered again, whatever holds now.
    NOT v.admitted AND ${isMarkedSql(mark)} AS repeated
  FROM verdict v LEFT JOIN establishment e ON true`
  return { text, valuesOf: given.valuesOf }
}

/** By far the usual order. Its values as parameters saved a tenth of the time of an order's statements. */
const INSERT_ONE = { name: 'insert-charge', ...insertionOf(ONE) }
const INSERT_SOME = { name: 'insert-charge-some', ...insertionOf(SOME) }

type Inserted = {
  id: number | null
  admitted: boolean
  establishmentId: number | null
  acquirer: AcquirerName | null
  merchantId: string
  retryWithCard: boolean
  testedSince: Date | null
  unknownStore: boolean | null
  repeated: boolean
  lastSaleIds: (string | null)[]
}

/**
 * A stored order. `lastSaleIds`: for each payment the issuer's id of the latest approved one with the same kept card at
 * the same account, which may be empty; null when there is none.
 */
export type InsertedCharge = StoredCharge & {
  acquirer: AcquirerName
  lastSaleIds: readonly (string | null)[]
}

/**
 * Stores the intention to authorize, in one statement: takes the Idempotency-Key, picks the establishment and with it
 * the draft for its acquirer, looks for card testing. Returns the kept answer when the key was used before. Otherwise
 * throws, storing nothing, the refusal, FAILED_PRECONDITION REFERENCE_NOT_FOUND (no establishment is registered under
 * that store), PAYMENT_METHOD_NOT_ACCEPTED (the seller has no establishment that can charge it) or
 * AUTHENTICATION_UNUSABLE (another charge used it), or RATE_LIMITED.
 */
export async function insertCharge(
  pool: Pool,
  drafts: readonly Draft[],
  mark: Mark,
  admission: Admission,
): Promise<InsertedCharge | Replayable<ChargeMessage>> {
  const { sellerId } = mark
  const open = drafts.flatMap(({ charge, refusal }) => (refusal || admission.refusal ? [] : [charge]))
  const asked = { mark, admission, open, rows: open.map(rowsOf) }
  const { name, text, valuesOf } = isOne(open) ? INSERT_ONE : INSERT_SOME
  const { rows } = await pool
    .query<Inserted>({ name, text, values: valuesOf(asked) })
    .catch(unlessAuthenticationUsed(admission))
  const row = rows[0] as Inserted
  const draft = drafts.find(({ charge }) => charge.acquirer === row.acquirer)
  if (draft && row.id !== null && row.acquirer !== null) {
    const charge = { ...draft.charge, id: row.id, establishmentId: row.establishmentId }
    const { merchantId, retryWithCard, lastSaleIds, acquirer } = row
    return { charge, acquirer, account: { sellerId, merchantId }, retryWithCard, lastSaleIds }
  }
  if (row.admitted || row.repeated) return replayOf(await keptAnswer(pool, mark))
  const refusal = draft?.refusal ?? admission.refusal
  throw refusal ?? notAdmitted(row, admission.at, admission.merchantId !== undefined)
}

function isOne([charge, ...others]: readonly Charge[]): boolean {
  return others.length === 0 && charge?.payments.length === 1 && charge.transactions.length === 1
}

function unlessAuthenticationUsed({ direct }: Admission): (error: unknown) => never {
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
