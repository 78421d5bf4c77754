import { notFound } from '@cofre/platform/errors'
import type { DescribeCardRequest, StoredCard } from '@cofre/proto/vault/v1/vault'
import { withCurrentBrand } from '../bins/bin-table'
import { findCard } from '../cards/card-store'
import type { Deps } from '../deps'
import { cardReference } from './card-reference'

export async function describeCard({ pool, bins }: Deps, request: DescribeCardRequest): Promise<StoredCard> {
  const stored = await findCard(pool, request.sellerId, cardReference(request))
  if (!stored) throw notFound('There is no such card.')
  return { ...stored, card: withCurrentBrand(await bins.table(), stored.card) }
}
