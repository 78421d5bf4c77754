import { notFound } from '@cofre/platform/errors'
import type { SettleDisablingRequest, SettleDisablingResponse } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { settleDisabling as settle } from '../endpoints/disabling-store'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export async function settleDisabling(
  { pool }: Deps,
  { id }: SettleDisablingRequest,
): Promise<SettleDisablingResponse> {
  if (!UUID.test(id)) throw notFound()
  await settle(pool, id)
  return {}
}
