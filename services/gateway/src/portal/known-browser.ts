import { createHash, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Portal } from './portal-context'
import { isKnownBrowser, keepBrowser } from './session-store'

/** A browser is known for this long after its last sign-in. */
const KEPT_DAYS = 180

const hashOf = (id: string) => createHash('sha256').update(id).digest()

/** Returns the id of a browser in which the person with this e-mail has signed in before. */
export async function knownBrowser(
  { pool, cookies }: Portal,
  req: Request,
  email: string,
): Promise<string | undefined> {
  const id = cookies.read(req, 'known')
  return id !== undefined && (await isKnownBrowser(pool, email, hashOf(id))) ? id : undefined
}

/** Remembers the browser of a person who has just signed in. One browser may be known to several. */
export async function rememberBrowser(
  { pool, cookies }: Portal,
  req: Request,
  res: Response,
  userId: number,
): Promise<void> {
  const id = cookies.read(req, 'known') ?? randomBytes(32).toString('base64url')
  await keepBrowser(pool, userId, hashOf(id), KEPT_DAYS)
  cookies.set(res, 'known', id, KEPT_DAYS)
}
