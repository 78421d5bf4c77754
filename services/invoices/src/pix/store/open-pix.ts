import type { Pool } from '@cofre/platform/postgres/postgres'
import { now } from '../../clock/billing-clock'
import type { PixOf } from '../../letters/open-pix'
import { stillHolds } from '../../methods/rules/registered-ask'
import { PIX_CHARGES } from './pix-store'

/** Finds the Pix charge by which an invoice can be paid, as letters and slips carry it. */
export function openPixIn(pool: Pool): PixOf {
  return async (invoiceId) => {
    const { status, copyAndPaste, payableUntil } = (await PIX_CHARGES.latest(pool, invoiceId)) ?? {}
    if (status !== 'REGISTERED' || !copyAndPaste || !payableUntil) return undefined
    return stillHolds({ payableUntil }, now()) ? { copyAndPaste, payableUntil } : undefined
  }
}
