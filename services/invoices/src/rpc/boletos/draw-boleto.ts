import { notFound } from '@cofre/platform/errors'
import type { DrawBoletoResponse, GetBoletoRequest } from '@cofre/proto/invoices/v1/boletos'
import { drawBoleto as draw } from '../../boleto-pdf/draw-boleto'
import { readPublicBoleto } from '../../boleto-store/boleto-store'
import type { Deps } from '../../deps'

export async function drawBoleto(
  { pool, boletos: { isPayable } }: Deps,
  { publicId }: GetBoletoRequest,
): Promise<DrawBoletoResponse> {
  const boleto = await readPublicBoleto(pool, publicId)
  const { beneficiary, barcode, digitableLine } = boleto
  if (!beneficiary || !barcode || !digitableLine) throw notFound()
  return { pdf: await draw({ ...boleto, beneficiary, barcode, digitableLine }, { isPayable }) }
}
