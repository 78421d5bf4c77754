import { randomUUID } from 'node:crypto'
import type { Faults } from '../faults'
import { BankBook } from './bank-book'
import { BankKeys } from './bank-keys'
import { NoticeSender, type NoticeSettings } from './notice-sender'
import { askedAt, type Receipt, type Slip } from './slip'

/** What the host of the bank, its controls and the page work on. */
export type Bank = {
  readonly faults: Faults
  readonly book: BankBook
  readonly keys: BankKeys
  readonly notices: NoticeSender
}

export function openBank({ dataDir, bank }: { dataDir: string; bank: NoticeSettings }, faults: Faults): Bank {
  return {
    faults,
    book: new BankBook(dataDir),
    keys: new BankKeys(dataDir),
    notices: new NoticeSender(dataDir, bank),
  }
}

export function closeBank({ book, keys, notices }: Bank): void {
  notices.close()
  book.close()
  keys.close()
}

/**
 * Takes a payment, whatever has become of the slip: what a payer handed in at another bank arrives although the slip was
 * cancelled meanwhile. Without an amount: what the slip asks for at that moment. Cents; epoch milliseconds.
 */
export function pay(bank: Bank, slip: Slip, { amount, paidAt }: { amount?: number; paidAt: number }): Slip {
  const receipt = { id: newReceiptId(), amount: amount ?? askedAt(slip, paidAt), paidAt }
  const paid = { ...slip, receipts: [...slip.receipts, receipt] }
  bank.book.save(paid)
  tell(bank, slip, receipt)
  return paid
}

/** Tells of a receipt, also of one for a number that nobody registered here. */
export function tell(
  { notices }: Bank,
  { agreement, ourNumber }: Pick<Slip, 'agreement' | 'ourNumber'>,
  receipt: Receipt,
): void {
  notices.send({ id: `evt_${randomUUID()}`, agreement, ourNumber, receipt, taken: false })
}

/** As banks number what they settle: no two are alike. */
export function newReceiptId(): string {
  return `LIQ-${randomUUID()}`
}
