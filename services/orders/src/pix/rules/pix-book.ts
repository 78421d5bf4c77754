import { sumOf } from '@cofre/platform/money'
import type { Found } from '../../acquirer/acquirer'
import type { Charge, Payment, Pix } from '../../charge/charge'
import type { BankCharge } from '../bank/pix-bank'

/** What the bank answered about a charge, and when it was asked; `null`: it does not know the charge. */
export type Heard = {
  bank: BankCharge | null
  at: number
  /** How long after its dispatch deadline the bank's silence about a call proves nothing. */
  graceMs: number
}

export type PixPayment = Payment & { pix: Pix }

export function pixPaymentOf({ payments: [payment] }: Charge): PixPayment {
  if (!payment?.pix) throw new Error('a Pix charge without its Pix')
  return { ...payment, pix: payment.pix }
}

/** The Pix that paid a charge, as the bank has it: what was given back there, by whom ever, is voided. */
export function paidPix({ reference, amount }: Payment, bank: BankCharge | null): Found {
  const pix = bank?.received.find(({ endToEndId }) => endToEndId === reference.paymentId)
  if (!pix) return { result: 'absent' }
  const returned = pix.devolutions.filter(({ state }) => state === 'done')
  return {
    result: 'found',
    state: 'captured',
    amount,
    capturedAmount: pix.amount,
    voidedAmount: sumOf(returned.map((devolution) => devolution.amount)),
    code: '',
    adviceCode: '',
    reference,
  }
}
