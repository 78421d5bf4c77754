import {
  DisablingReason,
  type TakeDisablingsRequest,
  type TakeDisablingsResponse,
} from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { takeDisablings as takeFrom } from '../endpoints/disabling-store'

export async function takeDisablings(
  { pool }: Deps,
  _request: TakeDisablingsRequest,
): Promise<TakeDisablingsResponse> {
  const taken = await takeFrom(pool)
  return {
    disablings: taken.map(({ reason, disabledAt, ...same }) => ({
      ...same,
      reason: DisablingReason[reason],
      disabledAt: disabledAt.getTime(),
    })),
  }
}
