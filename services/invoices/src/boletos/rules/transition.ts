import { changed, leftAlone, type AskAnswer, type AskDecision } from '../../methods/rules/registered-ask'
import type { BankSlip, Registration } from '../bank/bank'
import { barcodeOf, digitableLineOf } from './barcode'
import type { Boleto } from './boleto'
import { bankDocumentNumberOf } from './our-number'

/**
 * Whether a slip of the bank is the one that we asked for. We compute its digits too. Two slips may have the same
 * digits, so document number and payer must be ours as well.
 */
export function agrees(boleto: Boleto, slip: BankSlip): boolean {
  const barcode = barcodeOf(boleto)
  const isSameDebt = slip.barcode === barcode && slip.digitableLine === digitableLineOf(barcode)
  const isSamePayer = slip.payerDocument === boleto.payer.document
  const isSameDocument = slip.documentNumber === bankDocumentNumberOf(boleto)
  return isSameDebt && slip.amount === boleto.amount && isSamePayer && isSameDocument
}

/**
 * Gives a slip another number, since the bank has its number for another slip. So none of ours is there, and one that
 * nobody should pay needs no withdrawal.
 */
export function renumbered(boleto: Boleto, ourNumber: string, at: number): AskDecision<Boleto> {
  if (boleto.status === 'PENDING') return { ask: changed(boleto, { ourNumber }, at) }
  return leftAlone(boleto, { ourNumber }, at)
}

/** The bank's answer to the registration of a slip, as of any ask. */
export function answerOf(outcome: Registration): AskAnswer<Boleto> {
  if (outcome.result === 'duplicate' || outcome.result === 'foreign') return { result: 'unknown' }
  if (outcome.result !== 'registered') return outcome
  const { barcode, digitableLine, beneficiary } = outcome.slip
  return { result: 'registered', known: { barcode, digitableLine, beneficiary } }
}
