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
  /** It was paid; the bank may tell of the money later. */
  isPaid: boolean
  receipts: readonly BankReceipt[]
}

/** Nothing was done, and nothing left this machine: repeating is safe. `refusal`: why the vault would not call. */
export type NotSent = { result: 'not_sent'; refusal?: DomainError }
/** Something may have left: ask. */
type Unknown = { result: 'unknown' }

export type Registration =
  | { result: 'registered'; slip: BankSlip }
  /** The bank did not take it, in its words: nothing is registered. */
  | { result: 'refused'; code: string }
  /** It has a slip of that number already. */
  | { result: 'duplicate' }
  | NotSent
  | Unknown

export type FoundSlip = { result: 'found'; slip: BankSlip } | { result: 'absent' } | NotSent | Unknown

export type Withdrawal =
  | { result: 'done' }
  /** It was paid. */
  | { result: 'paid' }
  | { result: 'absent' }
  | NotSent
  | Unknown

/** The sellers' bank, in our words. Calls leave by the deadline (epoch milliseconds), or not at all. */
export type Bank = {
  /** Never makes a second slip of one number. */
  register(boleto: Boleto, deadline: number): Promise<Registration>
  /** By our number. */
  find(boleto: Boleto, deadline: number): Promise<FoundSlip>
  /** Nobody is to pay it any more. Repeatable. */
  withdraw(boleto: Boleto, deadline: number): Promise<Withdrawal>
}

/** The vault's name for it. */
export const BANK_PARTNER = 'bank'
