import { mayHoldSensitiveName } from '@cofre/platform/card/sensitive-names'
import { misplacedCards } from '../misplaced-cards'
import { parseSent } from '../read-body'

/**
 * Returns the value of a body that certainly holds no card data: no name of it in any spelling, no escape that could
 * hide one, and no card number; nor anything that parsing loses. Undefined for any other body, also one that is not JSON: the vault judges those.
 */
export function plainBody(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  if (text.includes('\\') || mayHoldSensitiveName(text)) return undefined
  try {
    const { value, lost } = parseSent(bytes)
    return lost.length === 0 && misplacedCards(value).length === 0 ? value : undefined
  } catch {
    return undefined
  }
}
