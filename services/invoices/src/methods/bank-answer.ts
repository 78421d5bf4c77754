import type { DomainError } from '@cofre/platform/errors'
import type { BankReceipt } from './ask'

/** Nothing was done, and nothing left this machine: repeating is safe. `refusal`: why the vault refused the call. */
export type NotSent = { result: 'not_sent'; refusal?: DomainError }
/** The call may have left this machine: ask the bank. */
export type Unknown = { result: 'unknown' }

/** What the bank has of an ask. */
export type BankAsk = {
  /** Nobody can pay it any more. */
  cancelled: boolean
  /** It was paid; the bank may report the money later. */
  isPaid: boolean
  receipts: readonly BankReceipt[]
}

export type Found<Known extends BankAsk> =
  { result: 'found'; found: Known } | { result: 'absent' } | NotSent | Unknown

export type Withdrawal =
  | { result: 'done' }
  /** The ask was paid. */
  | { result: 'paid' }
  | { result: 'absent' }
  | NotSent
  | Unknown
