import type { Pool } from '@cofre/platform/postgres/postgres'
import type { SlipOf } from '../../letters/letter'
import type { PixOf } from '../../letters/open-pix'
import { BOLETOS } from '../store/boleto-store'
import { printedLine } from '../rules/barcode'
import { drawBoleto } from './draw-boleto'

/** Finds the slip by which an invoice can be paid, as letters carry it. Undefined: there is none now. */
export function slipsIn(pool: Pool, { isPayable }: { isPayable: boolean }, pixOf: PixOf): SlipOf {
  return async (invoiceId) => {
    const boleto = await BOLETOS.latest(pool, invoiceId)
    const { status, beneficiary, barcode, digitableLine } = boleto ?? {}
    if (!boleto || status !== 'REGISTERED' || !beneficiary || !barcode || !digitableLine) return undefined
    const paper = { isPayable, pix: await pixOf(invoiceId) }
    const pdf = await drawBoleto({ ...boleto, beneficiary, barcode, digitableLine }, paper)
    return { line: printedLine(digitableLine), pdf }
  }
}
