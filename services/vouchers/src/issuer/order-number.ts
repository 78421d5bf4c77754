import { randomBytes } from 'node:crypto'

// Every issuer takes letters and digits, 20 at most.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** A new order number for an issuer: 100 random bits. */
export function newOrderNumber(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
