import { parseDocument } from '@cofre/platform/card/tax-number'
import { z } from 'zod'

/** A CPF or CNPJ in a body or query. The parsed value has no mask. */
export function documentNumber() {
  return z
    .string()
    .max(18)
    .transform((value, context) => {
      const document = parseDocument(value)
      if (document !== undefined) return document
      context.addIssue({
        code: 'custom',
        params: { code: 'FORMAT', detail: 'must be a CPF or CNPJ with correct check digits' },
      })
      return z.NEVER
    })
    .meta({
      description: 'CPF or CNPJ (also alphanumeric), with or without punctuation.',
      examples: ['12345678909'],
    })
}
