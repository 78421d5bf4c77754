import type { CobTerms, CobVTerms } from './charge-request'
import { dayAt } from '../../bank/bank-calendar'
import { lastPayableDay } from './due'

export type ChargeKind = 'cob' | 'cobv'

export type ChargeStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'

type Kept<Terms> = {
  /** The seller's account. */
  client: string
  /** Unique among all charges of the seller. */
  txid: string
  status: ChargeStatus
  /** Epoch milliseconds, of the bank's clock. */
  createdAt: number
  locId: number
  /** The terms of each revision, the newest last; never empty. */
  revisions: readonly Terms[]
  /** The payments of it, by their end-to-end number; the oldest first. */
  payments: readonly string[]
}

export type Cob = Kept<CobTerms> & { kind: 'cob' }
export type CobV = Kept<CobVTerms> & { kind: 'cobv' }

/** An immediate charge, or one with a due date. */
export type Charge = Cob | CobV

export function chargeKey({ client, txid }: { client: string; txid: string }): string {
  return `${client}/${txid}`
}

export function termsOf(charge: Cob): CobTerms
export function termsOf(charge: CobV): CobVTerms
export function termsOf(charge: Charge): CobTerms | CobVTerms
export function termsOf({ revisions }: Charge): CobTerms | CobVTerms {
  const newest = revisions.at(-1)
  if (!newest) throw new Error('a charge without terms')
  return newest
}

/** True when no payment may come any more, although the charge is still ATIVA: expired is not a status. */
export function isExpired(charge: Charge, at: number): boolean {
  if (charge.kind === 'cobv') return dayAt(at) > lastPayableDay(termsOf(charge).calendario)
  return at > charge.createdAt + termsOf(charge).calendario.expiracao * 1_000
}
