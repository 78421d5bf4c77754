import type { Dispatch, Holder, NotSent, Unknown } from '../../acquirer/acquirer'

/** A return of a Pix, asked for by us or by somebody at the bank. Cents. */
export type Devolution = { id: string; amount: number; state: 'running' | 'done' | 'failed' }

/** A Pix that came in for a charge. Cents. */
export type ReceivedPix = {
  endToEndId: string
  amount: number
  /** Who paid, as far as the bank says it. A CPF is masked. */
  payerName: string | null
  payerDocument: string | null
  devolutions: readonly Devolution[]
}

/** A charge as the bank has it. Cents. */
export type BankCharge = {
  txid: string
  amount: number
  /** The receiver's Pix key. */
  account: string
  copyAndPaste: string
  /** `open`: it may be paid until it expires. `paid`: it takes no second payment. */
  state: 'open' | 'paid' | 'removed'
  /** The earliest first. */
  received: readonly ReceivedPix[]
}

/** A charge to register. Cents. */
export type AskedPix = {
  txid: string
  amount: number
  expiresInSeconds: number
  payer: { name: string; document: string }
}

export type Registration =
  | { result: 'registered'; charge: BankCharge }
  /** The bank refused the charge and registered nothing. `code`: the bank's own. */
  | { result: 'refused'; code: string }
  | NotSent
  | Unknown

/** `gone`: the vault has no account with the charge's Pix key any more, so nobody can ask. */
export type FoundCharge =
  { result: 'found'; charge: BankCharge } | { result: 'absent' } | { result: 'gone' } | Unknown

/** The sellers' bank for Pix, in our words. An account is named by its Pix key. */
export type PixBank = Holder & {
  /** Registers a charge. The same charge again is the same one. */
  register(charge: AskedPix, dispatch: Dispatch): Promise<Registration>
  look(txid: string, dispatch: Dispatch): Promise<FoundCharge>
  /** Withdraws a charge, so that nobody can pay it. The next look shows whether it is. */
  withdraw(txid: string, dispatch: Dispatch): Promise<void>
}

/** The bank's name of the return that an operation (a UUID) asks for: the same operation is the same return. */
export function devolutionId(operationId: string): string {
  return operationId.replaceAll('-', '')
}
