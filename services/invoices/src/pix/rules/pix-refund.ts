import type { BankReturn } from '../../methods/ask'
import type { NotSent, Unknown } from '../../methods/bank-answer'
import { NO_ACCOUNT } from '../../methods/rules/registered-ask'

/** The contract's names, which the database uses too. */
export type PixRefundStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED'

/** Money of a Pix that goes back. Cents; epoch milliseconds. */
export type PixRefund = {
  id: number
  sellerId: number
  receiptId: number
  /** Null for money that no invoice took. */
  invoiceId: number | null
  /** The seller's Pix key, and the bank's names of the Pix and of the refund. */
  account: string
  endToEndId: string
  number: string
  amount: number
  status: PixRefundStatus
  /** What the bank calls one that was not asked for here. Null: the seller asked for it. */
  nature: string | null
  /** What the seller said of it. */
  note: string | null
  /** Why it failed: the bank's words or code, or one of ours. */
  refusal: string | null
  /** It leaves by this moment, or not at all. Null for one that was not asked for here. */
  dispatchDeadline: number | null
  /** The mark of the request for it, until the request is answered. */
  operationId: string | null
  /** When the bank is next asked about it. Null: it is over. */
  askAt: number | null
  createdAt: number
  updatedAt: number
}

/** The bank's answer to a refund, or to a question about it. */
export type RefundAnswer =
  | { result: 'found'; found: BankReturn }
  /** Nothing was given back. `code`: the bank's own code. */
  | { result: 'refused'; code: string }
  | NotSent
  | Unknown

/** How long a seller can give a Pix back through its bank: the rules of API Pix. */
const WINDOW_MS = 90 * 86_400_000

export function canBeGivenBack({ paidAt }: { paidAt: number }, at: number): boolean {
  return at <= paidAt + WINDOW_MS
}

/** Our own `refusal` of a refund that may have left, whose end nobody can ask about any more. */
export const ACCOUNT_GONE = 'ACCOUNT_GONE'
/** So long the return of a seller's account is waited for: alone it can say what became of a refund. */
const ACCOUNT_AWAITED_MS = 7 * 86_400_000

/** A refund that nobody can ask about, since the seller's account is gone: given up a week after it was asked for. */
export function withoutAccount(refund: PixRefund, at: number): PixRefund {
  const isOver = refund.status === 'PENDING' && refund.createdAt + ACCOUNT_AWAITED_MS <= at
  return isOver ? failed(refund, ACCOUNT_GONE, at) : refund
}

/** Applies an answer to a refund. One that is over stays as it is, and so does one that the bank has otherwise. */
export function settled(refund: PixRefund, answer: RefundAnswer, at: number): PixRefund {
  if (refund.status !== 'PENDING') return refund
  if (answer.result === 'refused') return failed(refund, answer.code, at)
  if (answer.result === 'not_sent') {
    return answer.refusal?.reason === 'NO_ESTABLISHMENT' ? failed(refund, NO_ACCOUNT, at) : refund
  }
  if (answer.result === 'unknown' || answer.found.amount !== refund.amount) return refund
  const { status, refusal } = answer.found
  if (status === 'PENDING') return refund
  if (status === 'FAILED') return failed(refund, refusal, at)
  return { ...refund, status, askAt: null, updatedAt: at }
}

function failed(refund: PixRefund, refusal: string, at: number): PixRefund {
  return { ...refund, status: 'FAILED', refusal, askAt: null, updatedAt: at }
}
