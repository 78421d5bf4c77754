import { DomainError, type FieldError } from '@cofre/platform/errors'
import { pointerTo, safePointer } from '@cofre/platform/json'
import type { ProblemReason } from '@cofre/platform/reason'
import { distance } from 'fastest-levenshtein'
import type { z } from 'zod'

/** The most faults that one answer lists. */
export const MAX_LISTED = 20

/** Faults that have a problem code of their own when the request has no other faults. */
const OWN_PROBLEM: Readonly<Record<string, ProblemReason>> = {
  EXACTLY_ONE: 'EXACTLY_ONE_SOURCE',
  NOT_PUBLIC: 'NOTIFICATION_URL_NOT_PUBLIC',
  NOT_HTTPS: 'NOTIFICATION_URL_NOT_HTTPS',
  PAGE_SIZE: 'PAGE_SIZE_TOO_LARGE',
  UNKNOWN_FIELD: 'UNKNOWN_FIELD',
}

/** The place of the faults: `the query parameter page`, or a path within the body, `payments[0].amount`. */
export type FaultPlace = 'body' | 'query'

/** Returns the refusal of a request that has faults. Its detail is the first of them. */
export function refuseFaults(faults: readonly FieldError[], place: FaultPlace): DomainError {
  const [first] = faults
  const code = faults.every((fault) => fault.code === first?.code)
    ? OWN_PROBLEM[first?.code ?? '']
    : undefined
  return new DomainError('invalid_argument', code ?? 'VALIDATION_FAILED', sentenceOf(faults, place), {
    errors: faults.slice(0, MAX_LISTED),
  })
}

function sentenceOf([first, ...others]: readonly FieldError[], place: FaultPlace): string {
  if (!first) return 'The request is not valid.'
  const { pointer, detail } = first
  const sentence = `${nameOf(pointer, place)} ${detail.replace(/[.?]$/, '')}${detail.endsWith('?') ? '?' : '.'}`
  const count = others.length
  if (count === 0) return sentence
  const more = count === 1 ? '1 more fault is' : `${count} more faults are`
  if (count < MAX_LISTED) return `${sentence} ${more} listed in errors.`
  return `${sentence} There are ${count} more faults; errors lists the first ${MAX_LISTED} in all.`
}

/** Returns `#/payments/0/amount` in common notation: payments[0].amount. */
function nameOf(pointer: string, place: FaultPlace): string {
  const [, ...segments] = pointer.split('/').map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (segments.length === 0) return place === 'body' ? 'The body' : 'The query'
  const name = segments.reduce((path, each) => {
    if (/^\d+$/.test(each)) return `${path}[${each}]`
    return path === '' ? each : `${path}.${each}`
  }, '')
  return place === 'body' ? name : `The query parameter ${name}`
}

/** Describes zod's issues in our words, without anything from the request. */
export function faultsOf(error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({ pointer: shownPointer(issue.path), ...describe(issue) }))
}

/** Returns the pointers of the texts that are longer than their schema allows. */
export function tooLongIn(error: z.ZodError | undefined): ReadonlySet<string> {
  const issues = (error?.issues ?? []).filter(isTooLong)
  return new Set(
    issues.map(({ path }) => path.reduce<string>((pointer, each) => pointerTo(pointer, String(each)), '#')),
  )
}

function isTooLong(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_union') return issue.errors.some((branch) => branch.some(isTooLong))
  return issue.code === 'too_big' && issue.origin === 'string'
}

/**
 * Merges the vault's faults of card data with the schema's faults of the rest, one for each place. Card data that the
 * vault could not open leaves its fields absent, which is no further fault.
 */
export function mergeFaults(ofCards: readonly FieldError[], ofSchema: readonly FieldError[]): FieldError[] {
  const refused = new Set(ofSchema.map(({ pointer }) => pointer))
  const shown = ofCards
    .map((fault) => ({ ...fault, pointer: safePointer(fault.pointer) }))
    // A number that the schema refuses anyhow has a better fault there, such as its maximum.
    .filter(({ code, pointer }) => code !== 'PRECISION' || !refused.has(pointer))
  const { typos, rest } = tellTypos(shown, ofSchema)
  const safe = [...typos, ...rest]
  const told = new Set(safe.map(({ pointer }) => pointer))
  const unopened = safe
    .filter(({ pointer }) => /\/encrypted(Card|Cvv)$/.test(pointer))
    .map(({ pointer }) => pointer.replace(/encrypted(Card|Cvv)$/, ''))
  const isOfUnopened = (pointer: string) =>
    unopened.some(
      (parent) =>
        pointer.startsWith(parent) &&
        /^(cardNumber|holder|expiration|expires|cvv)\b/.test(pointer.slice(parent.length)),
    )
  const further = ofSchema.filter(({ pointer }) => !told.has(pointer) && !isOfUnopened(pointer))
  return onePerPlaceAndCode([...safe, ...further])
}

/**
 * A misspelt name of card data is a typo rather than a misplaced card, so it comes first. Its neighbours, such as a
 * CVV, are in their place once the name is corrected.
 */
function tellTypos(
  ofCards: readonly FieldError[],
  ofSchema: readonly FieldError[],
): { typos: FieldError[]; rest: FieldError[] } {
  const misplaced = new Set(
    ofCards.filter(({ code }) => code === 'CARD_DATA_MISPLACED').map(({ pointer }) => pointer),
  )
  const typos = ofSchema.filter(
    ({ code, detail, pointer }) => code === 'UNKNOWN_FIELD' && detail.endsWith('?') && misplaced.has(pointer),
  )
  const mended = new Set(typos.flatMap(({ pointer }) => [pointer, pointer.replace(/[^/]+$/, 'cvv')]))
  const isMended = ({ code, pointer }: FieldError) => code === 'CARD_DATA_MISPLACED' && mended.has(pointer)
  return { typos, rest: ofCards.filter((fault) => !isMended(fault)) }
}

function onePerPlaceAndCode(faults: readonly FieldError[]): FieldError[] {
  return [...new Map(faults.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()]
}

/** Shows names and positions, cut before a key that may be a value in disguise (a card number, a long text). */
function shownPointer(path: readonly PropertyKey[]): string {
  return safePointer(path.reduce<string>((pointer, segment) => pointerTo(pointer, String(segment)), '#'))
}

type Issue = z.core.$ZodIssue
type Words = { code: string; detail: string }

function describe(issue: Issue): Words {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return { code: 'REQUIRED', detail: 'is required' }
  }
  return (WORDS[issue.code] as (issue: Issue) => Words)(issue)
}

const NOT_VALID = () => ({ code: 'FORMAT', detail: 'is not valid' })

/** Describes each kind of issue. A message of our own schema takes precedence; zod's messages begin with "Invalid". */
const WORDS: { [Code in Issue['code']]: (issue: Extract<Issue, { code: Code }>) => Words } = {
  invalid_type: ({ expected, input }) => ({
    code: 'TYPE',
    detail: `must be ${TYPE_NAMES[expected] ?? 'of another type'}${unquoted(expected, input)}`,
  }),
  invalid_value: ({ values, input }) => ({
    code: 'ENUM',
    detail:
      values.length === 1
        ? `must be ${String(values[0])}`
        : `must be one of ${values.join(', ')}${meantBy(input, values.map(String))}`,
  }),
  too_small: ({ origin, minimum }) => bound(origin, 'at least', Number(minimum)),
  too_big: ({ origin, maximum }) => bound(origin, 'at most', Number(maximum)),
  invalid_format: ({ message }) => ({ code: 'FORMAT', detail: ownWords(message) ?? 'has the wrong format' }),
  invalid_key: ({ issues: [issue] }) => {
    const { code, detail } = issue ? describe(issue) : { code: 'FORMAT', detail: 'must be another' }
    return { code, detail: `has a name that is not valid: it ${detail}` }
  },
  invalid_union: ({ message }) => ({ code: 'TYPE', detail: ownWords(message) ?? 'has the wrong type' }),
  custom: ({ params }) => ({
    code: String(params?.code ?? 'FORMAT'),
    detail: String(params?.detail ?? 'is not valid'),
  }),
  not_multiple_of: NOT_VALID,
  unrecognized_keys: NOT_VALID,
  invalid_element: NOT_VALID,
}

/** Says how a number is written that came as text, such as a phone's area code. */
function unquoted(expected: string, input: unknown): string {
  if (!NUMBERS.has(expected) || typeof input !== 'string' || !/^\d{1,16}$/.test(input)) return ''
  return input.startsWith('0') ? ', without quotes and without a leading zero' : ', without quotes'
}

const NUMBERS = new Set(['number', 'int'])

function meantBy(input: unknown, values: readonly string[]): string {
  const nearest = typeof input === 'string' ? nearestOf(input, values) : undefined
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

function ownWords(message: string): string | undefined {
  return message.startsWith('Invalid') ? undefined : message
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function bound(origin: string, direction: 'at least' | 'at most', limit: number) {
  const [one, many] = UNITS[origin] ?? []
  if (one) return { code: 'LENGTH', detail: `must have ${direction} ${limit} ${limit === 1 ? one : many}` }
  return { code: direction === 'at least' ? 'MIN' : 'MAX', detail: `must be ${direction} ${limit}` }
}

const LONGEST_NAME = 40
const SHORTEST_PART = 4

/** True when one name begins or ends with the other: `number` of `cardNumber`, `amountInCents` of `amount`. */
function isPartOf(name: string, other: string): boolean {
  const [one, two] = [name.toLowerCase(), other.toLowerCase()]
  const ends = two.length >= SHORTEST_PART && (one.startsWith(two) || one.endsWith(two))
  return ends || two.startsWith(one) || two.endsWith(one)
}

/** Returns a known name that differs by few letters, else one that shares a part; undefined when there is none. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const most = Math.max(2, Math.floor(name.length / 3))
  const ranked = known
    .map((other) => ({ other, letters: distance(name.toLowerCase(), other.toLowerCase()) }))
    .sort((one, two) => one.letters - two.letters)
  const [first] = ranked
  if (first && first.letters <= Math.min(most, first.other.length - 1)) return first.other
  return name.length < SHORTEST_PART ? undefined : known.find((other) => isPartOf(name, other))
}
