import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Portal } from './portal-context'
import { hashOfId, sessionOf } from './session'
import { claimForm, releaseForm } from './session-store'

/**
 * Runs the work of a form unless the same page was just sent with the same fields: a double click makes one token. A
 * form whose work failed may be sent again. Each page carries a field `once` that no other page has.
 */
export async function runOnce(
  { pool }: Pick<Portal, 'pool'>,
  req: Request,
  res: Response,
  work: () => Promise<void>,
): Promise<void> {
  const idHash = hashOfId(sessionOf(res).id)
  const form = createHash('sha256').update(JSON.stringify(req.body)).digest()
  if (!(await claimForm(pool, idHash, form))) return
  try {
    await work()
  } catch (error) {
    await releaseForm(pool, idHash, form)
    throw error
  }
}
