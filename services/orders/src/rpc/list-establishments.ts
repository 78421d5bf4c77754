import type { ListEstablishmentsRequest, ListEstablishmentsResponse } from '@cofre/proto/orders/v1/orders'
import type { Deps } from '../deps'
import { listEstablishments as findEstablishments } from '../establishment/establishment-store'

export async function listEstablishments(
  { pool }: Deps,
  { sellerId }: ListEstablishmentsRequest,
): Promise<ListEstablishmentsResponse> {
  return { establishments: await findEstablishments(pool, sellerId) }
}
