import { createHash } from 'node:crypto'
import type { DoomedSystem } from '../doomed-system'

export type BookedPayment = {
  id: number
  reference: string
  orderNumber: string
  amount: number
  status: 'PENDING' | 'PAID' | 'DENIED' | 'CANCELED'
  declineCode: string | null
}

export type BookedToken = {
  token: string
  sellerId: number
  status: string
  reason: string | null
  phase: string | null
  /** Null for a token by the card's number. */
  clientId: string | null
  /** The story of a token by redirect. */
  story: string | null
  lastFour: string
}

/** A payment in the issuers' own list. */
export type IssuerPayment = {
  orderNumber: string
  amount: number
  status: 'APPROVED' | 'DECLINED' | 'CANCELED'
}

/** The voucher payments of one run, whose name begins their references. */
export function readVoucherPayments(system: DoomedSystem, run: string): Promise<BookedPayment[]> {
  return system.read<BookedPayment>(
    'vouchers',
    `SELECT id, reference_id AS reference, order_number AS "orderNumber", amount, status, decline_code AS "declineCode"
     FROM payments WHERE starts_with(reference_id, $1) ORDER BY id`,
    [`${run}-`],
  )
}

/** The voucher tokens of every run. */
export function readVoucherTokens(system: DoomedSystem): Promise<BookedToken[]> {
  return system.read<BookedToken>(
    'vouchers',
    `SELECT token, seller_id AS "sellerId", status, reason, phase, client_id AS "clientId", card_reference AS story,
       last_four AS "lastFour" FROM voucher_tokens`,
  )
}

/** The issuers' own list of payments: the newest 10,000. */
export async function readIssuers({ ready }: DoomedSystem): Promise<IssuerPayment[]> {
  return (await (await fetch(`${ready.sandboxUrl}/vouchers/payments`)).json()) as IssuerPayment[]
}

/** The order numbers among these that belong to no payment of ours. */
export async function strangersAmongVouchers(
  system: DoomedSystem,
  orderNumbers: readonly string[],
): Promise<string[]> {
  const rows = await system.read<{ number: string }>(
    'vouchers',
    `SELECT number FROM unnest($1::text[]) AS number
     WHERE NOT EXISTS (SELECT FROM payments WHERE order_number = number)`,
    [orderNumbers],
  )
  return rows.map(({ number }) => number)
}

/** The names of the voucher numbers that the vault keeps, and the tokens whose grants it keeps. */
export async function readKept(system: DoomedSystem): Promise<{ numbers: string[]; grants: string[] }> {
  const numbers = await system.read<{ token: string }>(
    'vault',
    `SELECT token FROM cards WHERE kind = 'voucher'`,
  )
  const grants = await system.read<{ token: string }>('vault', `SELECT voucher_token AS token FROM grants`)
  return { numbers: numbers.map(({ token }) => token), grants: grants.map(({ token }) => token) }
}

/** Tokens that were not saved, whose numbers the vault may keep: they are destroyed in an hour. */
export function readNoted(system: DoomedSystem): Promise<Pick<BookedToken, 'token' | 'sellerId'>[]> {
  return system.read('vouchers', 'SELECT token, seller_id AS "sellerId" FROM discarded_vouchers')
}

/** The name of the vault's row for a voucher's number. */
export function rowOf({ sellerId, token }: Pick<BookedToken, 'token' | 'sellerId'>): string {
  return createHash('sha256').update(`voucher:${sellerId}:${token}`).digest('hex')
}
