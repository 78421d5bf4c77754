import { createHash } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Card } from './card'
import { DATA_KEY_CONSTRAINT } from './card-store'
import type { KeyRing } from '../keys/key-ring'
import { openStored, withCurrentKey } from '../keys/stored-secret'
import { newStoredCard, openCard } from './stored-number'
import { deleteVoucher, findVoucher, insertVoucher } from './voucher-store'

/** Where vouchers are kept: the vault's own database and keys. */
type Vouchers = { pool: Pool; keys: KeyRing }

/** The name of a voucher's row. It is a hash, so a voucher token itself never names a stored card. */
function rowOf(sellerId: number, voucherToken: string): string {
  return createHash('sha256').update(`voucher:${sellerId}:${voucherToken}`).digest('hex')
}

/** Throws for a token that none of our services makes. */
export function checkVoucherToken(voucherToken: string): void {
  if (/^[0-9a-f]{64}$/.test(voucherToken)) return
  throw new DomainError('invalid_argument', 'INTERNAL', 'A voucher token has 64 hexadecimal digits.')
}

/** Keeps the card behind a voucher token, without its CVV, unless one is kept already. */
export async function keepVoucherCard(
  { pool, keys }: Vouchers,
  sellerId: number,
  voucherToken: string,
  card: Card,
): Promise<void> {
  const row = rowOf(sellerId, voucherToken)
  await withCurrentKey(keys, DATA_KEY_CONSTRAINT, () =>
    insertVoucher(pool, newStoredCard(keys, sellerId, row, card)),
  )
}

/** Returns a voucher token's card. Throws FAILED_PRECONDITION CARD_TOKEN_UNUSABLE when none is kept. */
export async function revealVoucher(
  { pool, keys }: Vouchers,
  sellerId: number,
  voucherToken: string,
): Promise<Card> {
  const row = rowOf(sellerId, voucherToken)
  const card = await openStored(keys, 'a voucher', () => findVoucher(pool, sellerId, row), openCard)
  if (!card) throw voucherUnusable()
  return card
}

export async function destroyVoucherCard(pool: Pool, sellerId: number, voucherToken: string): Promise<void> {
  await deleteVoucher(pool, sellerId, rowOf(sellerId, voucherToken))
}

export function voucherUnusable(): DomainError {
  const message = 'The voucher token cannot be used.'
  return new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', message)
}
