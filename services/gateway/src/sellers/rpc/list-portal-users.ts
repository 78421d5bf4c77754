import { notFound } from '@cofre/platform/errors'
import type { ListPortalUsersRequest, ListPortalUsersResponse } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'
import { listPortalUsers as findUsers } from '../portal-user-store'
import { findSeller } from '../seller-store'
import { toPortalUserMessage } from './portal-user-message'

export async function listPortalUsers(
  { pool }: Deps,
  { sellerId }: ListPortalUsersRequest,
): Promise<ListPortalUsersResponse> {
  if (sellerId !== undefined && !(await findSeller(pool, sellerId))) {
    throw notFound('There is no such seller.')
  }
  const { users, more } = await findUsers(pool, sellerId)
  return { users: users.map(toPortalUserMessage), more }
}
