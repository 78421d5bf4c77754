import { MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { MovementKind, WriteOffReason, type Movement, type PixFacts } from '@cofre/proto/invoices/v1/money'
import { z } from 'zod'
import { movementMethod } from './payment-methods'
import { cents, enumNames, epochMs } from '../schema'

export const movementKind = enumNames('MovementKind', MovementKind)
export const writeOffReason = enumNames('WriteOffReason', WriteOffReason)

/** One entry of the journal of money. */
export const movementSchema = z
  .object({
    id: z.int(),
    invoiceId: z.int().nullable().meta({ description: 'null: no invoice took the money.' }),
    invoiceNumber: z.string().nullable(),
    kind: movementKind.schema.meta({
      description:
        'PAYMENT: money came in. REFUND: it was given back the way it came, to a card or by Pix. RETURN: it was given back in another way. WRITE_OFF: you ask for it no more. DISPUTE: the card’s holder took it back through the bank. DISPUTE_WON: it came back.',
    }),
    method: movementMethod.schema.nullable().meta({
      description: 'How the money moved. EXTERNAL: outside Cofre. null: no money moved.',
    }),
    amountInCents: cents(1).meta({ description: 'The sum of the parts. Cents of BRL.' }),
    parts: z
      .object({
        principalInCents: cents(),
        fineInCents: cents(),
        interestInCents: cents(),
        feeInCents: cents().meta({
          description: 'What the payer bore on top of what was owed. Cents of BRL.',
        }),
      })
      .meta({ id: 'MovementParts' }),
    at: epochMs().meta({ description: 'When the money moved. Epoch milliseconds.' }),
    recordedAt: epochMs().meta({
      description: 'When Cofre recorded it. Epoch milliseconds.',
    }),
    source: z
      .object({
        chargeId: z.int().nullable(),
        receiptId: z.int().nullable(),
        disputeId: z.int().nullable(),
      })
      .meta({
        id: 'MovementSource',
        description: 'The card charge, the receipt, or the dispute, that it came by.',
      }),
    card: z
      .object({
        nsu: z.string(),
        tid: z.string(),
        authorizationCode: z.string(),
        installments: z.int(),
      })
      .nullable()
      .meta({
        id: 'MovementCard',
        description: 'The acquirer’s names of the card payment that brought the money.',
      }),
    pix: z
      .object({
        endToEndId: z.string(),
        txid: z.string().nullable().meta({
          description: 'Of the charge that it was paid for. null: it named none.',
        }),
        payerName: z.string().nullable(),
        payerDocument: z.string().nullable(),
      })
      .nullable()
      .meta({
        id: 'MovementPix',
        description:
          'The bank’s id of a Pix, and who paid: a CNPJ, or the middle digits of a CPF. null where the bank does not say.',
      }),
    boleto: z
      .object({
        ourNumber: z.string().meta({ description: 'The bank’s number for the boleto (nosso número).' }),
        bankReceiptId: z.string(),
      })
      .nullable()
      .meta({
        id: 'MovementBoleto',
        description: 'The bank’s names of a boleto, and of the receipt that paid it.',
      }),
    reason: writeOffReason.schema.nullable().meta({
      description:
        'Of a write-off. LATENESS_WAIVED: fine and interest that the payment left out. NOT_ASKED: the payer was asked for less when the payment began. EARLY_PAYMENT_DISCOUNT: the payment came in time for a discount. BY_SELLER: you wrote it off.',
    }),
    note: z.string().nullable(),
    reference: z.string().nullable(),
  })
  .meta({
    id: 'Movement',
    examples: [
      {
        id: 31,
        invoiceId: 77,
        invoiceNumber: '000001',
        kind: 'PAYMENT',
        method: 'CREDIT_CARD',
        amountInCents: 10_203,
        parts: { principalInCents: 10_000, fineInCents: 200, interestInCents: 3, feeInCents: 0 },
        at: 1_783_652_400_000,
        recordedAt: 1_783_652_400_412,
        source: { chargeId: 981, receiptId: null, disputeId: null },
        card: { nsu: '674532', tid: '0305020554239', authorizationCode: '123456', installments: 1 },
        pix: null,
        boleto: null,
        reason: null,
        note: null,
        reference: null,
      },
    ],
  })

export function presentMovement(movement: Movement): z.output<typeof movementSchema> {
  const { kind, method, reason, principal, fine, interest, fee } = movement
  return {
    id: movement.id,
    invoiceId: movement.invoiceId ?? null,
    invoiceNumber: movement.invoiceNumber || null,
    kind: movementKind.nameOf(kind),
    method: method === MovementMethod.UNSPECIFIED ? null : movementMethod.nameOf(method),
    amountInCents: movement.amount,
    parts: {
      principalInCents: principal,
      fineInCents: fine,
      interestInCents: interest,
      feeInCents: fee,
    },
    at: movement.at,
    recordedAt: movement.recordedAt,
    source: {
      chargeId: movement.chargeId ?? null,
      receiptId: movement.receiptId ?? null,
      disputeId: movement.disputeId ?? null,
    },
    card: movement.card ? { ...movement.card } : null,
    pix: movement.pix ? presentPix(movement.pix) : null,
    boleto: movement.boleto ?? null,
    reason: reason === WriteOffReason.UNSPECIFIED ? null : writeOffReason.nameOf(reason),
    note: movement.note || null,
    reference: movement.reference || null,
  }
}

function presentPix({ endToEndId, txid, payerName, payerDocument }: PixFacts) {
  return {
    endToEndId,
    txid: txid || null,
    payerName: payerName || null,
    payerDocument: payerDocument || null,
  }
}
