import { DomainError } from './errors'
import { faultyPlace } from './list-place'

/** The entries up to which a list is counted, and up to which its pages are reached by number. */
export const COUNTED_MAX = 10_000

/**
 * Asks for page `page` of `size` entries or, with `after`, for the `size` entries that follow that entry's id. `place`:
 * where that entry stood, as the page that ended with it says. Without it the entry must still exist.
 */
export type PageRequest = {
  page: number
  size: number
  after?: string | number | undefined
  place?: string | undefined
}

/**
 * `total` is at most COUNTED_MAX; `totalIsLowerBound`: the list has more. `more`: entries follow the page. `place`:
 * where its last entry stands, unless its id says so.
 */
export type ListPage<Entry> = {
  entries: Entry[]
  total: number
  totalIsLowerBound: boolean
  more: boolean
  place?: string | undefined
}

/** The rows to read: one more than the page has, which shows whether entries follow. */
export function rowsToRead({ page, size, after, place }: PageRequest): { limit: number; offset: number } {
  if (place !== undefined && after === undefined) throw faultyPlace('needs after')
  if (after !== undefined) return { limit: size + 1, offset: 0 }
  return page * size < COUNTED_MAX ? { limit: size + 1, offset: page * size } : { limit: 0, offset: 0 }
}

/** A page from the rows read and from a count that stopped at COUNTED_MAX + 1. Throws PAGE_TOO_DEEP. */
export function listPage<Entry>(rows: Entry[], counted: number, request: PageRequest): ListPage<Entry> {
  const totalIsLowerBound = counted > COUNTED_MAX
  if (totalIsLowerBound && rowsToRead(request).limit === 0) {
    throw new DomainError(
      'invalid_argument',
      'PAGE_TOO_DEEP',
      `Page numbers reach only the first ${COUNTED_MAX} entries.`,
    )
  }
  const { size } = request
  const total = Math.min(counted, COUNTED_MAX)
  return { entries: rows.slice(0, size), total, totalIsLowerBound, more: rows.length > size }
}

/** The refusal of an `after` that names no entry of the list. */
export function unknownAfter(): DomainError {
  const detail = 'must be the id of an entry of the list'
  const errors = [{ pointer: '#/after', code: 'UNKNOWN', detail }]
  const message = `The query parameter after ${detail}.`
  return new DomainError('invalid_argument', 'VALIDATION_FAILED', message, { errors })
}

/**
 * The names of the statuses that a request lists by; none means all. `values`: the proto's enum. Throws
 * VALIDATION_FAILED for UNSPECIFIED, which is the status of no entry.
 */
export function statusNames<Values extends Record<string, string>>(
  values: Values,
  asked: readonly Values[keyof Values][],
): Exclude<keyof Values & string, 'UNSPECIFIED'>[] {
  type Name = Exclude<keyof Values & string, 'UNSPECIFIED'>
  const names = Object.keys(values).filter((name): name is Name => name !== 'UNSPECIFIED')
  if (asked.every((status) => names.some((name) => values[name] === status))) {
    return names.filter((name) => asked.includes(values[name]))
  }
  const errors = [{ pointer: '#/statuses', code: 'ENUM', detail: `each must be one of ${names.join(', ')}` }]
  const message = 'The list has no such status.'
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', message, { errors })
}
