import { notFound } from '@cofre/platform/errors'
import type {
  AcknowledgeDisablingRequest,
  AcknowledgeDisablingResponse,
} from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { deleteDisabling } from '../endpoints/disabling-store'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export async function acknowledgeDisabling(
  { pool }: Deps,
  { id }: AcknowledgeDisablingRequest,
): Promise<AcknowledgeDisablingResponse> {
  if (!UUID.test(id)) throw notFound()
  await deleteDisabling(pool, id)
  return {}
}
