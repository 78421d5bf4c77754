import { gives, isJsonObject, lostOf, parseJson, type Json, type JsonObject } from './json'

/** Returns the content and the header of a compact JWE, both authenticated. Throws when it is not encrypted to us. */
export type Decrypt = (jwe: string) => Promise<{ plaintext: Uint8Array; header: Record<string, unknown> }>

type Encrypted = { object: JsonObject; member: 'encryptedCard' | 'encryptedCvv'; jwe: string }

// The members that a client may encrypt; the first is required.
const FIELDS = {
  encryptedCard: ['cardNumber', 'holder', 'expiration', 'expires', 'cvv'],
  encryptedCvv: ['cvv'],
} as const

/** Each costs an RSA decryption: about 2 ms of one core. */
export const MAX_ENCRYPTED = 10
/** The greatest age of `iat`, as long as a handle is good; and how far ahead a page's clock may be. */
const MAX_AGE_S = 15 * 60
const MAX_AHEAD_S = 60

/**
 * Why a seal is refused. STALE: its `iat` is more than 15 minutes old, or more than a minute ahead. REQUIRED: it has no
 * `iat`, or one that is no number. OTHER_SELLER: it was made for another seller. OTHER_INVOICE: it was made for an invoice
 * that the body does not pay. FORMAT: it holds no card data. DUPLICATE: it holds a member twice.
 */
export type SealFault = 'STALE' | 'REQUIRED' | 'OTHER_SELLER' | 'OTHER_INVOICE' | 'FORMAT' | 'DUPLICATE'

/** The result of opening a body: objects whose seal has a fault, and the unknown names in each object's seal. */
export type Opened = {
  seals: ReadonlyMap<JsonObject, SealFault>
  unknown: ReadonlyMap<JsonObject, readonly string[]>
}

/** Members of a seal that describe the seal itself. */
const CLAIMS: readonly string[] = ['iat', 'sellerId', 'invoiceId']

/**
 * The seller whose body it is, the ids of the invoice that it pays, and the time (epoch milliseconds). `tokenMember`: its
 * `token` names a kept card.
 */
type Reader = {
  decrypt: Decrypt
  sellerId: number
  invoiceIds: readonly string[]
  now: number
  tokenMember: string
}

/**
 * Replaces, in the body itself, each encryptedCard, and each encryptedCvv of a `tokenMember`, with its fields. One
 * stays when it can't be opened or stands beside the member it should replace. Reading the body reports it as a fault.
 * An object has one seal at most: an encryptedCvv beside an encryptedCard is misplaced, and stays.
 * With more than 10 it opens none and returns undefined. Stale ones are opened: a repeat is known by its body.
 */
export async function openEncryptedFields(
  body: Json,
  { decrypt, tokenMember, ...context }: Reader,
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
    if (!isJsonObject(fields) || !gives(fields, required)) {
      faults.set(object, 'FORMAT')
      continue
    }
    const isTwice = lostOf(opened.plaintext).some(({ code }) => code === 'DUPLICATE')
    const fault = isTwice ? 'DUPLICATE' : faultOf([opened.header, fields], context)
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

/** Returns the unknown names. A misspelt member, such as a CVV, would otherwise be lost without notice. */
function unknownIn(fields: JsonObject, member: Encrypted['member']): string[] {
  const known: readonly string[] = [...FIELDS[member], ...CLAIMS]
  return Object.keys(fields).filter((name) => !known.includes(name))
}

function findEncrypted(value: Json, name: string, tokenMember: string): Encrypted[] {
  if (Array.isArray(value)) return value.flatMap((element) => findEncrypted(element, '', tokenMember))
  if (!isJsonObject(value)) return []
  const found = Object.entries(value).flatMap(([member, inner]) => findEncrypted(inner, member, tokenMember))
  if (typeof value.encryptedCard === 'string' && !gives(value, 'cardNumber')) {
    found.push({ object: value, member: 'encryptedCard', jwe: value.encryptedCard })
  } else if (name === tokenMember && typeof value.encryptedCvv === 'string' && !gives(value, 'cvv')) {
    found.push({ object: value, member: 'encryptedCvv', jwe: value.encryptedCvv })
  }
  return found
}

/** `claims`: the JWE's header and content; both may carry `iat` (RFC 7519, 4.1.6: epoch seconds) and the two ids. */
function faultOf(
  claims: readonly Record<string, unknown>[],
  { sellerId, invoiceIds, now }: Pick<Reader, 'sellerId' | 'invoiceIds' | 'now'>,
): SealFault | undefined {
  const given = (name: string) => claims.map((each) => each[name]).filter((value) => value !== undefined)
  if (given('sellerId').some((named) => named !== sellerId && named !== String(sellerId)))
    return 'OTHER_SELLER'
  if (!given('invoiceId').every((named) => isIdIn(invoiceIds, named))) return 'OTHER_INVOICE'
  const times = given('iat')
  if (times.length === 0 || !times.every((iat): iat is number => typeof iat === 'number')) return 'REQUIRED'
  return times.every((iat) => isFresh(iat, now)) ? undefined : 'STALE'
}

function isIdIn(ids: readonly string[], named: unknown): boolean {
  return (typeof named === 'string' || typeof named === 'number') && ids.includes(String(named))
}

/** True for a recent seal: a copied one must not be usable later. */
function isFresh(iat: number, now: number): boolean {
  const age = now / 1_000 - iat
  return age <= MAX_AGE_S && age >= -MAX_AHEAD_S
}
