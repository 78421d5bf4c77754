import type { Payment } from '@cofre/proto/orders/v1/orders'
import { z } from 'zod'
import { epochMs } from '../schema'

/** What a payment by Pix has in place of a card. */
export const chargePixSchema = z
  .object({
    txid: z.string().meta({ description: 'The bank’s number of the charge.' }),
    endToEndId: z.string().nullable().meta({ description: 'The bank’s number of the Pix that paid it.' }),
    copyAndPaste: z.string().max(512).nullable().meta({
      description: 'The text behind the QR code (Pix Copia e Cola). null until the bank has answered.',
    }),
    qrCodeUrl: z.url().meta({
      description: 'The QR code as SVG; no token is needed. 404 unless the charge can be paid.',
    }),
    qrCodePngUrl: z.url().meta({ description: 'The same as PNG.' }),
    expiresAt: epochMs().meta({ description: 'From then on nobody can pay it. Epoch milliseconds.' }),
    payer: z
      .object({ name: z.string().nullable(), document: z.string().nullable() })
      .meta({ id: 'ChargePixPayer' })
      .nullable()
      .meta({ description: 'Who paid, as far as the bank says it. A CPF is masked.' }),
  })
  .meta({ id: 'ChargePix' })

export function presentChargePix(
  { pix, acquirer }: Pick<Payment, 'pix' | 'acquirer'>,
  baseUrl: string,
): z.output<typeof chargePixSchema> | null {
  if (!pix) return null
  const txid = acquirer?.orderNumber ?? ''
  const { payerName, payerDocument } = pix
  return {
    txid,
    endToEndId: acquirer?.paymentId || null,
    copyAndPaste: pix.copyAndPaste || null,
    qrCodeUrl: `${baseUrl}/pix/orders/${txid}.svg`,
    qrCodePngUrl: `${baseUrl}/pix/orders/${txid}.png`,
    expiresAt: pix.expiresAt,
    payer: payerName || payerDocument ? { name: payerName || null, document: payerDocument || null } : null,
  }
}
