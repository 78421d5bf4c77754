import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { Account } from '../acquirer/acquirer'

/** A seller's account at the acquirer as the database keeps it: its key sealed. */
export type SealedAccount = { sellerId: number; merchantId: string; merchantKey: Buffer }

export function sealAccount(key: Buffer, sellerId: number, { merchantId, merchantKey }: Account): Buffer {
  return sealSecret(key, merchantKey, contextOf(sellerId, merchantId))
}

export function openAccount(key: Buffer, { sellerId, merchantId, merchantKey }: SealedAccount): Account {
  const opened = openSecret(key, merchantKey, contextOf(sellerId, merchantId))
  return { merchantId, merchantKey: opened.toString() }
}

/** What was sealed for one seller and account can't be opened as another's. */
function contextOf(sellerId: number, merchantId: string): string {
  return `establishment:${sellerId}:${merchantId}`
}
