import { currentCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import type { Request } from 'express'
import { field } from '../../pages/form'
import { formFault } from './page-fault'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Refuses a form with fields other than its own: for example, an open card number goes no further. */
export function onlyFields(req: Request, names: readonly string[]): void {
  const sent: unknown = req.body
  const given = typeof sent === 'object' && sent !== null ? Object.entries(sent) : []
  const isOurs = given.every(([name, value]) => names.includes(name) && typeof value === 'string')
  if (!isOurs) throw formFault(400)
}

/**
 * Runs the work of a form under an Idempotency-Key that no other page has. A double click, or a repeat of the same
 * page, makes one payment. `fingerprints`: the fingerprints of the sent data.
 */
export function runOnce<Answer>(
  req: Request,
  path: string,
  fingerprints: Pick<IdempotencyKey, 'fingerprint' | 'otherFingerprints'>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const key = field(req, 'once')
  const call = currentCall()
  if (!UUID.test(key)) throw formFault(400)
  if (!call) throw new Error('a form outside a call')
  return runCall({ ...call, idempotency: { key, method: 'POST', path, ...fingerprints } }, work)
}
