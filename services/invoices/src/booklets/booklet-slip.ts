import type { Boleto } from '../boletos/rules/boleto'
import { stillHolds, type AskStatus } from '../methods/rules/registered-ask'
import type { PrintedBoleto } from '../boletos/pdf/printed-boleto'
import type { Invoice } from '../invoice/rules/invoice'

/** An invoice of a booklet with its payable or paid slip, or else its newest. `boleto` is null when it has none. */
export type BookletSlip = { invoice: Invoice; boleto: Boleto | null }

/** The standing of a slip of a booklet. NONE: there is no slip to pay with. */
export type SlipStanding = Exclude<AskStatus, 'REFUSED'> | 'NONE'

/** The standing of a slip. The invoice's status comes first: the slip of an invoice that a card paid is withdrawn. */
export function standingOf({ invoice, boleto }: BookletSlip, at: number): SlipStanding {
  if (invoice.status === 'PAID' || invoice.status === 'CANCELLED') return invoice.status
  if (boleto === null || boleto.status === 'CANCELLED' || boleto.status === 'REFUSED') return 'NONE'
  // The last day of a slip may be over before the sweeper checks it.
  if (boleto.status === 'REGISTERED' && !stillHolds(boleto, at)) return 'EXPIRED'
  return boleto.status
}

/** The slip with its digits. Undefined when the bank has not registered it, or there is no slip to pay with. */
export function printedOf({ boleto }: BookletSlip, standing: SlipStanding): PrintedBoleto | undefined {
  if (standing === 'NONE' || standing === 'PENDING' || boleto === null) return undefined
  const { beneficiary, barcode, digitableLine } = boleto
  if (!beneficiary || !barcode || !digitableLine) return undefined
  return { ...boleto, beneficiary, barcode, digitableLine }
}
