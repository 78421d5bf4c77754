import {
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  option,
  record,
  tuple,
  type Arbitrary,
} from 'fast-check'

/** The fate of one call to the acquirer. `not_sent`: the connection is refused. The others are the small acquirer's. */
export type CallFault =
  | 'none'
  | 'not_sent'
  | 'lost_undone'
  | 'answer_lost'
  | 'http_500'
  | 'done_500'
  | 'late'
  | 'done_late'
  | 'refused'
  | 'busy'
  | 'http_401'
  | 'http_403'
  | 'http_429'

export type CallKind = 'sale' | 'capture' | 'void' | 'query'

/** The faults of the calls for one payment, in the order of the calls. After the last fault there is none. */
export type Faults = Readonly<Record<CallKind, readonly CallFault[]>>

/**
 * Where the work stops for good: at which step (a statement, or a call to the acquirer), and before or after that step
 * is done. Either the whole process ends there, or it loses its database.
 */
export type Kill = { step: number; when: 'before' | 'after'; of: 'process' | 'database' }

/** `copies`: how often it is sent at once, with one key. `percent` of the order, rounded up; null is all. */
export type Step =
  | { does: 'capture' | 'refund'; percent: number | null; copies: number; kill: Kill | null }
  /** Repeats an earlier request with its key. */
  | { does: 'repeat'; nth: number; copies: number; kill: Kill | null }
  /** Runs the sweeper. `passed`: all deadlines for leaving passed an hour ago. */
  | { does: 'sweep'; passed: boolean; kill: Kill | null }

export type Card = 'good' | 'declined' | 'unsure'

/** The course of one charge's order. `hurried`: the acquirer's late answers come after the service's timeout. */
export type Story = {
  payments: readonly { card: Card; amount: number }[]
  faults: readonly Faults[]
  hurried: boolean
  kill: Kill | null
  copies: number
  steps: readonly Step[]
}

const FAULTS: readonly CallFault[] = [
  'not_sent',
  'lost_undone',
  'answer_lost',
  'http_500',
  'done_500',
  'late',
  'done_late',
  'refused',
  'busy',
  'http_401',
  'http_403',
  'http_429',
]
const QUERY_FAULTS: readonly CallFault[] = ['not_sent', 'lost_undone', 'http_500', 'http_429']

function calls(faults: readonly CallFault[], goodOf: number, maxLength: number): Arbitrary<CallFault[]> {
  const one = oneof(
    { weight: goodOf, arbitrary: constant<CallFault>('none') },
    { weight: 4, arbitrary: constantFrom(...faults) },
  )
  return array(one, { maxLength, size: 'max' })
}

// A failed authorization leaves nothing to test, so few sales fail.
const callsOfPayment: Arbitrary<Faults> = record({
  sale: oneof({ weight: 6, arbitrary: constant([]) }, { weight: 1, arbitrary: calls(FAULTS, 1, 1) }),
  capture: calls(FAULTS, 4, 4),
  void: calls(FAULTS, 4, 6),
  query: calls(QUERY_FAULTS, 8, 8),
})

// The longest, a capture of five payments, has 13 steps.
const kill: Arbitrary<Kill | null> = oneof(
  { weight: 3, arbitrary: constant(null) },
  {
    weight: 1,
    arbitrary: record({
      step: nat(13),
      when: constantFrom('before' as const, 'after' as const),
      of: constantFrom('process' as const, 'database' as const),
    }),
  },
)

const copies = constantFrom(1, 1, 1, 2)
const anyOf = (most: number) => option(integer({ min: 1, max: most }), { freq: 5 })

const capture = record({ does: constant('capture' as const), percent: anyOf(102), copies, kill })
const refund = record({ does: constant('refund' as const), percent: anyOf(60), copies, kill })
const release = record({ does: constant('refund' as const), percent: constant(null), copies, kill })
const repeat = record({ does: constant('repeat' as const), nth: nat(6), copies, kill })
const sweep = record({ does: constant('sweep' as const), passed: boolean(), kill })

const begin: Arbitrary<Step> = oneof(
  { weight: 6, arbitrary: capture },
  { weight: 1, arbitrary: release },
  { weight: 1, arbitrary: refund },
)
const goOn: Arbitrary<Step> = oneof(
  { weight: 1, arbitrary: capture },
  { weight: 1, arbitrary: release },
  { weight: 4, arbitrary: refund },
  { weight: 2, arbitrary: repeat },
  { weight: 3, arbitrary: sweep },
)
const steps = tuple(begin, array(goOn, { maxLength: 6, size: 'max' })).map(([first, more]) => [
  first,
  ...more,
])

const card: Arbitrary<Card> = constantFrom<Card[]>(...Array<Card>(58).fill('good'), 'declined', 'unsure')

/** Orders on two to five cards, the requests that follow, and the faults of their calls. */
export const stories: Arbitrary<Story> = record({
  payments: array(record({ card, amount: integer({ min: 1, max: 99 }).map((units) => units * 100) }), {
    minLength: 2,
    maxLength: 5,
    size: 'max',
  }),
  // An order that came to nothing is made again: its payments have faults of their own.
  faults: array(callsOfPayment, { minLength: 2, maxLength: 8, size: 'max' }),
  hurried: constantFrom(...Array<boolean>(11).fill(false), true),
  kill,
  copies,
  steps,
})
