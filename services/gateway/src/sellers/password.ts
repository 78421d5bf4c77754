import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { createTurns } from './turns'

// One of OWASP's equivalent choices for scrypt, with the least memory (32 MiB for each hash).
const COST = 2 ** 15
const BLOCK_SIZE = 8
const PARALLEL = 3
const HASH_BYTES = 32

export const MIN_PASSWORD = 12
const MAX_PASSWORD = 200

/** Half of Node's threads for such work, and 64 MiB. Further passwords wait for about a second. */
const turns = createTurns({ atOnce: 2, maxWaiting: 8 })

/**
 * Returns what a new password must have, undefined when it has it. Only the length counts, in code points of the text
 * that is hashed; there are no rules about kinds of characters (NIST SP 800-63B, 3.1.1.2).
 */
export function lengthFault(password: string): string | undefined {
  const { length } = Array.from(normalized(password))
  if (length >= MIN_PASSWORD && length <= MAX_PASSWORD) return undefined
  return `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`
}

/** Returns a hash as `scrypt$32768$8$3$salt$hash`, with its cost. Throws SERVICE_UNAVAILABLE when too many are made. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, { N: COST, r: BLOCK_SIZE, p: PARALLEL })
  return ['scrypt', COST, BLOCK_SIZE, PARALLEL, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** True when the password is the one of the hash. Throws SERVICE_UNAVAILABLE when too many are being checked. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$')
  const derived = await derive(password, Buffer.from(salt, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(derived, Buffer.from(hash, 'base64'))
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const hash = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(normalized(password), salt, HASH_BYTES, { ...cost, maxmem: 256 * 2 ** 20 }, (error, key) =>
        error ? reject(error) : resolve(key),
      )
    })
  return turns.take(hash)
}

/** The same password typed on another keyboard is the same password (NIST SP 800-63B, 5.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC')
}
