import { DomainError } from '@cofre/platform/errors'
import type { Account, FindAccountRequest } from '@cofre/proto/orders/v1/orders'
import type { Deps } from '../deps'
import { openAccount } from '../establishment/establishment'
import { findTokenAccount } from '../establishment/establishment-store'

export async function findAccount(
  { pool, rules }: Deps,
  { sellerId, merchantId }: FindAccountRequest,
): Promise<Account> {
  const found = await findTokenAccount(pool, sellerId, merchantId)
  if (found) return openAccount(rules.establishmentKey, found)
  throw new DomainError(
    'failed_precondition',
    'NO_NETWORK_TOKEN_ESTABLISHMENT',
    'The seller has no establishment that is enabled for network tokens.',
  )
}
