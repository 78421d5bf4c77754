import type { z } from 'zod'
import {
  authorizeRequestSchema,
  captureRequestSchema,
  directChargeRequestSchema,
  refundRequestSchema,
} from './order'

/** Names of fields that may be kept; those of an object or of a list's objects below. */
type Fields = { readonly [name: string]: true | Fields }

const payment = {
  paymentMethod: true,
  amount: true,
  installments: true,
  paymentLimitDate: true,
  dueDate: true,
} as const

/**
 * What of a request's body the history keeps: fields that are named here and nothing else. No card, no person, no free
 * text, nothing of a body that is not listed.
 */
const RECORDED: ReadonlyMap<z.ZodType, Fields> = new Map<z.ZodType, Fields>([
  [authorizeRequestSchema, { orderReference: true, amount: true, payments: payment }],
  [
    directChargeRequestSchema,
    { amount: true, installments: true, affiliateId: true, externalReference: true },
  ],
  [captureRequestSchema, { amount: true }],
  [refundRequestSchema, { amount: true }],
])

/** The part of a body, as its schema made it, that may be kept; undefined when nothing of it may. */
export function recordedPart(schema: z.ZodType | undefined, body: unknown): unknown {
  const fields = schema && RECORDED.get(schema)
  return fields && pick(body, fields)
}

function pick(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((each) => pick(each, fields))
  if (typeof value !== 'object' || value === null) return undefined
  const kept = Object.entries(value).flatMap(([name, held]) => {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (rule === undefined) return []
    const part = rule === true ? scalar(held) : pick(held, rule)
    return part === undefined ? [] : [[name, part] as const]
  })
  return Object.fromEntries(kept)
}

function scalar(value: unknown): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined
}
