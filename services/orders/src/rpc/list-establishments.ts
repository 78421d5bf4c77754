import type { ListEstablishmentsRequest, ListEstablishmentsResponse } from '@cofre/proto/orders/v1/orders'
import type { Deps } from '../deps'
import { listEstablishments as findEstablishments } from '../establishment/establishment-store'

export function listEstablishments(
  { pool }: Deps,
  request: ListEstablishmentsRequest,
): Promise<ListEstablishmentsResponse> {
  return findEstablishments(pool, request)
}
