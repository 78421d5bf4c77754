import { setTimeout as pause } from 'node:timers/promises'
import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { openSecret } from '@cofre/platform/secret-box'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { findKeptKeys, forgetKey, type KeptKey } from './merchant-key-store'

type Moving = { pool: Pool; log: Logger; vault: VaultClient; establishmentKey: Buffer | undefined }

const BATCH_SIZE = 100
const AGAIN_AFTER_MS = 1_000

/**
 * Moves merchant keys that an older version left in this database to the vault, and deletes each once it is there.
 * Nothing is served before, because an establishment can't be charged without its key. It waits for the vault as long
 * as needed. An interruption, or two replicas at once, leads to the same result.
 */
export async function moveMerchantKeys(moving: Moving): Promise<void> {
  let moved = 0
  for (;;) {
    const kept = await findKeptKeys(moving.pool, BATCH_SIZE)
    if (kept.length === 0) break
    for (const one of kept) await moveKey(moving, one)
    moved += kept.length
  }
  if (moved > 0) moving.log.info({ establishments: moved }, 'merchant keys moved to the vault')
}

async function moveKey(moving: Moving, kept: KeptKey): Promise<void> {
  const { sellerId, merchantId, tokenPreference } = kept
  const account = {
    sellerId,
    name: merchantId,
    credentials: { merchantId, merchantKey: openKey(moving.establishmentKey, kept) },
  }
  await importAccount(moving, { ...account, partner: 'acquirer', preference: undefined })
  const preference = tokenPreference ?? undefined
  await importAccount(moving, { ...account, partner: 'token-service', preference })
  await forgetKey(moving.pool, kept)
}

async function importAccount({ vault, log }: Moving, account: Parameters<VaultClient['importAccount']>[0]) {
  for (;;) {
    try {
      return await callRpc(vault, vault.importAccount, account)
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error
      log.warn('merchant keys not moved yet: the vault does not answer')
    }
    await pause(AGAIN_AFTER_MS)
  }
}

function openKey(key: Buffer | undefined, { id, sellerId, merchantId, sealed }: KeptKey): string {
  if (!key) {
    throw new Error(
      'ESTABLISHMENT_KEY_FILE is missing: it opens merchant keys that are still in this database',
    )
  }
  try {
    return openSecret(key, sealed, `establishment:${sellerId}:${merchantId}`).toString()
  } catch (cause) {
    throw new Error(`ESTABLISHMENT_KEY_FILE does not open the merchant key of establishment ${id}`, { cause })
  }
}
