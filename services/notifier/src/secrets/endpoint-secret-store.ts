import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import { newSecret } from './secret'

const MAX_SIGNING = 10

/** The secrets that sign for an endpoint now, newest first; none once it is deleted. */
export async function endpointSecrets(pool: Pool, key: Buffer, endpointId: number): Promise<string[]> {
  const { rows } = await pool.query<{ sealed: Buffer }>({
    name: 'endpoint-secrets',
    text: `SELECT sealed FROM endpoint_secrets
      WHERE endpoint_id = $1 AND (retired_at IS NULL OR retired_at > now() - interval '24 hours')
      ORDER BY retired_at DESC NULLS FIRST LIMIT ${MAX_SIGNING}`,
    values: [endpointId],
  })
  return rows.map(({ sealed }) => openSecret(key, sealed, endpointContext(endpointId)).toString())
}

/** Retires the current secret, if there is one, and makes the next. The endpoint must be locked, or new. */
export async function rotateEndpointSecret(tx: Db, key: Buffer, endpointId: number): Promise<string> {
  await tx.query(
    'UPDATE endpoint_secrets SET retired_at = now() WHERE endpoint_id = $1 AND retired_at IS NULL',
    [endpointId],
  )
  const secret = newSecret()
  await tx.query('INSERT INTO endpoint_secrets (endpoint_id, sealed) VALUES ($1, $2)', [
    endpointId,
    sealSecret(key, secret, endpointContext(endpointId)),
  ])
  return secret
}

/** Forgets secrets that sign no more. Returns how many. */
export async function forgetEndpointSecrets(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    "DELETE FROM endpoint_secrets WHERE retired_at < now() - interval '24 hours'",
  )
  return rowCount ?? 0
}

function endpointContext(endpointId: number): string {
  return `signing secret of endpoint ${endpointId}`
}
