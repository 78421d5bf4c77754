import { isJsonObject, parseJson, type Json, type JsonObject } from './json'

/** What a compact JWE held, and what stood in its header: both are authenticated. Throws when it is not to us. */
export type Decrypt = (jwe: string) => Promise<{ plaintext: Uint8Array; header: Record<string, unknown> }>

type Encrypted = { object: JsonObject; member: 'encryptedCard' | 'encryptedCvv'; jwe: string }

// What a client may seal; the first must be there.
const FIELDS = {
  encryptedCard: ['cardNumber', 'holder', 'expiration', 'expires', 'cvv'],
  encryptedCvv: ['cvv'],
} as const

/** Each costs an RSA decryption: some 2 ms of one core. */
export const MAX_ENCRYPTED = 10
/** How old `iat` may be: as long as a handle is good. And how far a page's clock may be ahead. */
const MAX_AGE_S = 15 * 60
const MAX_AHEAD_S = 60

/**
 * Puts, in the body itself, the fields in place of each encryptedCard, and of each encryptedCvv of a `tokenMember`. What
 * can't be opened, or stands beside what it should replace, is left as it is: reading the body finds it as a fault. Of
 * more than 10 none is opened, and the answer is undefined. Else it is the objects whose seal is too old by its own
 * `iat`: opened too, since a repeated request is known by its body. `now`: epoch milliseconds.
 */
export async function openEncryptedFields(
  body: JsonObject,
  decrypt: Decrypt,
  now: number,
  tokenMember: string,
): Promise<ReadonlySet<JsonObject> | undefined> {
  const encrypted = findEncrypted(body, '', tokenMember)
  if (encrypted.length > MAX_ENCRYPTED) return undefined
  const stale = new Set<JsonObject>()
  for (const { object, member, jwe } of encrypted) {
    const opened = await openFields(jwe, decrypt, now)
    const [required] = FIELDS[member]
    if (!opened || !Object.hasOwn(opened.fields, required)) continue
    const { fields, fresh } = opened
    if (!fresh) stale.add(object)
    delete object[member]
    for (const name of FIELDS[member]) {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (value !== undefined) object[name] = value
    }
  }
  return stale
}

function findEncrypted(value: Json, name: string, tokenMember: string): Encrypted[] {
  if (Array.isArray(value)) return value.flatMap((element) => findEncrypted(element, '', tokenMember))
  if (!isJsonObject(value)) return []
  const found = Object.entries(value).flatMap(([member, inner]) => findEncrypted(inner, member, tokenMember))
  if (typeof value.encryptedCard === 'string' && !Object.hasOwn(value, 'cardNumber')) {
    found.push({ object: value, member: 'encryptedCard', jwe: value.encryptedCard })
  }
  if (name === tokenMember && typeof value.encryptedCvv === 'string' && !Object.hasOwn(value, 'cvv')) {
    found.push({ object: value, member: 'encryptedCvv', jwe: value.encryptedCvv })
  }
  return found
}

type Opened = { fields: JsonObject; fresh: boolean }

async function openFields(jwe: string, decrypt: Decrypt, now: number): Promise<Opened | undefined> {
  const opened = await decrypt(jwe).catch(() => undefined)
  const fields = opened && parseJson(opened.plaintext)
  if (!isJsonObject(fields)) return undefined
  return { fields, fresh: [opened?.header['iat'], fields.iat].every((iat) => isFresh(iat, now)) }
}

/** `iat` (RFC 7519, 4.1.6: epoch seconds) may be left out; given, it keeps what was copied from being sent later. */
function isFresh(iat: unknown, now: number): boolean {
  if (iat === undefined) return true
  if (typeof iat !== 'number') return false
  const age = now / 1_000 - iat
  return age <= MAX_AGE_S && age >= -MAX_AHEAD_S
}
