import type { VoidBookletResponse } from '@cofre/proto/invoices/v1/recurring'
import { z } from 'zod'
import { cents } from '../schema'

const voidedSchema = z
  .object({
    invoiceId: z.int(),
    invoiceNumber: z.string(),
    balanceInCents: cents().meta({ description: 'What it asked for and had not got. Cents of BRL.' }),
    error: z
      .object({ code: z.string().meta({ description: 'One of the error codes.' }), detail: z.string() })
      .meta({ id: 'VoidError' })
      .nullable()
      .meta({ description: 'Why it stays as it is. null: it was voided.' }),
  })
  .meta({ id: 'VoidedInvoice' })

/** What became of the open invoices of a booklet. */
export const voidedBookletSchema = z.array(voidedSchema).meta({
  id: 'VoidedBooklet',
  description: 'In order of cycle.',
  examples: [[{ invoiceId: 77, invoiceNumber: '000077', balanceInCents: 9_980, error: null }]],
})

export type VoidedBookletJson = z.output<typeof voidedBookletSchema>

export function presentVoided({ invoices }: VoidBookletResponse): VoidedBookletJson {
  return invoices.map(({ invoiceId, invoiceNumber, balance, errorCode: code, errorDetail: detail }) => ({
    invoiceId,
    invoiceNumber,
    balanceInCents: balance,
    error: code === '' ? null : { code, detail },
  }))
}
