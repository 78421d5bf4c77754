import { randomBytes } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { SealedCard } from '@cofre/proto/vault/v1/vault'
import { VoucherToken as Message, type CreateTokenRequest } from '@cofre/proto/vouchers/v1/vouchers'
import { isNumberOf, refused, unsupported, usableBrand, type CardType } from '../brands/brand'
import type { Deps } from '../deps'
import { cardTypeOf, fault, throwFaults } from '../rpc/request-check'
import { toMessage } from '../tokens/token-message'
import { discardUnlessSaved, insertToken } from '../tokens/token-store'
import type { VoucherToken } from '../tokens/voucher-token'

type Checked = { sellerId: number; cardType: CardType; brand: string; card: SealedCard }

/**
 * The vault keeps the number, then the token is saved with the mark of its key. A note of the number is saved before
 * the vault keeps it, so that a number whose token is not saved is destroyed.
 */
export async function createToken(deps: Deps, request: CreateTokenRequest): Promise<Replayable<Message>> {
  const { pool, log } = deps
  const checked = check(request)
  const { sellerId, cardType, brand, card } = checked
  const token = randomBytes(32).toString('hex')
  const refusal = await keep(deps, checked, token)
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    if (refusal) throw refusal
    const at = databaseNow()
    const { bin = '', lastFour = '' } = card.card ?? {}
    const made: VoucherToken = {
      token,
      sellerId,
      cardType,
      brand,
      status: 'ACTIVE',
      reason: null,
      bin,
      lastFour,
      redirect: null,
      version: 1,
      sequence: 1,
      createdAt: at,
      updatedAt: at,
    }
    await insertToken(tx, { token: made, event: 'voucher_token.active' })
    log.info({ sellerId, brand, cardType }, 'voucher token made')
    return toMessage(made)
  })
}

function check({ sellerId, cardType, cardBrand: brand, card }: CreateTokenRequest): Checked {
  const type = cardTypeOf(cardType)
  throwFaults([
    ...(type ? [] : [fault('#/cardType', 'ENUM', 'must be MEAL or FOOD')]),
    ...(brand === '' ? [fault('#/cardBrand', 'REQUIRED', 'is required')] : []),
    ...(card ? [] : [fault('#/cardNumber', 'REQUIRED', 'is required')]),
  ])
  return { sellerId, cardType: type as CardType, brand, card: card as SealedCard }
}

/**
 * Does the work before the transaction. A refusal is returned, not thrown: a repeated request gets its first answer.
 * Its card or the seller's account may have changed since.
 */
async function keep(
  { pool, brands, accounts, numbers }: Deps,
  { sellerId, cardType, brand: name, card }: Checked,
  token: string,
): Promise<DomainError | undefined> {
  try {
    const brand = usableBrand(brands, name, '#/cardBrand')
    if ((await accounts.find(sellerId, brand.partner)) === undefined) {
      throw refused(
        'VOUCHER_BRAND_UNSUPPORTED',
        'This voucher brand is not set up for the seller.',
        '#/cardBrand',
      )
    }
    if (brand.flow !== 'CARD_NUMBER') {
      throw unsupported('Cards of this brand are tokenized by redirect.', '#/cardBrand')
    }
    if (!brand.cardTypes.includes(cardType)) {
      throw refused('VOUCHER_CARD_MISMATCH', 'The brand has no cards of this type.', '#/cardType')
    }
    const { handle, usable, numberLength: length = 0 } = card
    if (!usable || handle === '') {
      throw refused('CARD_TOKEN_UNUSABLE', 'The card cannot be used.', `${card.pointer}/cardNumber`)
    }
    if (!isNumberOf(brand, { bin: card.card?.bin ?? '', length })) {
      throw refused('VOUCHER_CARD_MISMATCH', 'The card number does not belong to this brand.', '#/cardNumber')
    }
    await discardUnlessSaved(pool, { sellerId, token }, databaseNow())
    await numbers.keep({ sellerId, token, handle })
    return undefined
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
