import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { Account } from '@cofre/proto/vault/v1/vault'
import { checkAccount } from '../accounts/account'
import { checkCredentials } from '../accounts/account-credentials'
import type { Deps } from '../deps'

export async function putAccount(deps: Deps, account: Account): Promise<Empty> {
  checkAccount(account, account.credentials)
  checkCredentials(deps.partners, account.partner, account.credentials)
  return saveAccount(deps, account, true)
}

export async function saveAccount(
  { accounts, log }: Deps,
  { credentials, preference, ...key }: Account,
  replace: boolean,
): Promise<Empty> {
  await accounts.save(key, credentials, { preference: preference ?? null, replace })
  log.info({ sellerId: key.sellerId, partner: key.partner, account: key.name, replace }, 'account kept')
  return {}
}
