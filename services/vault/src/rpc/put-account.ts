import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { Account } from '@cofre/proto/vault/v1/vault'
import { checkAccount } from '../accounts/account'
import { checkCredentials } from '../accounts/account-credentials'
import { checkClientPair } from '../accounts/client-certificate'
import type { Deps } from '../deps'

export async function putAccount({ accounts, partners, log, now }: Deps, account: Account): Promise<Empty> {
  const { credentials, preference = null, ...key } = account
  checkAccount(key, credentials)
  checkCredentials(partners, key.partner, credentials)
  checkClientPair(credentials, now())
  await accounts.save(key, credentials, preference)
  log.info({ sellerId: key.sellerId, partner: key.partner, account: key.name }, 'account kept')
  return {}
}
