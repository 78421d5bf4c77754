import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '@cofre/platform/postgres/postgres'
import { saveLink } from './portal-user-store'

const DAY_MS = 86_400_000
/** An invitation waits longer than a new password. */
export const INVITED_MS = 7 * DAY_MS
export const NEW_PASSWORD_MS = DAY_MS

export function hashOfLink(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Makes the address at which a user chooses a password, once. Only the hash of its secret is kept. */
export async function makeLink(db: Db, baseUrl: string, userId: number, lastsMs: number): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await saveLink(db, userId, hashOfLink(secret), Date.now() + lastsMs)
  return `${baseUrl}/portal/join/${secret}`
}
