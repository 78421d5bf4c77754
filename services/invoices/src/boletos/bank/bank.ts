import type { BankAsk, Found, NotSent, Unknown, Withdrawal } from '../../methods/bank-answer'
import type { Beneficiary, Boleto } from '../rules/boleto'

/** A slip as the bank has it. Cents. */
export type BankSlip = BankAsk & {
  barcode: string
  digitableLine: string
  amount: number
  documentNumber: string
  /** The payer's CPF or CNPJ. */
  payerDocument: string
  beneficiary: Beneficiary
}

export type Registration =
  | { result: 'registered'; slip: BankSlip }
  /** The bank refused the slip and registered nothing. `code`: the bank's own code. */
  | { result: 'refused'; code: string }
  /** The bank already has a slip with that number: it may be ours. */
  | { result: 'duplicate' }
  /** The bank's slip with that number is not provably ours. */
  | { result: 'foreign' }
  | NotSent
  | Unknown

export type FoundSlip = Found<BankSlip>

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
