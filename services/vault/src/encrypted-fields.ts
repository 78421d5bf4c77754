import { isJsonObject, parseJson, type Json, type JsonObject } from './json'

export type Decrypt = (jwe: string) => Promise<Uint8Array>

type Encrypted = { object: JsonObject; member: 'encryptedCard' | 'encryptedCvv'; jwe: string }

// What a client may seal; the first must be there.
const FIELDS = {
  encryptedCard: ['cardNumber', 'holder', 'expiration', 'expires', 'cvv'],
  encryptedCvv: ['cvv'],
} as const

/**
 * Puts, in the body itself, the fields in place of each encryptedCard, and of each encryptedCvv of a cardToken. What
 * can't be opened, or stands beside what it should replace, is left as it is: reading the body finds it as a fault.
 * Opens at most `limit`; returns whether that was enough.
 */
export async function openEncryptedFields(
  body: JsonObject,
  decrypt: Decrypt,
  limit: number,
): Promise<boolean> {
  const encrypted = findEncrypted(body, '')
  if (encrypted.length > limit) return false
  for (const { object, member, jwe } of encrypted) {
    const fields = await openFields(jwe, decrypt)
    const [required] = FIELDS[member]
    if (!fields || !Object.hasOwn(fields, required)) continue
    delete object[member]
    for (const name of FIELDS[member]) {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (value !== undefined) object[name] = value
    }
  }
  return true
}

function findEncrypted(value: Json, name: string): Encrypted[] {
  if (Array.isArray(value)) return value.flatMap((element) => findEncrypted(element, ''))
  if (!isJsonObject(value)) return []
  const found = Object.entries(value).flatMap(([member, inner]) => findEncrypted(inner, member))
  if (typeof value.encryptedCard === 'string' && !Object.hasOwn(value, 'cardNumber')) {
    found.push({ object: value, member: 'encryptedCard', jwe: value.encryptedCard })
  }
  if (name === 'cardToken' && typeof value.encryptedCvv === 'string' && !Object.hasOwn(value, 'cvv')) {
    found.push({ object: value, member: 'encryptedCvv', jwe: value.encryptedCvv })
  }
  return found
}

async function openFields(jwe: string, decrypt: Decrypt): Promise<JsonObject | undefined> {
  const plaintext = await decrypt(jwe).catch(() => undefined)
  const fields = plaintext && parseJson(plaintext)
  return isJsonObject(fields) ? fields : undefined
}
