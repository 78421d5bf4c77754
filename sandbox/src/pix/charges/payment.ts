import { dayAt } from '../../bank/bank-calendar'
import { ControlError } from '../../problem'
import { isExpired, termsOf, type Charge } from './charge'
import { dueOn, type Due } from './due'
import { hundredthsOf } from '../money-text'
import type { PixBank } from '../pix-bank'
import type { Payer, Received } from '../received/received'
import { receiveFor } from '../received/settle'

/**
 * What a payer does. `scannedAt`: when the payer was asked for an amount, if that was before `at`. Without an amount, the
 * payer pays that one. Cents; epoch milliseconds.
 */
export type Wanted = {
  at: number
  scannedAt?: number | undefined
  amountInCents?: number | undefined
  forced: boolean
  /** Null: the bank does not say who paid. */
  payer: Payer | null
  note?: string | undefined
}

/** Returns what a payer is asked for at a moment. */
export function askedAt(charge: Charge, at: number): Due {
  if (charge.kind === 'cobv') return dueOn(termsOf(charge), dayAt(at))
  const original = hundredthsOf(termsOf(charge).valor.original)
  return { original, abatimento: 0, desconto: 0, multa: 0, juros: 0, total: original }
}

/** Why a payer's bank lets nobody pay a charge, or undefined. */
export function closedBecause(charge: Charge, at: number): string | undefined {
  if (charge.status !== 'ATIVA') return `it is ${charge.status}`
  return isExpired(charge, at) ? 'its last day is over' : undefined
}

/**
 * Pays a charge. A bank refuses a payment of one that is not open, or of another amount; a forced one slipped through,
 * as when two payers pay at the same moment.
 */
export function pay(bank: PixBank, charge: Charge, wanted: Wanted): Received {
  const { at, scannedAt = at, forced, payer, note } = wanted
  const { total, ...due } = askedAt(charge, scannedAt)
  const amount = wanted.amountInCents ?? total
  if (!forced) {
    const closed = closedBecause(charge, scannedAt)
    if (closed !== undefined) throw new ControlError(422, `The charge takes no payment: ${closed}`)
    if (amount !== total && !isChosenByPayer(charge)) {
      throw new ControlError(422, 'The charge takes its own amount alone')
    }
  }
  if (amount === 0) throw new ControlError(422, 'The payer chooses the amount: send amountInCents')
  return receiveFor(bank, charge, {
    amount,
    // Of another amount, nobody knows what it consists of.
    due: amount === total ? due : undefined,
    payer: payer ?? undefined,
    note,
    at,
  })
}

function isChosenByPayer(charge: Charge): boolean {
  return charge.kind === 'cob' && termsOf(charge).valor.modalidadeAlteracao === 1
}
