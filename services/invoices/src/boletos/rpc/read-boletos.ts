import { notFound } from '@cofre/platform/errors'
import type {
  Boleto,
  DrawBoletoResponse,
  GetBoletoRequest,
  ListBoletosRequest,
  ListBoletosResponse,
  ReadBoletoRequest,
} from '@cofre/proto/invoices/v1/boletos'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { drawBoleto as draw } from '../pdf/draw-boleto'
import { boletoMessage } from '../store/boleto-message'
import { BOLETOS } from '../store/boleto-store'

export async function getBoleto({ pool }: Deps, { publicId }: GetBoletoRequest): Promise<Boleto> {
  return boletoMessage(await BOLETOS.readPublic(pool, publicId))
}

export async function readBoleto({ pool }: Deps, request: ReadBoletoRequest): Promise<Boleto> {
  const [boleto] = await BOLETOS.ofInvoice(pool, request, request.boletoId)
  if (!boleto) throw notFound('The invoice has no such boleto, or the bank refused it. Issue another.')
  return boletoMessage(boleto)
}

export async function listBoletos({ pool }: Deps, request: ListBoletosRequest): Promise<ListBoletosResponse> {
  const { sellerId, invoiceId } = request
  const boletos = await BOLETOS.ofInvoice(pool, request)
  // An invoice without boletos has an empty list; an unknown one has none.
  if (boletos.length === 0) await readInvoice(pool, { sellerId, id: invoiceId })
  return { boletos: boletos.map(boletoMessage) }
}

export async function drawBoleto(
  { pool, pixOf, boletos: { isPayable } }: Deps,
  { publicId }: GetBoletoRequest,
): Promise<DrawBoletoResponse> {
  const boleto = await BOLETOS.readPublic(pool, publicId)
  const { beneficiary, barcode, digitableLine } = boleto
  if (!beneficiary || !barcode || !digitableLine) throw notFound()
  // A slip that is over shows no other way to pay it.
  const pix = boleto.status === 'REGISTERED' ? await pixOf(boleto.invoiceId) : undefined
  return { pdf: await draw({ ...boleto, beneficiary, barcode, digitableLine }, { isPayable, pix }) }
}
