import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { PIX_PARTNER } from './rest-pix-bank'

/** A seller's Pix key; undefined when the vault has no Pix account of the seller. */
export async function findPixAccount(vault: VaultClient, sellerId: number): Promise<string | undefined> {
  try {
    return (await callRpc(vault, vault.findAccount, { sellerId, partner: PIX_PARTNER })).name
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'NO_ESTABLISHMENT') return undefined
    throw error
  }
}
