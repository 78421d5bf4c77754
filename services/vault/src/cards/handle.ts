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
 * What a handle holds: a payment card, or which stored card, perhaps with the CVV given for this once, or which network
 * token with the cryptogram of one payment; a voucher, or which voucher token, perhaps with the CVV. A voucher is kept
 * apart from a card, since nobody checked its number as a card's.
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

/** Seals for one seller, for 15 minutes; nothing is stored. The id of the key stands before the sealed part. */
export function sealHandle(keys: KeyRing, sellerId: number, sealed: Sealed, now: number): string {
  const key = keys.current('handle')
  const content = JSON.stringify({ expiresAt: now + LIFETIME_MS, ...contentOf(sealed) } satisfies Content)
  return `${key.id}.${sealSecret(key.bytes, content, contextOf(sellerId)).toString('base64url')}`
}

/** Throws VALIDATION_FAILED when it is not a handle of ours for this seller, or its time is over. */
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

/** Of a handle that is not one of ours, not good any more, or not of what was asked for. */
export function invalidHandle(): DomainError {
  return new DomainError(
    'invalid_argument',
    'VALIDATION_FAILED',
    'This card data has expired, or belongs to another request: send the card again.',
  )
}
