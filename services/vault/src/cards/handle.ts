import { DomainError } from '@cofre/platform/errors'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { Card } from './card'
import { Cryptogram } from './cryptogram'
import { Cvv } from './cvv'
import type { Expiration } from '../body/expiration'
import type { KeyRing } from '../keys/key-ring'
import { Pan } from './pan'

const LIFETIME_MS = 15 * 60_000

/**
 * The content of a handle. A payment card, or the id of a stored card and perhaps a CVV for one use. A network token
 * and the cryptogram of one payment. A voucher, or a voucher token and perhaps a CVV. Vouchers are kept apart from
 * cards: nobody checked their numbers as card numbers.
 */
export type Sealed =
  | { card: Card }
  | { cardId: number; cvv?: Cvv }
  | { networkToken: string; cryptogram: Cryptogram }
  | { voucher: Card }
  | { voucherToken: string; cvv?: Cvv }

type OpenCard = { number: string; holderName: string; expiration: Expiration }

type Content = {
  /** Epoch milliseconds. */
  expiresAt: number
  cardId?: number
  card?: OpenCard
  cvv?: string
  networkToken?: string
  cryptogram?: string
  voucher?: OpenCard
  voucherToken?: string
}

/** Seals a handle for one seller, good for 15 minutes; nothing is stored. The key's id precedes the sealed part. */
export function sealHandle(keys: KeyRing, sellerId: number, sealed: Sealed, now: number): string {
  const key = keys.current('handle')
  const content = JSON.stringify({ expiresAt: now + LIFETIME_MS, ...contentOf(sealed) } satisfies Content)
  return `${key.id}.${sealSecret(key.bytes, content, contextOf(sellerId)).toString('base64url')}`
}

/** Opens a handle. Throws VALIDATION_FAILED when it is not one of ours for this seller, or has expired. */
export async function openHandle(
  keys: KeyRing,
  sellerId: number,
  handle: string,
  now: number,
): Promise<Sealed> {
  const [, keyId, sealed] = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{40,8192})$/.exec(handle) ?? []
  const key = keyId && (await keys.find(keyId))
  if (!key || key.purpose !== 'handle' || !sealed) throw invalidHandle()
  const content = openContent(key.bytes, Buffer.from(sealed, 'base64url'), sellerId)
  if (!content || content.expiresAt <= now) throw invalidHandle()
  return sealedOf(content)
}

function sealedOf({ card, voucher, voucherToken, networkToken, cryptogram, ...content }: Content): Sealed {
  if (networkToken !== undefined && cryptogram !== undefined) {
    return { networkToken, cryptogram: new Cryptogram(cryptogram) }
  }
  const cvv = content.cvv === undefined ? {} : { cvv: new Cvv(content.cvv) }
  if (card) return { card: { ...card, number: new Pan(card.number), ...cvv } }
  if (voucher) return { voucher: { ...voucher, number: new Pan(voucher.number), ...cvv } }
  if (voucherToken !== undefined) return { voucherToken, ...cvv }
  if (content.cardId === undefined) throw invalidHandle()
  return { cardId: content.cardId, ...cvv }
}

function openContent(key: Uint8Array, sealed: Uint8Array, sellerId: number): Content | undefined {
  try {
    return JSON.parse(openSecret(key, sealed, contextOf(sellerId)).toString()) as Content
  } catch {
    return undefined
  }
}

function contentOf(sealed: Sealed): Omit<Content, 'expiresAt'> {
  if ('networkToken' in sealed) {
    return { networkToken: sealed.networkToken, cryptogram: sealed.cryptogram.reveal() }
  }
  if ('card' in sealed) return { card: openCard(sealed.card), ...openCvv(sealed.card) }
  if ('voucher' in sealed) return { voucher: openCard(sealed.voucher), ...openCvv(sealed.voucher) }
  const { cvv: _, ...named } = sealed
  return { ...named, ...openCvv(sealed) }
}

function openCard({ number, holderName, expiration }: Card): OpenCard {
  return { number: number.reveal(), holderName, expiration }
}

function openCvv({ cvv }: { cvv?: Cvv }): { cvv?: string } {
  return cvv ? { cvv: cvv.reveal() } : {}
}

function contextOf(sellerId: number): string {
  return `handle:${sellerId}`
}

/** The error for a handle that is not ours, has expired, or lacks the content that the call needs. */
export function invalidHandle(): DomainError {
  return new DomainError(
    'invalid_argument',
    'VALIDATION_FAILED',
    'This card data has expired, or belongs to another request: send the card again.',
  )
}
