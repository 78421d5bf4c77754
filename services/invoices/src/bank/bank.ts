import type { DomainError } from '@cofre/platform/errors'
import type { Beneficiary, Boleto } from '../boleto/boleto'
import type { BankReceipt } from '../receipts/receipt'

/** A slip as the bank has it. Cents. */
export type BankSlip = {
  barcode: string
  digitableLine: string
  amount: number
  beneficiary: Beneficiary
  /** Nobody can pay it any more. */
  cancelled: boolean
  /** The slip was paid; the bank may report the money later. */
  isPaid: boolean
  receipts: readonly BankReceipt[]
}

/** Nothing was done, and nothing left this machine: repeating is safe. `refusal`: why the vault refused the call. */
export type NotSent = { result: 'not_sent'; refusal?: DomainError }
/** The call may have left this machine: ask the bank. */
type Unknown = { result: 'unknown' }

export type Registration =
  | { result: 'registered'; slip: BankSlip }
  /** The bank refused the slip and registered nothing. `code`: the bank's own code. */
  | { result: 'refused'; code: string }
  /** The bank already has a slip with that number. */
  | { result: 'duplicate' }
  | NotSent
  | Unknown

export type FoundSlip = { result: 'found'; slip: BankSlip } | { result: 'absent' } | NotSent | Unknown

export type Withdrawal =
  | { result: 'done' }
  /** The slip was paid. */
  | { result: 'paid' }
  | { result: 'absent' }
  | NotSent
  | Unknown

/** The sellers' bank, in our words. Calls leave by the deadline (epoch milliseconds), or not at all. */
export type Bank = {
  /** Registers a slip. The bank never makes a second one with the same number. */
  register(boleto: Boleto, deadline: number): Promise<Registration>
  /** Finds a slip by our number. */
  find(boleto: Boleto, deadline: number): Promise<FoundSlip>
  /** Withdraws a slip, so that nobody can pay it. Repeatable. */
  withdraw(boleto: Boleto, deadline: number): Promise<Withdrawal>
}

/** The vault's name for the bank. */
export const BANK_PARTNER = 'bank'
