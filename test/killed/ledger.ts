import type { ChargeJson } from '@cofre/api/charge'

/** One request of a client and the answer that it finally got. */
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
  /** The outcome that is due when no program dies meanwhile. */
  wanted: 'ACTIVE' | 'DENIED' | 'FAILED'
  /** The URL that the browser was sent back to. */
  url: string
  /** The token while it pays; undefined before and after that. */
  token?: string
}

/** The answers that the clients of one run got, the redirects that ended, and the breaches that they noticed. */
export type Ledger = { entries: Entry[]; returns: Return[]; breaches: string[] }

export function newLedger(): Ledger {
  return { entries: [], returns: [], breaches: [] }
}

/** The answer of an entry as a charge. */
export function chargeIn({ answer }: Entry): ChargeJson {
  return answer as ChargeJson
}

export function entriesOf({ entries }: Ledger, ...operations: Entry['operation'][]): Entry[] {
  return entries.filter(({ operation }) => operations.includes(operation))
}
