import { callRpc } from '@cofre/platform/grpc/client'
import type { NetworkTokenAccountsClient } from '@cofre/proto/orders/v1/orders'
import type { Account } from './token-service'

/** The sellers' accounts at the acquirer, which the orders service owns. */
export type Accounts = {
  /**
   * The account that is enabled for network tokens, or the one that is named, whatever it is enabled for.
   * FAILED_PRECONDITION NO_NETWORK_TOKEN_ESTABLISHMENT.
   */
  find(sellerId: number, merchantId?: string): Promise<Account>
}

/** A new key of an account is used from then on: what was asked is good for this long, and rests in memory alone. */
const KEPT_MS = 5_000
const KEPT_MAX = 10_000

/** Asks for each account once, however many want it at the same time. */
export function openAccounts(client: NetworkTokenAccountsClient): Accounts {
  const kept = new Map<string, { account: Promise<Account>; until: number }>()
  return {
    find: (sellerId, merchantId) => {
      const name = `${sellerId}:${merchantId ?? ''}`
      const known = kept.get(name)
      if (known && known.until > Date.now()) return known.account
      if (kept.size >= KEPT_MAX) kept.clear()
      const account = callRpc(client, client.findAccount, { sellerId, merchantId })
      kept.set(name, { account, until: Date.now() + KEPT_MS })
      account.catch(() => kept.delete(name))
      return account
    },
  }
}
