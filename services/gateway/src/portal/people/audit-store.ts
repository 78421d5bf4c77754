import type { Db } from '@cofre/platform/postgres/postgres'
import type { Request, Response } from 'express'
import { addressKey } from '@cofre/platform/outbound/address-key'
import type { Portal } from '../portal-context'
import { sessionOf } from '../session'

/** What a person did. `action`: an operation of the API, or a word of the portal, with a sentence in `deed-sentences.ts`. `subject`: what it was done to. */
export type Deed = { action: string; subject?: string; detail?: object }

export type AuditRow = {
  id: number
  email: string
  address: string
  action: string
  subject: string
  detail: object
  at: Date
}

/** Records what the signed-in person did: it is added and never changed. */
export function record(
  { pool }: Pick<Portal, 'pool'>,
  req: Request,
  res: Response,
  deed: Deed,
): Promise<void> {
  const { sellerId, email } = sessionOf(res)
  return insertDeed(pool, { sellerId, email, address: addressKey(req.ip) }, deed)
}

export async function insertDeed(
  db: Db,
  by: { sellerId: number; email: string; address: string },
  { action, subject = '', detail = {} }: Deed,
): Promise<void> {
  await db.query(
    `INSERT INTO portal_audit (seller_id, email, address, action, subject, detail) VALUES ($1, $2, $3, $4, $5, $6)`,
    [by.sellerId, by.email, by.address, action, subject, JSON.stringify(detail)],
  )
}

/** Which deeds: of one person, of one kind, to one thing, within times in epoch milliseconds. */
export type DeedFilter = { email?: string; action?: string; subject?: string; from?: number; to?: number }

/** Returns a seller's deeds before an id, newest first. */
export async function listDeeds(
  db: Db,
  sellerId: number,
  { before, size, ...filter }: DeedFilter & { before?: number; size: number },
): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `SELECT id, email, address, action, subject, detail, at FROM portal_audit
     WHERE seller_id = $1 AND ($2::bigint IS NULL OR id < $2)
       AND ($3::text IS NULL OR email = $3) AND ($4::text IS NULL OR action = $4)
       AND ($5::text IS NULL OR subject = $5)
       AND ($6::bigint IS NULL OR at >= to_timestamp($6 / 1000.0))
       AND ($7::bigint IS NULL OR at <= to_timestamp($7 / 1000.0))
     ORDER BY id DESC LIMIT $8`,
    [
      sellerId,
      before ?? null,
      filter.email ?? null,
      filter.action ?? null,
      filter.subject ?? null,
      filter.from ?? null,
      filter.to ?? null,
      size,
    ],
  )
  return rows
}
