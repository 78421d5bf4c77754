import { randomUUID } from 'node:crypto'
import type { Faults } from '../faults'
import { BankBook } from './bank-book'
import { bankTime } from './bank-clock'
import { BankKeys } from './bank-keys'
import { NoticeSender, type NoticeSettings } from './notice-sender'
import { askedAt, type Receipt, type Slip } from './slip'

/** The state that the bank's host, its controls and the page share. */
export type Bank = {
  readonly faults: Faults
  readonly book: BankBook
  readonly keys: BankKeys
  readonly notices: NoticeSender
  /** The bank's time, epoch milliseconds. */
  readonly now: () => Promise<number>
}

type BankSettings = NoticeSettings & { billingClockUrl?: string | undefined }

export function openBank({ dataDir, bank }: { dataDir: string; bank: BankSettings }, faults: Faults): Bank {
  return {
    faults,
    book: new BankBook(dataDir),
    keys: new BankKeys(dataDir),
    notices: new NoticeSender(dataDir, bank),
    now: () => bankTime(bank.billingClockUrl),
  }
}

export function closeBank({ book, keys, notices }: Bank): void {
  notices.close()
  book.close()
  keys.close()
}

/**
 * Records a payment in any status of the slip: one made at another bank arrives even after a cancellation.
 * Without an amount, the payer pays the amount due at that moment. Cents; epoch milliseconds.
 */
export function pay(bank: Bank, slip: Slip, { amount, paidAt }: { amount?: number; paidAt: number }): Slip {
  const receipt = { id: newReceiptId(), amount: amount ?? askedAt(slip, paidAt), paidAt }
  const paid = { ...slip, receipts: [...slip.receipts, receipt] }
  bank.book.save(paid)
  tell(bank, slip, receipt)
  return paid
}

/** Sends a notice of a receipt, even for a number that nobody registered here. */
export function tell(
  { notices }: Bank,
  { agreement, ourNumber }: Pick<Slip, 'agreement' | 'ourNumber'>,
  receipt: Receipt,
): void {
  notices.send({ id: `evt_${randomUUID()}`, agreement, ourNumber, receipt, taken: false })
}

/** Returns a unique id, as banks number their settlements. */
export function newReceiptId(): string {
  return `LIQ-${randomUUID()}`
}
