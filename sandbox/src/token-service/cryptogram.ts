import { createHash, randomBytes } from 'node:crypto'

const LENGTH_BYTES = 20
const VALID_MS = 15 * 60_000

/** A cryptogram for one transaction. Only the hash and last four of its value are kept. Times in epoch milliseconds. */
export type Cryptogram = {
  readonly hash: string
  readonly lastFour: string
  readonly tokenId: string
  /** The transaction for which it was requested, in the requester's words. */
  readonly reference: string
  /** In cents. */
  readonly amount: number
  readonly createdAt: number
  readonly expiresAt: number
  /** When a newer cryptogram was issued for the same transaction. */
  readonly replacedAt: number | null
  readonly usedAt: number | null
  /** The sale that used it. */
  readonly merchantOrderId: string | null
}

export function makeCryptogram(
  wanted: { tokenId: string; reference: string; amount: number },
  now: number,
): { value: string; cryptogram: Cryptogram } {
  const value = randomBytes(LENGTH_BYTES).toString('base64')
  const cryptogram = {
    ...wanted,
    hash: hashOf(value),
    // The very last character of base64 is always the padding.
    lastFour: value.slice(-5, -1),
    createdAt: now,
    expiresAt: now + VALID_MS,
    replacedAt: null,
    usedAt: null,
    merchantOrderId: null,
  }
  return { value, cryptogram }
}

export function isGood({ replacedAt, usedAt, expiresAt }: Cryptogram, now: number): boolean {
  return replacedAt === null && usedAt === null && now < expiresAt
}

export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
