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
  type Arbitrary,
} from 'fast-check'
import type { FaultKind } from './outside'

/** The course of one charge. */
export type Story = {
  /** The card's last digit, which decides the acquirer's answer. */
  digit: number
  direct: boolean
  amount: number
  fault: FaultKind | null
  steps: readonly Step[]
}

/** `percent` of the charge's amount, rounded up; null is all. */
export type Operation = { does: 'capture' | 'refund'; percent: number | null }

export type Step =
  /** `copies`: sent this many times at once, with one key. */
  | (Operation & { fault: FaultKind | null; copies: number })
  /** Different requests at once. */
  | { at: readonly Operation[] }
  /** An earlier request again: with its key, or with its key and another amount. */
  | { does: 'repeat' | 'reuse'; nth: number }
  | { does: 'read' | 'settle' }

const FAULTS: FaultKind[] = ['ANSWER_LOST', 'NOT_REACHED', 'HTTP_500', 'DONE_500', 'SLOW']

/** Stories of charges. With `faults`, about half of the requests meet a fault of the acquirer. */
export function stories(faults: boolean): Arbitrary<Story> {
  const fault = faults ? option(constantFrom(...FAULTS), { freq: 2 }) : constant(null)
  return record({
    digit: constantFrom(0, 1, 1, 1, 4, 4, 9, 9, 2),
    direct: boolean(),
    amount: integer({ min: 1, max: 50_000 }),
    fault: oneof(constant(null), constant(null), fault),
    steps: array(step(fault), { minLength: 1, maxLength: 8, size: 'max' }),
  })
}

function step(fault: Arbitrary<FaultKind | null>): Arbitrary<Step> {
  const percent = option(integer({ min: 1, max: 105 }), { freq: 3 })
  const operation = (does: 'capture' | 'refund') => record({ does: constant(does), percent })
  const copies = constantFrom(1, 1, 1, 3)
  const either = oneof(
    { weight: 1, arbitrary: operation('capture') },
    { weight: 2, arbitrary: operation('refund') },
  )
  // With a fault, copies would have several outcomes.
  const one = record({ either, fault, copies }).map((made) => {
    return { ...made.either, fault: made.fault, copies: made.fault ? 1 : made.copies }
  })
  return oneof(
    { weight: 9, arbitrary: one },
    { weight: 2, arbitrary: record({ at: array(either, { minLength: 2, maxLength: 4 }) }) },
    {
      weight: 2,
      arbitrary: record({ does: constantFrom('repeat' as const, 'reuse' as const), nth: nat(9) }),
    },
    { weight: 1, arbitrary: record({ does: constantFrom('read' as const, 'settle' as const) }) },
  )
}
