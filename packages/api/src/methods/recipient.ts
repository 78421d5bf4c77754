import type { Recipient, RecipientEntry } from '@cofre/proto/invoices/v1/recipients'
import { z } from 'zod'
import { movementKind } from './movement'
import { epochMs } from '../schema'

/** One among whom a seller splits the money of its invoices. */
export const recipientSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    document: z.string().meta({ description: 'CPF or CNPJ, without punctuation.' }),
    reference: z.string().nullable().meta({ description: 'Your own name of the recipient.' }),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({
    id: 'Recipient',
    examples: [
      {
        id: 12,
        name: 'Ateliê da Ana',
        document: '12345678909',
        reference: 'parceiro-12',
        createdAt: 1_783_652_400_000,
        updatedAt: 1_783_652_400_000,
      },
    ],
  })

export type RecipientJson = z.output<typeof recipientSchema>

export function presentRecipient({ id, fields, createdAt, updatedAt }: Recipient): RecipientJson {
  if (!fields) throw new Error('a recipient was answered without its fields')
  const { name, document, reference } = fields
  return { id, name, document, reference: reference || null, createdAt, updatedAt }
}

/** What a recipient is owed of one movement. */
export const recipientEntrySchema = z
  .object({
    id: z.int(),
    recipientId: z.int(),
    invoiceId: z.int(),
    movementId: z.int(),
    kind: movementKind.schema.meta({ description: 'What moved: see the movement.' }),
    amountInCents: z.int().meta({
      description:
        'Cents of BRL. Negative: the recipient owes it back, since money of the invoice went back.',
    }),
    at: epochMs().meta({ description: 'When the money moved. Epoch milliseconds.' }),
    recordedAt: epochMs(),
  })
  .meta({
    id: 'RecipientEntry',
    examples: [
      {
        id: 41,
        recipientId: 12,
        invoiceId: 77,
        movementId: 31,
        kind: 'PAYMENT',
        amountInCents: 1_500,
        at: 1_783_652_400_000,
        recordedAt: 1_783_652_400_412,
      },
    ],
  })

export type RecipientEntryJson = z.output<typeof recipientEntrySchema>

export function presentRecipientEntry({ kind, amount, ...entry }: RecipientEntry): RecipientEntryJson {
  return { ...entry, kind: movementKind.nameOf(kind), amountInCents: amount }
}
