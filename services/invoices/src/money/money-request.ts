import type { FieldError } from '@cofre/platform/errors'
import { MAX_AMOUNT } from '@cofre/platform/money'
import { fault } from '../request-check'

const NOTE_MAX = 2_000
const REFERENCE_MAX = 255

/** Faults of an amount of money in a request, cents. Undefined is none. */
export function amountFaults(amount: number | undefined, most = MAX_AMOUNT): FieldError[] {
  if (amount === undefined || (Number.isSafeInteger(amount) && amount >= 1 && amount <= most)) return []
  const detail = most < 1 ? 'nothing is left of it' : `must be a whole number from 1 to ${most}`
  return [fault('#/amountInCents', 'RANGE', detail)]
}

/** Faults of the moment at which money moved: it has moved already. */
export function pastFaults(pointer: string, moment: number, at: number): FieldError[] {
  return moment <= at ? [] : [fault(pointer, 'RANGE', 'must not be in the future')]
}

export function wordFaults({
  note = '',
  reference = '',
}: {
  note?: string
  reference?: string
}): FieldError[] {
  return [
    ...(note.length > NOTE_MAX
      ? [fault('#/note', 'LENGTH', `must have at most ${NOTE_MAX} characters`)]
      : []),
    ...(reference.length > REFERENCE_MAX
      ? [fault('#/reference', 'LENGTH', `must have at most ${REFERENCE_MAX} characters`)]
      : []),
  ]
}
