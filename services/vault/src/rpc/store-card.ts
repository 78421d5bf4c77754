import { randomBytes } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import { StoredCard, type StoreCardRequest } from '@cofre/proto/vault/v1/vault'
import { issuerIn, withCurrentBrand } from '../bins/bin-table'
import { DATA_KEY_CONSTRAINT, insertCard } from '../cards/card-store'
import type { Deps } from '../deps'
import { withCurrentKey } from '../keys/stored-secret'
import { invalidHandle, openHandle } from '../cards/handle'
import { newStoredCard } from '../cards/stored-number'

export async function storeCard(deps: Deps, request: StoreCardRequest): Promise<Replayable<StoredCard>> {
  return withCurrentKey(deps.keys, DATA_KEY_CONSTRAINT, () => storeOnce(deps, request))
}

/**
 * The handle is opened before the transaction. Finding its key may take a connection, and the holder of one must not
 * wait for another. A fault of the handle is thrown only when the idempotency key has no kept answer.
 */
async function storeOnce(
  { pool, keys, bins, log, now }: Deps,
  { sellerId, handle }: StoreCardRequest,
): Promise<Replayable<StoredCard>> {
  const sealed = await openHandle(keys, sellerId, handle, now()).catch(refusalOf)
  const table = await bins.table()
  const store = async (db: Db) => {
    if (sealed instanceof DomainError) throw sealed
    if ('voucher' in sealed || 'voucherToken' in sealed) throw invalidHandle()
    if (!('card' in sealed)) {
      throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'This card is already stored.')
    }
    const token = randomBytes(32).toString('hex')
    const made = newStoredCard(keys, sellerId, token, sealed.card, (digits) => issuerIn(table, digits))
    if (made.card.brand === '') throw unsupportedBrand()
    const stored = await insertCard(db, made)
    log.info({ sellerId, cardId: stored.id }, 'card stored')
    return { ...stored, card: withCurrentBrand(table, stored.card) }
  }
  if (currentCall()?.idempotency) return withIdempotency(pool, sellerId, StoredCard, store)
  // Without a key there is no mark to commit with the card: the one statement is a transaction of its own.
  return { response: await store(pool), replayed: false }
}

function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  throw error
}

function unsupportedBrand(): DomainError {
  const message = 'The card number belongs to no supported brand.'
  const errors = [{ pointer: '#/cardNumber', code: 'CARD_BRAND_UNSUPPORTED', detail: message }]
  return new DomainError('failed_precondition', 'CARD_BRAND_UNSUPPORTED', message, { errors })
}
