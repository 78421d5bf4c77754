import { databaseNow } from '@cofre/platform/service/database-clock'
import type { TakeDisputeHintRequest, TakeDisputeHintResponse } from '@cofre/proto/orders/v1/disputes'
import { hastenAccount } from '../dispute-store/account-store'
import type { Deps } from '../deps'

export async function takeDisputeHint(
  { pool }: Deps,
  { establishmentNumber }: TakeDisputeHintRequest,
): Promise<TakeDisputeHintResponse> {
  await hastenAccount(pool, establishmentNumber, databaseNow())
  return {}
}
