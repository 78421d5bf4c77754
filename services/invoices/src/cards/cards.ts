import { DomainError } from '@cofre/platform/errors'
import { currentCall, newCall, runCall } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { StoredCard, VaultClient } from '@cofre/proto/vault/v1/vault'
import { noteCardName } from '../invoice/store/card-name-store'
import { ownKey } from './own-key'

/** The cards that sellers and their customers keep in the vault. */
export type Cards = {
  /** Undefined when the seller has no such card. UNAVAILABLE when the vault does not answer. */
  find(sellerId: number, reference: { id: number } | { token: string }): Promise<StoredCard | undefined>
  /** Stores the card of a handle, once for each operation. */
  store(sellerId: number, handle: string, operationId: string): Promise<StoredCard>
  /** Destroys a card. Repeatable. */
  destroy(sellerId: number, id: number): Promise<void>
}

const TIMEOUT_MS = 10_000

/** Whatever the vault shows of a card is noted, so that payers read which card it is. */
export function openCards(vault: VaultClient, pool: Pool): Cards {
  const noted = async (stored: StoredCard) => {
    if (stored.card) await noteCardName(pool, stored.id, stored.card)
    return stored
  }
  return {
    find: async (sellerId, reference) => {
      const stored = await orNothing(() => callRpc(vault, vault.describeCard, { sellerId, ...reference }))
      return stored && noted(stored)
    },
    store: async (sellerId, handle, operationId) => {
      const call = currentCall() ?? newCall({ timeoutMs: TIMEOUT_MS })
      const idempotency = ownKey(operationId, `invoices/transactions/${operationId}/card`)
      const store = () => callRpc(vault, vault.storeCard, { sellerId, handle })
      return noted(await runCall({ ...call, idempotency }, store))
    },
    destroy: async (sellerId, id) => {
      await orNothing(() => callRpc(vault, vault.deleteCard, { sellerId, id }))
    },
  }
}

/** Undefined when the vault has no such card. */
async function orNothing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined
    throw error
  }
}
