import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '@cofre/platform/postgres/postgres'
import { openSecret } from '@cofre/platform/secret-box'
import type { Portal } from '../portal-context'
import { stepOf } from './totp'
import { findTotp, takeRecovery, takeStep } from '../../sellers/two-step-store'

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

/** Ties a sealed secret to its user: another's row opens nothing. */
export function totpContext(userId: number): string {
  return `portal-totp ${userId}`
}

/** Codes that sign in once each, for a lost phone. Only their hashes are kept: each has 80 random bits. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(RECOVERY_BYTES).toString('hex'))
  return { codes, hashes: codes.map(hashOfRecovery) }
}

function hashOfRecovery(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** True for the code that the user's app shows now, or a recovery code. Each is taken once. */
export async function isSecondStep(
  { config }: Pick<Portal, 'config'>,
  db: Db,
  userId: number,
  typed: string,
): Promise<boolean> {
  const sealed = await findTotp(db, userId)
  if (!sealed) return false
  const secret = openSecret(config.tokenKey, sealed, totpContext(userId))
  const step = stepOf(secret, typed, Date.now())
  if (step !== undefined) return takeStep(db, userId, step)
  const code = typed.replaceAll(/[\s-]/g, '').toLowerCase()
  return /^[0-9a-f]{20}$/.test(code) && takeRecovery(db, userId, hashOfRecovery(code))
}
