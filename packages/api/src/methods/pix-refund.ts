import { PixRefundStatus, type PixRefund } from '@cofre/proto/invoices/v1/pix'
import { z } from 'zod'
import { cents, enumNames, epochMs } from '../schema'

const refundStatus = enumNames('InvoiceRefundStatus', PixRefundStatus)

const EXAMPLE = {
  id: 5,
  invoiceId: 77,
  method: 'PIX',
  status: 'SUCCEEDED',
  amountInCents: 2_500,
  endToEndId: 'E9999900820260709121500f3a91c07b',
  bankRefundId: '6f1e9c4a20d54c3b9a4e0d7b5f1c2e3a',
  origin: 'SELLER',
  nature: null,
  reason: 'One item was sold out.',
  failure: null,
  createdAt: 1_783_738_800_000,
  updatedAt: 1_783_738_800_650,
} as const

/** What became of a refund that no bank could be asked about. */
const FAILURES: Record<string, string | undefined> = {
  NO_ACCOUNT: 'The account at the bank that received this Pix is gone. Nothing was given back.',
  ACCOUNT_GONE:
    'The account at the bank is gone since before the bank said what became of the refund. Look at the bank’s statement before you refund again.',
}

/** Money of an invoice that goes back the way it came. */
export const invoiceRefundSchema = z
  .object({
    id: z.int(),
    invoiceId: z.int(),
    method: z.literal('PIX'),
    status: refundStatus.schema.meta({
      description: 'PENDING: the bank has not said yet what became of it. Read the refund again later.',
    }),
    amountInCents: cents(1),
    endToEndId: z.string().meta({ description: 'The bank’s id of the Pix.' }),
    bankRefundId: z.string().meta({ description: 'The bank’s id of the refund.' }),
    origin: z.enum(['SELLER', 'BANK']).meta({
      id: 'InvoiceRefundOrigin',
      description:
        'SELLER: you asked Cofre for it. BANK: it was made at the bank, by you or by the bank itself.',
    }),
    nature: z.string().nullable().meta({
      description:
        'Of one that was made at the bank, the bank’s word for it. ORIGINAL: you made it there. MED_FRAUDE: the payer reported fraud. MED_OPERACIONAL: the bank made an error. null: you asked Cofre for it.',
    }),
    reason: z.string().nullable(),
    failure: z.string().nullable().meta({
      description:
        'Why it failed, in the bank’s words; in ours where the account at the bank that received the Pix is gone. A refund whose end nobody can ask the bank about is FAILED after a week.',
    }),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'InvoiceRefund', examples: [EXAMPLE] })

export const invoiceRefundsSchema = z
  .array(invoiceRefundSchema)
  .meta({ id: 'InvoiceRefunds', description: 'Newest first.', examples: [[EXAMPLE]] })

export function presentInvoiceRefund(refund: PixRefund): z.output<typeof invoiceRefundSchema> {
  const { id, invoiceId, status, amount, endToEndId, number, nature, reason, refusal } = refund
  return {
    id,
    invoiceId,
    method: 'PIX',
    status: refundStatus.nameOf(status),
    amountInCents: amount,
    endToEndId,
    bankRefundId: number,
    origin: nature ? 'BANK' : 'SELLER',
    nature: nature || null,
    reason: reason || null,
    failure: FAILURES[refusal] ?? (refusal || null),
    createdAt: refund.createdAt,
    updatedAt: refund.updatedAt,
  }
}
