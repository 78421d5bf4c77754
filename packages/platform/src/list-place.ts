import { DomainError } from './errors'

/**
 * In SQL, the place of an entry in a list that `column` orders: its time, in microseconds since 1970. With the id of the
 * entry it says where a page ended, whether or not that entry still exists.
 */
export function placeOf(column: string): string {
  return `floor(extract(epoch FROM ${column}) * 1000000)::bigint::text`
}

/** The time of a place, as PostgreSQL reads it: a Date has no microseconds. Throws VALIDATION_FAILED. */
export function timeAt(place: string): string {
  if (!PLACE.test(place)) throw faultyPlace('must be the place that a page named')
  const padded = place.padStart(7, '0')
  const milliseconds = Number(padded.slice(0, -3))
  return new Date(milliseconds).toISOString().replace('Z', `${padded.slice(-3)}Z`)
}

/** Up to the year 2286. */
const PLACE = /^\d{1,16}$/

export function faultyPlace(detail: string): DomainError {
  const errors = [{ pointer: '#/place', code: 'FORMAT', detail }]
  return new DomainError('invalid_argument', 'VALIDATION_FAILED', `The query parameter place ${detail}.`, {
    errors,
  })
}
