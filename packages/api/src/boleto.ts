import {
  BoletoStatus,
  UnexpectedReason,
  type Boleto,
  type UnexpectedReceipt,
} from '@cofre/proto/invoices/v1/boletos'
import type { GenerateBoletosResponse } from '@cofre/proto/invoices/v1/recurring'
import { z } from 'zod'
import { cents, enumNames, epochMs } from './schema'

// A boleto that the bank refused is answered as a problem, and shown nowhere.
const boletoStatus = enumNames(BoletoStatus, 'REFUSED')

const EXAMPLE = {
  id: 4,
  status: 'REGISTERED',
  digitableLine: '00190000090123456700400000042176215030000012345',
  barcode: '00192150300000123450000001234567000000004217',
  dueDate: 1_783_652_400_000,
  amountInCents: 12_345,
  pdfUrl: 'https://pay.example.com/boletos/4fJz1Qm8Tn2bYw0c7Rk5Xg.pdf',
} as const

/** A bank slip (boleto). */
export const boletoSchema = z
  .object({
    id: z.int(),
    status: boletoStatus.schema.meta({
      description:
        'PENDING: the bank has not answered yet. Send the request again; nothing is registered twice.',
    }),
    digitableLine: z
      .string()
      .regex(/^\d{47}$/)
      .nullable()
      .meta({ description: 'The 47 digits that the payer types. null while PENDING.' }),
    barcode: z
      .string()
      .regex(/^\d{44}$/)
      .nullable()
      .meta({ description: 'The 44 digits of the barcode. null while PENDING.' }),
    dueDate: epochMs(),
    amountInCents: cents(),
    pdfUrl: z.url().meta({ description: 'The slip to print; no token is needed. 404 while PENDING.' }),
  })
  .meta({
    id: 'Boleto',
    examples: [EXAMPLE],
  })

/** The URL of a boleto to print. */
export function pdfUrlOf(baseUrl: string, { publicId }: Pick<Boleto, 'publicId'>): string {
  return `${baseUrl}/boletos/${publicId}.pdf`
}

export function presentBoleto(boleto: Boleto, baseUrl: string): z.output<typeof boletoSchema> {
  const { id, status, digitableLine, barcode, dueDate, amount } = boleto
  return {
    id,
    status: boletoStatus.nameOf(status),
    digitableLine: digitableLine || null,
    barcode: barcode || null,
    dueDate,
    amountInCents: amount,
    pdfUrl: pdfUrlOf(baseUrl, boleto),
  }
}

/** The results of generating boletos for many invoices. */
export const generatedBoletosSchema = z
  .array(
    z.object({
      invoiceId: z.int(),
      boleto: boletoSchema.nullable().meta({ description: 'null: none was made; error says why.' }),
      error: z
        .object({ code: z.string().meta({ description: 'One of the error codes.' }), detail: z.string() })
        .nullable(),
    }),
  )
  .meta({
    id: 'GeneratedBoletos',
    description: 'In order of cycle.',
    examples: [[{ invoiceId: 77, boleto: EXAMPLE, error: null }]],
  })

export function presentGenerated(
  { boletos }: GenerateBoletosResponse,
  baseUrl: string,
): z.output<typeof generatedBoletosSchema> {
  return boletos.map(({ invoiceId, boleto, errorCode: code, errorDetail: detail }) => ({
    invoiceId,
    boleto: boleto ? presentBoleto(boleto, baseUrl) : null,
    error: boleto ? null : { code, detail },
  }))
}

const reason = enumNames(UnexpectedReason)

/** Money that came in and that no invoice accepted. */
export const unexpectedReceiptSchema = z
  .object({
    id: z.int(),
    reason: reason.schema.meta({
      description:
        'UNDERPAID: less than the amount of the boleto. OVERPAID: the part above it. ALREADY_PAID, INVOICE_VOIDED: the invoice accepts no more money. AFTER_EXPIRY: paid after the boleto’s last day. UNKNOWN_BOLETO: no boleto has this number.',
    }),
    receivedInCents: cents(1),
    unexpectedInCents: cents(1).meta({
      description: 'The part of the money that no invoice accepted. Cents of BRL.',
    }),
    invoiceId: z.int().nullable(),
    boletoId: z.int().nullable(),
    ourNumber: z.string().meta({ description: 'The bank’s number for the boleto (nosso número).' }),
    bankReceiptId: z.string().meta({ description: 'The bank’s id for the receipt.' }),
    paidAt: epochMs(),
    resolvedAt: epochMs().nullable(),
    resolution: z.string().nullable().meta({ description: 'The note of the person who resolved it.' }),
    createdAt: epochMs(),
  })
  .meta({
    id: 'UnexpectedReceipt',
    examples: [
      {
        id: 12,
        reason: 'OVERPAID',
        receivedInCents: 10_020,
        unexpectedInCents: 20,
        invoiceId: 77,
        boletoId: 4,
        ourNumber: '12345670000000004',
        bankReceiptId: 'LIQ-7f0e',
        paidAt: 1_783_652_400_000,
        resolvedAt: null,
        resolution: null,
        createdAt: 1_783_652_460_000,
      },
    ],
  })

export function presentUnexpectedReceipt(
  receipt: UnexpectedReceipt,
): z.output<typeof unexpectedReceiptSchema> {
  return {
    id: receipt.id,
    reason: reason.nameOf(receipt.reason),
    receivedInCents: receipt.receivedAmount,
    unexpectedInCents: receipt.unexpectedAmount,
    invoiceId: receipt.invoiceId || null,
    boletoId: receipt.boletoId || null,
    ourNumber: receipt.ourNumber,
    bankReceiptId: receipt.bankReceiptId,
    paidAt: receipt.paidAt,
    resolvedAt: receipt.resolvedAt ?? null,
    resolution: receipt.resolution || null,
    createdAt: receipt.createdAt,
  }
}
