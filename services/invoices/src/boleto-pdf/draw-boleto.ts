import type { Boleto } from '../boleto/boleto'
export type Printed = Boleto & {
  beneficiary: NonNullable<Boleto['beneficiary']>
  barcode: string
  digitableLine: string
}
export async function drawBoleto(_boleto: Printed, _options: { isPayable: boolean }): Promise<Buffer> {
  return Buffer.from('')
}
