import { readJson } from '@cofre/platform/outbound/partner-answers'
import { z } from 'zod'

// Cielo's samples send numbers as text and booleans as text, and may add fields at any time.
const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? '')
const cents = z
  .preprocess(
    (value) => value ?? undefined,
    z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  )
  .catch(undefined)
const status = z.coerce.number().int()

const payment = z.object({
  Status: status,
  ReturnCode: text,
  PaymentId: text,
  Tid: text,
  ProofOfSale: text,
  AuthorizationCode: text,
  MerchantAdviceCode: text,
  // The manual has both spellings, and both "5" and "05".
  Eci: text,
  ECI: text,
  IssuerTransactionId: text,
  Amount: cents,
  CapturedAmount: cents,
  VoidedAmount: cents,
})

const sale = z.object({ Payment: payment })

/** The answer to a capture or a void. */
const operation = z.object({ Status: status.optional().catch(undefined), ReturnCode: text })

const verification = z.object({
  Valid: z.union([z.boolean(), z.stringbool()]),
  ReturnCode: text,
  IssuerTransactionId: text,
})

const fault = z.object({ Code: text })

/** An order's payments. The name of the list varies, and one payment may come without a list. */
const entry = z.object({ PaymentId: z.string().min(1) })
const order = z.object({
  Payment: z.union([z.array(entry), entry.transform((one) => [one])]).optional(),
  Payments: z.array(entry).optional(),
})

export type CieloPayment = z.output<typeof payment>
export type CieloOperation = z.output<typeof operation>
export type CieloVerification = z.output<typeof verification>

export function readSale(body: Uint8Array): CieloPayment | undefined {
  return readJson(sale, body)?.Payment
}

export function readOperation(body: Uint8Array): CieloOperation | undefined {
  return readJson(operation, body)
}

export function readVerification(body: Uint8Array): CieloVerification | undefined {
  return readJson(verification, body)
}

/** The ids of an order number's payments; undefined when the answer holds no list, which proves nothing. */
export function readOrder(body: Uint8Array): string[] | undefined {
  const found = readJson(order, body)
  const list = found?.Payment ?? found?.Payments
  return list?.map(({ PaymentId }) => PaymentId)
}

/** The error codes of a 4xx answer: an array of faults or, from Zero Auth, a single one. */
export function readFaultCodes(body: Uint8Array): string[] {
  const faults = readJson(z.union([z.array(fault), fault.transform((one) => [one])]), body) ?? []
  return faults.map(({ Code }) => Code)
}
