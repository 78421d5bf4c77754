import type { ChargeJson } from '@cofre/api/charge'

/** One request of a client and the answer that it finally had. */
export type Entry = {
  /** The order reference, which all requests for one order share. */
  story: string
  operation:
    | 'token'
    | 'authorize'
    | 'charge'
    | 'capture'
    | 'refund'
    | 'metadata'
    | 'network-token'
    | 'deactivation'
    | 'voucher'
    | 'redirect'
    | 'voucher-payment'
    | 'voucher-cancellation'
    | 'voucher-deletion'
    | 'customer'
    | 'customer-deletion'
    | 'product'
    | 'invoice'
    | 'invoice-finalize'
    | 'invoice-void'
    | 'invoice-uncollectible'
    | 'payer'
    | 'paid-product'
    | 'paid-invoice'
    | 'pay'
    | 'pay-void'
    | 'boleto'
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  body: unknown
  key: string
  status: number
  answer: unknown
  /** How often it was sent. */
  tries: number
}

/** A redirect whose holder came back. */
export type Return = {
  story: string
  cardType: 'MEAL' | 'FOOD'
  /** What is to come of it, if its process lives. */
  wanted: 'ACTIVE' | 'DENIED' | 'FAILED'
  /** Where the browser was sent back to. */
  url: string
  /** Of one that pays still. */
  token?: string
}

/** All that the clients of one run were told, and what they were told that they must not be. */
export type Ledger = { entries: Entry[]; returns: Return[]; breaches: string[] }

export function newLedger(): Ledger {
  return { entries: [], returns: [], breaches: [] }
}

/** The charge that an answer is. */
export function chargeIn({ answer }: Entry): ChargeJson {
  return answer as ChargeJson
}

export function entriesOf({ entries }: Ledger, ...operations: Entry['operation'][]): Entry[] {
  return entries.filter(({ operation }) => operations.includes(operation))
}
