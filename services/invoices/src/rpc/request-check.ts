import { DomainError, type FieldError } from '@cofre/platform/errors'

export function throwFaults(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request has faults.', { errors })
}

export function fault(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}

const SIZE_MAX = 100

/** INVALID_ARGUMENT for a page that no list has. */
export function checkPage({ page, size }: { page: number; size: number }): void {
  if (size < 1 || size > SIZE_MAX) throwFaults([fault('#/size', 'RANGE', `must be from 1 to ${SIZE_MAX}`)])
  if (page < 0) throwFaults([fault('#/page', 'MIN', 'must be at least 0')])
}

/** The fault REQUIRED at each place where nothing stands. */
export function requireAll(given: Record<string, unknown>): void {
  const missing = Object.entries(given).filter(([, value]) => value === '' || value === undefined)
  throwFaults(missing.map(([pointer]) => fault(pointer, 'REQUIRED', 'is required')))
}
