import type { Request } from 'express'
import { z } from 'zod'
import { line as lineOf } from '../../api/fields/body-fields'
import { documentNumber } from '../../api/fields/document-number'
import { email } from '../../api/fields/email-field'
import { line } from '../../pages/form'

/** The fields of the form. */
export const BUYER_FIELDS = ['name', 'document', 'email'] as const
export type BuyerField = (typeof BUYER_FIELDS)[number]

/** As the API takes a customer. */
const BUYER = z.object({ name: lineOf(), document: documentNumber(), email: email() })

export type Buyer = z.output<typeof BUYER>

/** Reads who buys. `buyer` undefined: the named fields are faulty. */
export function readBuyer(req: Request): { buyer: Buyer | undefined; faults: BuyerField[] } {
  const [name, document, address] = BUYER_FIELDS.map((each) => line(req, each))
  const read = BUYER.safeParse({ name, document: document?.replaceAll(' ', ''), email: address })
  if (read.success) return { buyer: read.data, faults: [] }
  const faulty = new Set(read.error.issues.map(({ path }) => path[0]))
  return { buyer: undefined, faults: BUYER_FIELDS.filter((each) => faulty.has(each)) }
}
