import { randomFillSync } from 'node:crypto'

/** Drawing this many bytes costs hardly more than drawing the few that one id needs. */
const POOL_BYTES = 4_096

const pool = Buffer.allocUnsafeSlow(POOL_BYTES)
let used = POOL_BYTES

/** Random bytes in hexadecimal, for ids. Keys, nonces and secrets are not taken from this pool. */
export function randomHex(bytes: number): string {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
