import { databaseNow } from '@cofre/platform/service/database-clock'
import { notFound } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { GetTokenRequest } from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../deps'
import { destroyDiscarded } from '../sweepers/destroy-discarded'
import { deleteToken as deleteRow, findDiscarded } from '../tokens/token-store'

/** Deletes the token at once. The vault destroys its number or grant now, or once it answers and no renewal runs. */
export async function deleteToken(deps: Deps, key: GetTokenRequest): Promise<Empty> {
  const at = databaseNow()
  if (!(await deleteRow(deps.pool, key, at))) throw notFound()
  deps.log.info({ sellerId: key.sellerId }, 'voucher token deleted')
  const discarded = await findDiscarded(deps.pool, key, at)
  if (discarded) await destroyDiscarded(deps, discarded)
  return {}
}
