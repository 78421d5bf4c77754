import { randomBytes } from 'node:crypto'

// The acquirer takes letters and digits only, 20 at most, and replaces a longer or repeated number with one of its own.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** A new order number for the acquirer: 100 random bits, unique for each attempt. */
export function newOrderNumber(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
