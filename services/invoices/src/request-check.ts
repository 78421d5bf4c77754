import { DomainError, type FieldError } from '@cofre/platform/errors'

export function throwFaults(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid.', { errors })
}

export function fault(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}

const SIZE_MAX = 100

/** Throws INVALID_ARGUMENT for a page or size that no list has. */
export function checkPage({ page, size }: { page: number; size: number }): void {
  if (size < 1 || size > SIZE_MAX) throwFaults([fault('#/size', 'RANGE', `must be from 1 to ${SIZE_MAX}`)])
  if (page < 0) throwFaults([fault('#/page', 'MIN', 'must be at least 0')])
}

/** Throws the fault REQUIRED for each field that is empty or missing. */
export function requireAll(given: Record<string, unknown>): void {
  const missing = Object.entries(given).filter(([, value]) => value === '' || value === undefined)
  throwFaults(missing.map(([pointer]) => fault(pointer, 'REQUIRED', 'is required')))
}

/** The most faults that one answer lists. */
const LISTED_MAX = 20

const KINDS = ['customer', 'product', 'card', 'recipient']

/** FAILED_PRECONDITION REFERENCE_NOT_FOUND: `what` names, at these pointers, records that the seller does not have. */
export function unknownReference(what: string, pointers: readonly string[]): DomainError {
  const errors = pointers
    .slice(0, LISTED_MAX)
    .map((pointer) => fault(pointer, 'UNKNOWN', 'does not exist for this seller'))
  const named = KINDS.filter((kind) => pointers.some((pointer) => pointer.endsWith(`${kind}Id`)))
  const message = `${what} names a ${named.join(' or ')} that does not exist.`
  return new DomainError('failed_precondition', 'REFERENCE_NOT_FOUND', message, { errors })
}
