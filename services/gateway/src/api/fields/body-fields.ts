import { parseUrl } from '@cofre/platform/outbound/parse-url'
import { z } from 'zod'

/** A note of a person: not blank, without characters that PostgreSQL can't keep (NUL, half a surrogate pair). */
export function text(max = 2_000) {
  return written(max).refine((value) => !HIDDEN.test(value), {
    params: { code: 'FORMAT', detail: 'must not contain control characters, except line breaks and tabs' },
  })
}

/** A name, a number or a street: text in one line. Papers, letters and headers show it as one. */
export function line(max = 255) {
  return inOneLine(written(max))
}

/** A name that is unique. Two that look alike are one: letters are composed (NFC), and nothing stands there unseen. */
export function uniqueName(max = 255) {
  return inOneLine(written(max, z.string().normalize('NFC'))).refine(
    (value) => value === value.trim() && !UNSEEN.test(value),
    {
      params: {
        code: 'FORMAT',
        detail: 'must not begin or end with a space, nor contain characters of no width',
      },
    },
  )
}

// Soft hyphens, joiners, selectors and blanks of no width.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u

function inOneLine(schema: z.ZodString) {
  return schema.refine((value) => !HIDDEN.test(value) && !/[\t\n\r\u2028\u2029]/.test(value), {
    params: { code: 'FORMAT', detail: 'must not contain control characters or line breaks' },
  })
}

function written(max: number, schema = z.string()) {
  return schema
    .max(max)
    .refine((value) => /\S/.test(value), {
      params: { code: 'LENGTH', detail: 'must not be empty' },
    })
    .refine(isKeepable, UNKEEPABLE)
    .meta({ minLength: 1 })
}

// Control characters, except the line feed, carriage return and tab that people type; and marks that reorder letters.
// oxlint-disable-next-line no-control-regex
const HIDDEN = /[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/

/** True when PostgreSQL and UTF-8 can keep the text. */
export function isKeepable(value: string): boolean {
  return !/[\0\p{Cs}]/u.test(value)
}

export const UNKEEPABLE = {
  params: { code: 'FORMAT', detail: 'must not contain the character NUL or half a surrogate pair' },
} as const

/** The name of a token of ours: a stored card, a network token, a voucher. */
export function tokenText() {
  return z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
}

/** A URL for a browser: no service of ours calls it. */
export function webUrl() {
  return z
    .string()
    .max(2048)
    .refine(isWebUrl, {
      params: { code: 'FORMAT', detail: 'must begin with https:// or http://, and hold no password' },
    })
    .meta({ format: 'uri' })
}

/** The URL parser accepts more than a URL: it drops blanks and line breaks. */
function isWebUrl(given: string): boolean {
  const parsed = /[\s"<>]/.test(given) ? undefined : parseUrl(given)
  if (parsed === undefined) return false
  const { protocol, username, password } = parsed
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** A whole number, also as text of up to four digits: the read of a network token writes the month of its card so. */
export function orDigits(schema: z.ZodNumber) {
  return z.preprocess(
    (given) => (typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : given),
    schema,
  )
}

/** A calendar date that exists. */
export function day() {
  return z.iso
    .date({ error: 'must be a date, YYYY-MM-DD', abort: true })
    .refine((given) => given >= '0001-01-01', {
      params: { code: 'FORMAT', detail: 'must be a date, YYYY-MM-DD' },
    })
}

/** A day begins first in the zone UTC+14. */
const FIRST_ZONE_MS = 14 * 3_600_000

/** A day that has begun somewhere. */
export function birthday() {
  return day().refine((given) => given <= new Date(Date.now() + FIRST_ZONE_MS).toISOString().slice(0, 10), {
    params: { code: 'MAX', detail: 'must not be in the future' },
  })
}

type Rule<Value> = {
  code: string
  detail: string
  path?: (string | number)[]
  holds: (value: Value) => boolean
}

/**
 * Adds a rule between the fields of an object. It also runs when single fields are faulty, so that one answer lists
 * every fault of a body: `holds` must accept fields that are absent or of another type.
 */
export function withRule<Schema extends z.ZodObject>(
  schema: Schema,
  { code, detail, path, holds }: Rule<Record<string, unknown>>,
): Schema {
  return schema.refine((value) => holds(value as Record<string, unknown>), {
    params: { code, detail },
    ...(path ? { path } : {}),
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
}

/** Requires exactly one of the named fields, else reports the fault `code`. EXACTLY_ONE is for card sources. */
export function withExactlyOne<Schema extends z.ZodObject>(
  schema: Schema,
  fields: readonly string[],
  code = 'EXACTLY_ONE',
): Schema {
  const given = (value: Record<string, unknown>) => fields.filter((field) => value[field] != null).length
  return withRule(schema, {
    code,
    detail: `must have exactly one of ${fields.join(', ')}`,
    holds: (value) => given(value) === 1,
  })
}
