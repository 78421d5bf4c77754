import type { Pool } from '@cofre/platform/postgres/postgres'
import { drawBoletos } from '../boletos/pdf/draw-boleto'
import { now } from '../clock/billing-clock'
import { lateFromOf } from '../invoice/rules/lateness'
import type { BookletOf } from '../letters/booklet-paper'
import { printedOf, standingOf } from './booklet-slip'
import { readSlips } from './booklet-store'

/** The most slips that a letter carries: of two years, month by month. */
const SLIPS_MAX = 24

/** Finds what is to be paid of a booklet, as its letter carries it. */
export function bookletsIn(pool: Pool, { isPayable }: { isPayable: boolean }): BookletOf {
  return async (booklet) => {
    const at = now()
    const open = (await readSlips(pool, booklet)).filter(({ invoice }) => invoice.status === 'CLOSED')
    const printed = open.flatMap((each) => {
      const standing = standingOf(each, at)
      return (standing === 'REGISTERED' ? printedOf(each, standing) : undefined) ?? []
    })
    const drawn = printed.slice(0, SLIPS_MAX).map((boleto) => ({ boleto, pix: undefined }))
    return {
      parts: open.map(({ invoice }) => ({
        number: invoice.invoiceNumber,
        dueDay: lateFromOf(invoice),
        amount: invoice.amount,
        publicId: invoice.publicId,
      })),
      slips: drawn.length,
      pdf: drawn.length > 0 ? await drawBoletos(drawn, isPayable) : undefined,
    }
  }
}
