import { notFound } from '@cofre/platform/errors'
import type { DescribeCardRequest } from '@cofre/proto/vault/v1/vault'
import type { CardReference } from '../cards/card-store'

/** Returns the reference to a request's card. Throws NOT_FOUND when the request names none. */
export function cardReference({ id, token }: DescribeCardRequest): CardReference {
  if (id !== undefined) return { id }
  if (token !== undefined) return { token }
  throw notFound('There is no such card.')
}
