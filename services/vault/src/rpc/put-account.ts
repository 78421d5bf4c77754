import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { Account } from '@cofre/proto/vault/v1/vault'
import { checkAccount } from '../accounts/account'
import type { Deps } from '../deps'

export async function putAccount(deps: Deps, account: Account): Promise<Empty> {
  return saveAccount(deps, account, true)
}

export async function saveAccount(
  { accounts, log }: Deps,
  { credentials, preference, ...key }: Account,
  replace: boolean,
): Promise<Empty> {
  checkAccount(key, credentials)
  await accounts.save(key, credentials, { preference: preference ?? null, replace })
  log.info({ sellerId: key.sellerId, partner: key.partner, account: key.name, replace }, 'account kept')
  return {}
}
