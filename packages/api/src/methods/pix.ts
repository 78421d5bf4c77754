import { PixStatus, type PixCharge } from '@cofre/proto/invoices/v1/pix'
import { z } from 'zod'
import { cents, enumNames, epochMs } from '../schema'

// A charge that the bank refused is answered as a problem, and shown nowhere.
const pixStatus = enumNames('PixStatus', PixStatus, 'REFUSED')

const EXAMPLE = {
  id: 9,
  status: 'REGISTERED',
  txid: '6f1e9c4a20d54c3b9a4e0d7b5f1c2e3a',
  copyAndPaste:
    '00020101021226750014br.gov.bcb.pix2553pix.example.com/qr/v2/cobv/8b3da2f39a4140d1a91abd93b5204000053039865802BR5911Padaria Sol6009SAO PAULO62070503***6304A1B2',
  qrCodeUrl: 'https://pay.example.com/pix/4fJz1Qm8Tn2bYw0c7Rk5Xg.svg',
  qrCodePngUrl: 'https://pay.example.com/pix/4fJz1Qm8Tn2bYw0c7Rk5Xg.png',
  amountInCents: 12_345,
  expiresAt: 1_786_244_400_000,
} as const

/** A Pix charge of an invoice. */
export const pixSchema = z
  .object({
    id: z.int(),
    status: pixStatus.schema.meta({
      description: 'PENDING: the bank has not answered yet. Read the charge again later.',
    }),
    txid: z.string().meta({ description: 'The bank’s number of the charge.' }),
    copyAndPaste: z.string().max(512).nullable().meta({
      description: 'The text behind the QR code (Pix Copia e Cola). null while PENDING.',
    }),
    qrCodeUrl: z.url().meta({
      description: 'The QR code as SVG; no token is needed. 404 unless the charge can be paid.',
    }),
    qrCodePngUrl: z.url().meta({ description: 'The same as PNG.' }),
    amountInCents: cents(1).meta({
      description:
        'What the payer is asked for today, with fine and interest, or less a discount. Cents of BRL.',
    }),
    expiresAt: epochMs().meta({
      description: 'From then on nobody can pay it. Epoch milliseconds.',
    }),
  })
  .meta({ id: 'PixCharge', examples: [EXAMPLE] })

export const pixListSchema = z
  .array(pixSchema)
  .meta({ id: 'PixCharges', description: 'Newest first.', examples: [[EXAMPLE]] })

export function presentPix(charge: PixCharge, baseUrl: string): z.output<typeof pixSchema> {
  const { id, status, txid, copyAndPaste, amount, expiresAt, publicId } = charge
  return {
    id,
    status: pixStatus.nameOf(status),
    txid,
    copyAndPaste: copyAndPaste || null,
    qrCodeUrl: `${baseUrl}/pix/${publicId}.svg`,
    qrCodePngUrl: `${baseUrl}/pix/${publicId}.png`,
    amountInCents: amount,
    expiresAt,
  }
}
