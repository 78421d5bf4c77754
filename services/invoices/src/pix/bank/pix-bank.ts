import type { BankReceipt } from '../../methods/ask'
import type { BankAsk, Found, NotSent, Unknown, Withdrawal } from '../../methods/bank-answer'
import type { AutomaticPix } from '../automatic/automatic-bank'
import type { Collected } from '../rules/collection'
import type { PixCharge } from '../rules/pix-charge'
import type { PixRefund, RefundAnswer } from '../rules/pix-refund'

/** A charge as the bank has it. Cents. */
export type BankCharge = BankAsk & {
  txid: string
  amount: number
  /** The receiver's Pix key. */
  account: string
  /** Null for a collection. */
  copyAndPaste: string | null
  /** Null for a charge that a payer scans. */
  collected: Collected | null
}

export type PixRegistration =
  | { result: 'registered'; charge: BankCharge }
  /** The bank refused the charge and registered nothing. `code`: the bank's own code. */
  | { result: 'refused'; code: string }
  | NotSent
  | Unknown

/** Money that came in. `txid`: empty when no charge asked for it. `key`: for which Pix key; null when the bank does not say. */
export type PixReceived = BankReceipt & { txid: string; key: string | null }

export type Failed = NotSent | Unknown

/** What the bank account of a Pix key received in a time, also by its other keys: a page of it. */
export type ReceivedPage = { result: 'page'; received: readonly PixReceived[]; more: boolean } | Failed

export type PixAccount = { sellerId: number; account: string }

/** When the money came in: epoch milliseconds, both included. `isReturned`: only money of which some went back. */
export type Period = { from: number; to: number; isReturned?: boolean }

/** What a bank reports: what a key receives, and the permissions and collections of an account. */
export type Reported = 'pix' | 'rec' | 'cobr'

/** The sellers' bank for Pix, in our words. Calls leave by the deadline (epoch milliseconds), or not at all. */
export type PixBank = {
  automatic: AutomaticPix
  /** Registers a charge. The same charge again is the same one. */
  register(charge: PixCharge, deadline: number): Promise<PixRegistration>
  find(charge: PixCharge, deadline: number): Promise<Found<BankCharge>>
  /** Withdraws a charge, so that nobody can pay it. */
  withdraw(charge: PixCharge, deadline: number): Promise<Withdrawal>
  /** Lists what the account of a key received. `page`: from 0. */
  received(account: PixAccount, period: Period, page: number, deadline: number): Promise<ReceivedPage>
  /** Gives money of a Pix back. The same refund again is the same one. */
  giveBack(refund: PixRefund, deadline: number): Promise<RefundAnswer>
  findReturn(refund: PixRefund, deadline: number): Promise<RefundAnswer | { result: 'absent' }>
  /** Where the bank reports something: null is nowhere. Undefined: the bank did not say. */
  reportsTo(account: PixAccount, what: Reported, deadline: number): Promise<string | null | undefined>
  /** Has the bank report something to an address. False: it is not known to do so. */
  reportTo(account: PixAccount, what: Reported, url: string, deadline: number): Promise<boolean>
}

/** The vault's name for the bank. */
export const PIX_PARTNER = 'pix'
