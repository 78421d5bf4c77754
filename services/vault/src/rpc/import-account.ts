import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { Account } from '@cofre/proto/vault/v1/vault'
import { checkAccount } from '../accounts/account'
import type { Deps } from '../deps'
import { saveAccount } from './put-account'

export async function importAccount(deps: Deps, account: Account): Promise<Empty> {
  checkAccount(account, account.credentials)
  return saveAccount(deps, account, false)
}
