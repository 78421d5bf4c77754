import { randomBytes } from 'node:crypto'
import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'

/** The owner of a secret: a seller's signs messages to the URL of a request, an endpoint's those to the endpoint. */
export type Owner = { sellerId: number } | { endpointId: number }

const SECRET_BYTES = 32
// Bounds the signature header of an owner that rotates without end.
const MAX_SIGNING = 10

/** The secrets that sign for a seller now, newest first. The first one is made when it is asked for. */
export async function secretsOfSeller(
  pool: Pool,
  key: Buffer,
  sellerId: number,
): Promise<[string, ...string[]]> {
  const [current, ...older] = await readSecrets(pool, key, { sellerId })
  return current === undefined ? [await makeFirstSecret(pool, key, { sellerId })] : [current, ...older]
}

/** The secrets that sign now for each owner, newest first. Makes a seller's first; a deleted endpoint has none. */
export async function secretsOfAll(
  pool: Pool,
  key: Buffer,
  owners: readonly Owner[],
): Promise<(readonly string[])[]> {
  const distinct = [...new Map(owners.map((owner) => [secretContext(owner), owner])).values()]
  const { rows } = await pool.query<{ sellerId: number | null; endpointId: number | null; sealed: Buffer[] }>(
    {
      name: 'signing-secrets-of-all',
      text: `SELECT seller_id AS "sellerId", endpoint_id AS "endpointId",
        (array_agg(sealed ORDER BY retired_at DESC NULLS FIRST))[:${MAX_SIGNING}] AS sealed
      FROM (SELECT * FROM signing_secrets WHERE seller_id = ANY($1::bigint[])
        UNION ALL SELECT * FROM signing_secrets WHERE endpoint_id = ANY($2::bigint[])) AS each
      WHERE retired_at IS NULL OR retired_at > now() - interval '24 hours' GROUP BY seller_id, endpoint_id`,
      values: [
        distinct.flatMap((owner) => ('sellerId' in owner ? [owner.sellerId] : [])),
        distinct.flatMap((owner) => ('endpointId' in owner ? [owner.endpointId] : [])),
      ],
    },
  )
  const found = new Map<string, readonly string[]>()
  for (const { sellerId, endpointId, sealed } of rows) {
    const context = secretContext(endpointId === null ? { sellerId: sellerId ?? 0 } : { endpointId })
    found.set(
      context,
      sealed.map((each) => openSecret(key, each, context).toString()),
    )
  }
  for (const owner of distinct) {
    const isFirst = 'sellerId' in owner && !found.has(secretContext(owner))
    if (isFirst) found.set(secretContext(owner), await secretsOfSeller(pool, key, owner.sellerId))
  }
  return owners.map((owner) => found.get(secretContext(owner)) ?? [])
}

/** Retires the current secret, if there is one, and makes the next. */
export async function rotateSecret(tx: Db, key: Buffer, owner: Owner): Promise<string> {
  await lockSecrets(tx, owner)
  const { column, id } = placeOf(owner)
  await tx.query(
    `UPDATE signing_secrets SET retired_at = now() WHERE ${column} = $1 AND retired_at IS NULL`,
    [id],
  )
  return insertSecret(tx, key, owner)
}

/** Binds a sealed secret to its owner: it can't be opened as another's. */
export function secretContext(owner: Owner): string {
  return 'sellerId' in owner
    ? `signing secret of seller ${owner.sellerId}`
    : `signing secret of endpoint ${owner.endpointId}`
}

/** Forgets secrets that no longer sign. Returns how many. */
export async function forgetRetiredSecrets(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM signing_secrets WHERE id IN (
       SELECT id FROM signing_secrets WHERE retired_at < now() - interval '24 hours' LIMIT 500)`,
  )
  return rowCount ?? 0
}

/** The current secret, and those retired within 24 hours. */
async function readSecrets(db: Db, key: Buffer, owner: Owner): Promise<string[]> {
  const { column, id } = placeOf(owner)
  const { rows } = await db.query<{ sealed: Buffer }>({
    name: `signing-secrets-${column}`,
    text: `SELECT sealed FROM signing_secrets
      WHERE ${column} = $1 AND (retired_at IS NULL OR retired_at > now() - interval '24 hours')
      ORDER BY retired_at DESC NULLS FIRST LIMIT ${MAX_SIGNING}`,
    values: [id],
  })
  return rows.map(({ sealed }) => openSecret(key, sealed, secretContext(owner)).toString())
}

function makeFirstSecret(pool: Pool, key: Buffer, owner: Owner): Promise<string> {
  return withTransaction(pool, async (tx) => {
    await lockSecrets(tx, owner)
    const [made] = await readSecrets(tx, key, owner)
    return made ?? insertSecret(tx, key, owner)
  })
}

/** Makes first use and rotation of one owner's secret take turns until they commit. */
async function lockSecrets(tx: Db, owner: Owner): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [secretContext(owner)])
}

/** Makes a secret, in the form of Standard Webhooks. */
async function insertSecret(tx: Db, key: Buffer, owner: Owner): Promise<string> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  const { column, id } = placeOf(owner)
  await tx.query(`INSERT INTO signing_secrets (${column}, sealed) VALUES ($1, $2)`, [
    id,
    sealSecret(key, secret, secretContext(owner)),
  ])
  return secret
}

function placeOf(owner: Owner): { column: 'seller_id' | 'endpoint_id'; id: number } {
  return 'sellerId' in owner
    ? { column: 'seller_id', id: owner.sellerId }
    : { column: 'endpoint_id', id: owner.endpointId }
}
