import type { Boleto, GetBoletoRequest } from '@cofre/proto/invoices/v1/boletos'
import { boletoMessage } from '../../boleto-store/boleto-message'
import { readPublicBoleto } from '../../boleto-store/boleto-store'
import type { Deps } from '../../deps'

export async function getBoleto({ pool }: Deps, { publicId }: GetBoletoRequest): Promise<Boleto> {
  return boletoMessage(await readPublicBoleto(pool, publicId))
}
