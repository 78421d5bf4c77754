import {
  BoletoStatus,
  ReceiptOutcome,
  UnexpectedReason,
  type Boleto,
  type UnexpectedReceipt,
} from '@cofre/proto/invoices/v1/boletos'
import type { GenerateBoletosResponse } from '@cofre/proto/invoices/v1/recurring'
import { z } from 'zod'
import { cents, enumNames, epochMs } from './schema'
import { warningSchema } from './warning'

// A boleto that the bank refused is answered as a problem, and shown nowhere.
const boletoStatus = enumNames('BoletoStatus', BoletoStatus, 'REFUSED')

const EXAMPLE = {
  id: 4,
  status: 'REGISTERED',
  digitableLine: '00190000090123456700400000042176215030000012345',
  barcode: '00192150300000123450000001234567000000004217',
  dueDate: 1_783_652_400_000,
  amountInCents: 12_345,
  pdfUrl: 'https://pay.example.com/boletos/4fJz1Qm8Tn2bYw0c7Rk5Xg.pdf',
  warnings: [],
} as const

/** A bank slip (boleto). */
export const boletoSchema = z
  .object({
    id: z.int(),
    status: boletoStatus.schema.meta({
      description: 'PENDING: the bank has not answered yet. Read the boleto again later.',
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
    warnings: z.array(warningSchema).meta({
      description:
        'PAYER_ADDRESS_INCOMPLETE: the customer has no street, city, state or ZIP code, and the bank was told of no address. INSTRUCTIONS_CUT: the part that the cashier reads has no room for all instructions.',
    }),
  })
  .meta({
    id: 'Boleto',
    examples: [EXAMPLE],
  })

export const boletosSchema = z
  .array(boletoSchema)
  .meta({ id: 'Boletos', description: 'Newest first.', examples: [[EXAMPLE]] })

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
    warnings: boleto.warnings,
  }
}

const generatedSchema = z
  .object({
    invoiceId: z.int(),
    boleto: boletoSchema.nullable().meta({ description: 'null: none was made; error says why.' }),
    error: z
      .object({ code: z.string().meta({ description: 'One of the error codes.' }), detail: z.string() })
      .meta({ id: 'BoletoError' })
      .nullable(),
  })
  .meta({ id: 'GeneratedBoleto' })

/** The results of generating boletos for many invoices. */
export const generatedBoletosSchema = z.array(generatedSchema).meta({
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

const reason = enumNames('UnexpectedReason', UnexpectedReason)
const outcome = enumNames('ReceiptOutcome', ReceiptOutcome)

/** Money that came in and that no invoice accepted. */
export const unexpectedReceiptSchema = z
  .object({
    id: z.int(),
    reason: reason.schema.nullable().meta({
      description:
        'UNDERPAID: less than was asked for. OVERPAID: the part above it. ALREADY_PAID, INVOICE_VOIDED: the invoice accepts no more money. AFTER_EXPIRY: paid after the last day of the boleto or the Pix charge. UNKNOWN_BOLETO: no boleto has this number. UNKNOWN_PIX: no Pix charge asked for it. null: its invoice took it whole.',
    }),
    receivedInCents: cents(1),
    unexpectedInCents: cents().meta({
      description:
        'The part of the money that no invoice accepted; 0 where its invoice took it whole. Cents of BRL.',
    }),
    invoiceId: z.int().nullable(),
    boletoId: z.int().nullable(),
    ourNumber: z.string().nullable().meta({
      description: 'The bank’s number for the boleto (nosso número). null: paid by Pix.',
    }),
    pixId: z.int().nullable(),
    txid: z.string().nullable().meta({
      description: 'The bank’s number of the Pix charge. null: no charge, or paid by boleto.',
    }),
    payer: z.object({ name: z.string().nullable(), document: z.string().nullable() }).nullable().meta({
      id: 'Payer',
      description:
        'Who paid by Pix: the name, and a CNPJ or the middle digits of a CPF. null: the bank does not say.',
    }),
    bankReceiptId: z.string().meta({
      description: 'The bank’s id for the receipt; of a Pix, its endToEndId.',
    }),
    paidAt: epochMs(),
    openInCents: cents().meta({ description: 'What of it still waits for you. Cents of BRL.' }),
    returningInCents: cents().meta({
      description:
        'What of that is on its way back to the payer, and yours to decide on no more. Cents of BRL.',
    }),
    outcome: outcome.schema.nullable().meta({
      description:
        'What became of the last of it. APPLIED: an invoice took it. RETURNED: you gave it back. KEPT: you keep it as income without an invoice. null: it waits.',
    }),
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
        pixId: null,
        txid: null,
        payer: null,
        bankReceiptId: 'LIQ-7f0e',
        paidAt: 1_783_652_400_000,
        openInCents: 20,
        returningInCents: 0,
        outcome: null,
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
    reason: receipt.reason === UnexpectedReason.UNSPECIFIED ? null : reason.nameOf(receipt.reason),
    receivedInCents: receipt.receivedAmount,
    unexpectedInCents: receipt.unexpectedAmount,
    invoiceId: receipt.invoiceId || null,
    boletoId: receipt.boletoId || null,
    ourNumber: receipt.ourNumber || null,
    pixId: receipt.pixId || null,
    txid: receipt.txid || null,
    payer: receipt.payer
      ? { name: receipt.payer.name || null, document: receipt.payer.document || null }
      : null,
    bankReceiptId: receipt.bankReceiptId,
    paidAt: receipt.paidAt,
    openInCents: receipt.openAmount,
    returningInCents: receipt.returningAmount,
    outcome: receipt.outcome === ReceiptOutcome.UNSPECIFIED ? null : outcome.nameOf(receipt.outcome),
    resolvedAt: receipt.resolvedAt ?? null,
    resolution: receipt.resolution || null,
    createdAt: receipt.createdAt,
  }
}
