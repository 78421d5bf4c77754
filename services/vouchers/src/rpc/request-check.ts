import { DomainError, type FieldError } from '@cofre/platform/errors'
import { VoucherCardType } from '@cofre/proto/vouchers/v1/vouchers'
import type { CardType } from '../brands/brand'

export function throwFaults(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid.', { errors })
}

export function fault(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}

export function cardTypeOf(type: VoucherCardType): CardType | undefined {
  if (type === VoucherCardType.MEAL) return 'MEAL'
  return type === VoucherCardType.FOOD ? 'FOOD' : undefined
}
