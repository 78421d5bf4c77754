import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Codes by time (RFC 6238) as every authenticator app makes them: SHA-1, six digits, thirty seconds. */
const STEP_MS = 30_000
const DIGITS = 6
const SECRET_BYTES = 20
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The secret as people type it into an app (RFC 4648, base 32). */
export function typedSecret(secret: Buffer): string {
  const bits = [...secret].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The address that an app reads from the QR code. */
export function totpAddress(secret: Buffer, email: string): string {
  const query = new URLSearchParams({ secret: typedSecret(secret), issuer: 'Cofre' })
  return `otpauth://totp/Cofre:${encodeURIComponent(email)}?${query.toString()}`
}

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The step whose code this is, with a step before and after for clocks that differ; undefined when it is none. */
export function stepOf(secret: Buffer, code: string, at: number): number | undefined {
  const typed = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(typed)) return undefined
  const now = Math.floor(at / STEP_MS)
  return [now - 1, now, now + 1].find((step) =>
    timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(typed)),
  )
}
