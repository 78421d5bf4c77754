import { MAX_EPOCH_MS } from '@cofre/api/schema'
import { endOf, isDay, startOf } from '@cofre/platform/calendar-day'
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

/** An id in a query string. */
export function queryId() {
  return queryInteger(1, Number.MAX_SAFE_INTEGER)
}

/** A moment in a query string, epoch milliseconds. */
export function queryInstant() {
  return queryInteger(0, MAX_EPOCH_MS)
    .refine(isInMilliseconds, NOT_IN_MILLISECONDS)
    .meta({ type: 'integer', minimum: 0, maximum: MAX_EPOCH_MS, description: 'Epoch milliseconds.' })
}

/** The digits of a moment; a day is shorter. */
const MOMENT_LENGTH_MAX = 16

export const MOMENTS = 'Epoch milliseconds, or a day in America/Sao_Paulo, which is included whole.'

/** A bound of a time: a moment, or a day in America/Sao_Paulo, which is meant whole. Epoch milliseconds. */
export function queryBound(side: 'from' | 'to') {
  const momentIn = side === 'from' ? startOf : endOf
  return z
    .string()
    .max(MOMENT_LENGTH_MAX)
    .transform((text) => (isDay(text) ? String(momentIn(text)) : text))
    .pipe(queryInstant())
    .meta({
      type: undefined,
      anyOf: [
        { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_EPOCH_MS },
        { type: 'string', format: 'date', maxLength: MOMENT_LENGTH_MAX },
      ],
      description: MOMENTS,
    })
}

/** The bank's field of a slip, which holds the bank's number: between the check digits of a typed line, or in a bar code. */
const FIELD = /^(?:\d{4}(\d{5})\d(\d{10})\d(\d{10})\d{16}|\d{19}(\d{25}))$/

/** The bank's number of a boleto, from itself, its bar code or its typed line, with or without dots. */
export function queryOurNumber() {
  return z
    .string()
    .max(255)
    .transform((text) => text.replaceAll(/[ .-]/g, ''))
    .transform((digits) => FIELD.exec(digits)?.slice(1).join('').slice(6, 23) ?? digits)
    .pipe(
      z.string().regex(/^\d{17}$/, 'must be 17 digits, the 44 of the bar code, or the 47 of the typed line'),
    )
    .meta({
      type: 'string',
      description:
        'The bank’s number for the boleto (nosso número), or its digitable line or bar code, with or without dots and spaces.',
    })
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

/** A unique name in a query string, as it is stored. */
export function queryUniqueName() {
  return z.string().normalize('NFC').min(1).max(255).refine(isKeepable, UNKEEPABLE)
}

/** The last four digits of a card, in a query string. */
export function lastFourQuery() {
  return z
    .string()
    .regex(/^\d{4}$/, 'must be four digits')
    .optional()
    .meta({ description: 'The last four digits of the card.', examples: ['1111'] })
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
    .meta({ type: 'array', items: itemsOf(names), description: SEVERAL })
}

/** An enum of the document is named there; another stands here. */
function itemsOf(names: z.ZodEnum): object {
  const { id } = names.meta() ?? {}
  return id === undefined ? { type: 'string', enum: names.options } : { $ref: `#/components/schemas/${id}` }
}

/** Whole numbers in a query string, the parameter repeated or separated by commas. */
export function queryIntegers(min: number, max: number) {
  return z
    .preprocess(
      (given) => (Array.isArray(given) ? given : [given]).flatMap((each) => String(each).split(',')),
      z.array(queryInteger(min, max)).max(MAX_NAMES),
    )
    .meta({ type: 'array', items: { type: 'integer', format: 'int64', minimum: min, maximum: max } })
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
  'The id of the last entry that you have. The page then starts after it, whatever `page` says. Link rel="next" sets it, so that no entry is left out or comes twice while others come and go.'

export const placeQuery = {
  place: z
    .string()
    .regex(/^\d{1,16}$/)
    .optional()
    .meta({
      description:
        'Where the entry that `after` names stood. Link rel="next" sets it, so that the page is found even if that entry is gone.',
    }),
}

/** The last entry before a page. It reaches every page of a list, while `page` ends at 10,000 entries. */
export const afterQuery = {
  after: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({ description: AFTER }),
  ...placeQuery,
}
