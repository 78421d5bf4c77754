import { randomBytes } from 'node:crypto'

/** 128 bits, so that nobody can guess the page of an invoice. */
const BYTES = 16

/** A new id for a page on which an invoice is paid. */
export function newPublicId(): string {
  return randomBytes(BYTES).toString('base64url')
}
