import { notFound } from '@cofre/platform/errors'
import type { DescribeCardRequest } from '@cofre/proto/vault/v1/vault'
import type { CardReference } from '../cards/card-store'

/** Which card a request names; one that names none names none that exists. */
export function cardReference({ id, token }: DescribeCardRequest): CardReference {
  if (id !== undefined) return { id }
  if (token !== undefined) return { token }
  throw notFound('There is no such card.')
}
