import { createHash } from 'node:crypto'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Picture, PictureType } from './picture'

/** A seller that uploads more loses the oldest. */
const MOST = 20

/** Keeps a picture, and returns its name: the SHA-256 of its bytes. */
export async function keepLogo(pool: Pool, sellerId: number, { type, bytes }: Picture): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('base64url')
  await pool.query(
    `INSERT INTO logos (seller_id, hash, content_type, bytes) VALUES ($1, $2, $3, $4)
     ON CONFLICT (hash, seller_id) DO UPDATE SET uploaded_at = now()`,
    [sellerId, hash, type, bytes],
  )
  await pool.query(
    `DELETE FROM logos WHERE seller_id = $1 AND hash IN (
       SELECT hash FROM logos WHERE seller_id = $1 ORDER BY uploaded_at DESC, hash OFFSET ${MOST})`,
    [sellerId],
  )
  return hash
}

export async function findLogo(pool: Pool, hash: string): Promise<Picture | undefined> {
  const { rows } = await pool.query<{ content_type: PictureType; bytes: Buffer }>({
    name: 'find-logo',
    text: 'SELECT content_type, bytes FROM logos WHERE hash = $1 LIMIT 1',
    values: [hash],
  })
  return rows[0] && { type: rows[0].content_type, bytes: rows[0].bytes }
}
