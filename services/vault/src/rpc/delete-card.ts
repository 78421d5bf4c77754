import { notFound } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { DescribeCardRequest } from '@cofre/proto/vault/v1/vault'
import { deleteCard as deleteRow } from '../cards/card-store'
import type { Deps } from '../deps'
import { cardReference } from './card-reference'

export async function deleteCard({ pool, log }: Deps, request: DescribeCardRequest): Promise<Empty> {
  const { sellerId } = request
  const cardId = await deleteRow(pool, sellerId, cardReference(request))
  if (cardId === undefined) throw notFound('There is no such card.')
  log.info({ sellerId, cardId }, 'card deleted')
  return {}
}
