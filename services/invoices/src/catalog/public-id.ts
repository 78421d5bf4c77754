import { randomBytes } from 'node:crypto'

/** 128 bits, so that nobody can guess it. */
const BYTES = 16

/** A new id for a page that anybody who knows it may open. */
export function newPublicId(): string {
  return randomBytes(BYTES).toString('base64url')
}
