import { MAX_EPOCH_MS } from '@cofre/api/schema'
import { z } from 'zod'
import { isKeepable, UNKEEPABLE } from './body-fields'
import { isInMilliseconds, NOT_IN_MILLISECONDS } from './instant'

/** A whole number in a query string. */
export function queryInteger(min: number, max: number) {
  const fault = { code: 'TYPE', detail: 'must be a whole number' }
  return z
    .string()
    .refine((text) => /^-?\d{1,16}$/.test(text), { params: fault, abort: true })
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** A moment in a query string, epoch milliseconds. */
export function queryInstant() {
  return queryInteger(0, MAX_EPOCH_MS)
    .refine(isInMilliseconds, NOT_IN_MILLISECONDS)
    .meta({ type: 'integer', minimum: 0, maximum: MAX_EPOCH_MS, description: 'Epoch milliseconds.' })
}

/** `true` or `false` in a query string. */
export function queryBoolean() {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', enum: undefined })
}

/** A search text in a query string. */
export function queryText() {
  return z.string().min(1).max(255).refine(isKeepable, UNKEEPABLE)
}

const MAX_NAMES = 50
const SEVERAL = 'For several values, repeat the parameter or separate the values by commas.'

/** Names in a query string, the parameter repeated or separated by commas. */
export function queryNames<Names extends z.ZodEnum>(names: Names) {
  return z
    .preprocess(
      (given) => (Array.isArray(given) ? given : [given]).flatMap((each) => String(each).split(',')),
      z.array(names).max(MAX_NAMES),
    )
    .meta({ type: 'array', items: { type: 'string', enum: names.options }, description: SEVERAL })
}

/** Whole numbers in a query string, the parameter repeated or separated by commas. */
export function queryIntegers(min: number, max: number) {
  return z
    .preprocess(
      (given) => (Array.isArray(given) ? given : [given]).flatMap((each) => String(each).split(',')),
      z.array(queryInteger(min, max)).max(MAX_NAMES),
    )
    .meta({ type: 'array', items: { type: 'integer', minimum: min, maximum: max } })
}

const MAX_PAGE = 10_000_000
const MAX_SIZE = 100

/** The number and the size of a page. */
export const pageQuery = {
  page: queryInteger(0, MAX_PAGE).default(0).meta({ default: 0 }),
  size: queryInteger(1, Number.MAX_SAFE_INTEGER)
    .refine((size) => size <= MAX_SIZE, {
      params: { code: 'PAGE_SIZE', detail: `must be at most ${MAX_SIZE}` },
    })
    .default(10)
    .meta({ type: 'integer', minimum: 1, maximum: MAX_SIZE, default: 10 }),
}

export const AFTER =
  'The id of the last entry that you have. The page then starts after it, and `page` is only a number. Link rel="next" sets it where page numbers cannot reach every page.'

/** The last entry before a page. It reaches every page of a list, while `page` ends at 10,000 entries. */
export const afterQuery = {
  after: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({ description: AFTER }),
}
