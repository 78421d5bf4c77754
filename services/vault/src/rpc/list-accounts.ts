import type { ListAccountsRequest, ListAccountsResponse, ListedAccount } from '@cofre/proto/vault/v1/vault'
import { credentialsAt } from '../accounts/account-credentials'
import { listAccounts as listStored } from '../accounts/account-store'
import type { Deps } from '../deps'

const ACCOUNTS_MAX = 1_000

export async function listAccounts(
  deps: Deps,
  { sellerId }: ListAccountsRequest,
): Promise<ListAccountsResponse> {
  const found = await listStored(deps.pool, sellerId, ACCOUNTS_MAX + 1)
  const accounts: ListedAccount[] = []
  for (const { partner, name, updatedAt, certificateExpiresAt } of found.slice(0, ACCOUNTS_MAX)) {
    const account = await deps.accounts.find({ sellerId, partner, name })
    const credentials = Object.keys(account.credentials).toSorted()
    const wanted = credentialsAt(deps.partners, partner)
    const missingCredentials = wanted.filter((credential) => !credentials.includes(credential))
    const expiry = certificateExpiresAt === null ? {} : { certificateExpiresAt }
    accounts.push({ partner, name, credentials, missingCredentials, updatedAt, ...expiry })
  }
  return { accounts, more: found.length > ACCOUNTS_MAX }
}
