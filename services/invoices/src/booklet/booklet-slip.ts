import type { Boleto, BoletoStatus } from '../boleto/boleto'
import { stillHolds } from '../boleto/terms'
import type { PrintedBoleto } from '../boleto-pdf/printed-boleto'
import type { Invoice } from '../invoice/invoice'

/** An invoice of a booklet with the newest of its slips that matters; null: it has none. */
export type BookletSlip = { invoice: Invoice; boleto: Boleto | null }

/** How a slip of a booklet stands. NONE: there is no slip to pay with. */
export type SlipStanding = Exclude<BoletoStatus, 'REFUSED'> | 'NONE'

/** The invoice's word comes first: one that was paid by card has a slip that was withdrawn. */
export function standingOf({ invoice, boleto }: BookletSlip, at: number): SlipStanding {
  if (invoice.status === 'PAID' || invoice.status === 'CANCELLED') return invoice.status
  if (boleto === null || boleto.status === 'CANCELLED' || boleto.status === 'REFUSED') return 'NONE'
  // Its last day may be over before the sweeper has looked at it.
  if (boleto.status === 'REGISTERED' && !stillHolds(boleto, at)) return 'EXPIRED'
  return boleto.status
}

/** The slip with its digits, where the bank has registered it and it was the last word. */
export function printedOf({ boleto }: BookletSlip, standing: SlipStanding): PrintedBoleto | undefined {
  if (standing === 'NONE' || standing === 'PENDING' || boleto === null) return undefined
  const { beneficiary, barcode, digitableLine } = boleto
  if (!beneficiary || !barcode || !digitableLine) return undefined
  return { ...boleto, beneficiary, barcode, digitableLine }
}
