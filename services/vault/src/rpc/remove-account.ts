import { notFound } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { RemoveAccountRequest } from '@cofre/proto/vault/v1/vault'
import { deleteAccount } from '../accounts/account-store'
import type { Deps } from '../deps'

export async function removeAccount({ pool, log }: Deps, account: RemoveAccountRequest): Promise<Empty> {
  if (!(await deleteAccount(pool, account))) throw notFound('The seller has no such account.')
  const { sellerId, partner, name } = account
  log.info({ sellerId, partner, account: name }, 'account removed')
  return {}
}
