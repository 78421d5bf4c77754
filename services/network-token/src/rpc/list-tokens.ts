import { DomainError, type FieldError } from '@cofre/platform/errors'
import { statusNames } from '@cofre/platform/list-page'
import {
  NetworkTokenStatus,
  type ListTokensRequest,
  type ListTokensResponse,
} from '@cofre/proto/networktoken/v1/networktoken'
import type { Deps } from '../deps'
import { listTokens as findTokens } from '../token/list-store'
import { toMessage } from '../token/network-token-message'

const SIZE_MAX = 100

export async function listTokens(
  { pool }: Deps,
  { sellerId, page, size, after, place, statuses, ...filter }: ListTokensRequest,
): Promise<ListTokensResponse> {
  check([
    ...(size >= 1 && size <= SIZE_MAX ? [] : [fault('#/size', 'RANGE', `must be from 1 to ${SIZE_MAX}`)]),
    ...(page >= 0 ? [] : [fault('#/page', 'MIN', 'must be at least 0')]),
  ])
  const { lastFour, createdFrom, createdTo } = filter
  const names = statusNames(NetworkTokenStatus, statuses)
  // Sellers see a suspended token as INACTIVE.
  const wanted = names.flatMap((name) => (name === 'INACTIVE' ? ([name, 'SUSPENDED'] as const) : [name]))
  const asked = { sellerId, lastFour, createdFrom, createdTo, statuses: wanted }
  const { entries, ...end } = await findTokens(pool, asked, { page, size, after, place })
  return { tokens: entries.map(toMessage), ...end }
}

function fault(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}

function check(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid.', { errors })
}
