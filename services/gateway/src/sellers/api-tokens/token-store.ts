import { unknownAfter } from '@cofre/platform/list-page'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Scope } from '@cofre/api/scopes'
import { isTokenId, type Token, type UsedToken } from './token'

/** The tokens of a page, where its reader does not ask for fewer. */
const PAGE_SIZE = 500

const COLUMNS = `id, kid, seller_id, title, scopes, made_by, created_at, expires_at, last_used_at, revoked_at`

type Row = {
  id: string
  kid: string
  seller_id: number
  title: string
  scopes: Scope[]
  made_by: string | null
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
}

export type NewToken = Pick<Token, 'id' | 'kid' | 'sellerId' | 'title' | 'scopes' | 'madeBy' | 'expiresAt'>

/** Inserts a token; undefined when its key no longer signs. A revocation of the key waits for this or precedes it. */
export async function insertToken(db: Db, token: NewToken): Promise<Token | undefined> {
  const { rows } = await db.query<Row>(
    `INSERT INTO api_tokens (id, seller_id, title, scopes, kid, expires_at, made_by)
     SELECT $1, $2, $3, $4, kid, $6, $7 FROM signing_keys WHERE kid = $5 AND retired_at IS NULL FOR SHARE
     RETURNING ${COLUMNS}`,
    [
      token.id,
      token.sellerId,
      token.title,
      token.scopes,
      token.kid,
      token.expiresAt === null ? null : new Date(token.expiresAt),
      token.madeBy,
    ],
  )
  return rows[0] && toToken(rows[0])
}

/** The token, and whether its seller is set to lenient handling. Undefined also for what is no id. */
export async function findToken(pool: Pool, id: string): Promise<UsedToken | undefined> {
  if (!isTokenId(id)) return undefined
  const { rows } = await pool.query<Row & { lenient: boolean }>({
    name: 'token-find',
    text: `SELECT ${COLUMNS}, (SELECT lenient FROM sellers s WHERE s.id = seller_id) AS lenient FROM api_tokens WHERE id = $1`,
    values: [id],
  })
  return rows[0] && { ...toToken(rows[0]), lenient: rows[0].lenient }
}

/** Returns a page of a seller's tokens, newest first. `after`: the page follows the token with this id. */
export async function listTokens(
  pool: Pool,
  sellerId: number,
  { after, size = PAGE_SIZE }: { after?: string | undefined; size?: number } = {},
): Promise<{ tokens: Token[]; more: boolean }> {
  if (after !== undefined && (await findToken(pool, after))?.sellerId !== sellerId) throw unknownAfter()
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM api_tokens
     WHERE seller_id = $1
       AND ($2::uuid IS NULL OR (created_at, id) < (SELECT created_at, id FROM api_tokens WHERE id = $2))
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    [sellerId, after ?? null, size + 1],
  )
  return { tokens: rows.slice(0, size).map(toToken), more: rows.length > size }
}

/** Revokes a token; a repeat changes nothing. With `sellerId`, only a token of that seller. Undefined: none found. */
export async function revokeToken(pool: Pool, id: string, sellerId?: number): Promise<Token | undefined> {
  const { rows } = await pool.query<Row>(
    `UPDATE api_tokens SET revoked_at = coalesce(revoked_at, now())
     WHERE id = $1 AND ($2::bigint IS NULL OR seller_id = $2) RETURNING ${COLUMNS}`,
    [id, sellerId ?? null],
  )
  return rows[0] && toToken(rows[0])
}

/** Notes when tokens were last used, epoch milliseconds; an older use never overwrites a newer one. */
export async function saveLastUses(pool: Pool, uses: ReadonlyMap<string, number>): Promise<void> {
  await pool.query(
    `UPDATE api_tokens t SET last_used_at = to_timestamp(u.at / 1000.0)
     FROM unnest($1::uuid[], $2::bigint[]) AS u(id, at)
     WHERE t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < to_timestamp(u.at / 1000.0))`,
    [[...uses.keys()], [...uses.values()]],
  )
}

function toToken(row: Row): Token {
  return {
    id: row.id,
    kid: row.kid,
    sellerId: row.seller_id,
    title: row.title,
    scopes: row.scopes,
    madeBy: row.made_by,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at?.getTime() ?? null,
    lastUsedAt: row.last_used_at?.getTime() ?? null,
    revokedAt: row.revoked_at?.getTime() ?? null,
  }
}
