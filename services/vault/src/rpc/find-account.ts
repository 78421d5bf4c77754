import type { FindAccountRequest, FoundAccount } from '@cofre/proto/vault/v1/vault'
import { noEstablishment } from '../accounts/account'
import { findAccount as findStored } from '../accounts/account-store'
import type { Deps } from '../deps'

export async function findAccount(
  { pool }: Deps,
  { sellerId, partner }: FindAccountRequest,
): Promise<FoundAccount> {
  const found = await findStored(pool, { sellerId, partner, name: '' })
  if (!found) throw noEstablishment()
  return { name: found.name }
}
