import { createHash } from 'node:crypto'

/** The name of a kept card in our records. Its token itself is not there: a thief could charge with it. */
export function credentialOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
