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
 * Why a seal is not taken. STALE: encrypted more than 15 minutes ago, by its own `iat`, or in the future. REQUIRED: it has
 * no `iat`. OTHER_SELLER: encrypted for another one. FORMAT: what it holds is no card.
 */
export type SealFault = 'STALE' | 'REQUIRED' | 'OTHER_SELLER' | 'FORMAT'

/** What was opened: objects with a fault of their seal, and the names that their seal holds and nobody knows. */
export type Opened = {
  seals: ReadonlyMap<JsonObject, SealFault>
  unknown: ReadonlyMap<JsonObject, readonly string[]>
}

/** Members of a seal that speak of the seal itself. */
const CLAIMS: readonly string[] = ['iat', 'sellerId']

/** Who reads the body, and when (epoch milliseconds). `tokenMember`: the member whose `token` names a kept card. */
type Reader = { decrypt: Decrypt; sellerId: number; now: number; tokenMember: string }

/**
 * Puts, in the body itself, the fields in place of each encryptedCard, and of each encryptedCvv of a `tokenMember`. What
 * can't be opened, or stands beside what it should replace, is left as it is: reading the body finds it as a fault. Of
 * more than 10 none is opened, and the answer is undefined. Stale ones are opened too, since a repeated request is known by its body.
 */
export async function openEncryptedFields(
  body: JsonObject,
  { decrypt, sellerId, now, tokenMember }: Reader,
): Promise<Opened | undefined> {
  const encrypted = findEncrypted(body, '', tokenMember)
  if (encrypted.length > MAX_ENCRYPTED) return undefined
  const faults = new Map<JsonObject, SealFault>()
  const unknown = new Map<JsonObject, readonly string[]>()
  for (const { object, member, jwe } of encrypted) {
    const opened = await decrypt(jwe).catch(() => undefined)
    if (!opened) continue
    const fields = parseJson(opened.plaintext)
    const [required] = FIELDS[member]
    if (!isJsonObject(fields) || !Object.hasOwn(fields, required)) {
      faults.set(object, 'FORMAT')
      continue
    }
    const fault = faultOf([opened.header, fields], sellerId, now)
    if (fault) faults.set(object, fault)
    unknown.set(object, unknownIn(fields, member))
    delete object[member]
    for (const name of FIELDS[member]) {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (value !== undefined) object[name] = value
    }
  }
  return { seals: faults, unknown }
}

/** A misspelt member would be lost without a word: a CVV, for one. */
function unknownIn(fields: JsonObject, member: Encrypted['member']): string[] {
  const known: readonly string[] = [...FIELDS[member], ...CLAIMS]
  return Object.keys(fields).filter((name) => !known.includes(name))
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

/** `claims`: the header of the JWE and what it held; both may carry `iat` (RFC 7519, 4.1.6: epoch seconds) and `sellerId`. */
function faultOf(
  claims: readonly Record<string, unknown>[],
  sellerId: number,
  now: number,
): SealFault | undefined {
  const given = (name: string) => claims.map((each) => each[name]).filter((value) => value !== undefined)
  if (given('sellerId').some((named) => named !== sellerId && named !== String(sellerId)))
    return 'OTHER_SELLER'
  const times = given('iat')
  if (times.length === 0 || !times.every((iat): iat is number => typeof iat === 'number')) return 'REQUIRED'
  return times.every((iat) => isFresh(iat, now)) ? undefined : 'STALE'
}

/** What was copied must not be sent later. */
function isFresh(iat: number, now: number): boolean {
  const age = now / 1_000 - iat
  return age <= MAX_AGE_S && age >= -MAX_AHEAD_S
}
