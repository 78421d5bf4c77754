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
    | 'pix'
    | 'invoice-refund'
    | 'external'
    | 'write-off'
    | 'receipt-apply'
    | 'receipt-keep'
    | 'receipt-return'
    | 'dispute-accept'
    | 'dispute-contest'
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

/** A payment that its holder disputed. `invoiceId` null: it paid no invoice. */
export type Disputed = { chargeId: number; invoiceId: number | null; tid: string }

/** What the clients of one run were answered, what ended or was disputed, and the breaches that they noticed. */
export type Ledger = { entries: Entry[]; returns: Return[]; disputed: Disputed[]; breaches: string[] }

export function newLedger(): Ledger {
  return { entries: [], returns: [], disputed: [], breaches: [] }
}

/** The answer of an entry as a charge. */
export function chargeIn({ answer }: Entry): ChargeJson {
  return answer as ChargeJson
}

export function entriesOf({ entries }: Ledger, ...operations: Entry['operation'][]): Entry[] {
  return entries.filter(({ operation }) => operations.includes(operation))
}
