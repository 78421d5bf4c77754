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
  /** Null: by the card's number. */
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

/** Of one run: its name begins their references. */
export function readVoucherPayments(system: DoomedSystem, run: string): Promise<BookedPayment[]> {
  return system.read<BookedPayment>(
    'vouchers',
    `SELECT id, reference_id AS reference, order_number AS "orderNumber", amount, status, decline_code AS "declineCode"
     FROM payments WHERE starts_with(reference_id, $1) ORDER BY id`,
    [`${run}-`],
  )
}

/** Of every run. */
export function readVoucherTokens(system: DoomedSystem): Promise<BookedToken[]> {
  return system.read<BookedToken>(
    'vouchers',
    `SELECT token, seller_id AS "sellerId", status, reason, phase, client_id AS "clientId", card_reference AS story,
       last_four AS "lastFour" FROM voucher_tokens`,
  )
}

/** What the issuers say that happened: the newest 10000. */
export async function readIssuers({ ready }: DoomedSystem): Promise<IssuerPayment[]> {
  return (await (await fetch(`${ready.sandboxUrl}/vouchers/payments`)).json()) as IssuerPayment[]
}

/** Which of these order numbers are of no payment of ours. */
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

/** What the vault keeps for vouchers: rows of card numbers, by the name that it gives them, and tokens with a grant. */
export async function readKept(system: DoomedSystem): Promise<{ numbers: string[]; grants: string[] }> {
  const numbers = await system.read<{ token: string }>(
    'vault',
    `SELECT token FROM cards WHERE kind = 'voucher'`,
  )
  const grants = await system.read<{ token: string }>('vault', `SELECT voucher_token AS token FROM grants`)
  return { numbers: numbers.map(({ token }) => token), grants: grants.map(({ token }) => token) }
}

/** Of numbers that the vault may keep though no token of theirs was saved: they are destroyed in an hour. */
export function readNoted(system: DoomedSystem): Promise<Pick<BookedToken, 'token' | 'sellerId'>[]> {
  return system.read('vouchers', 'SELECT token, seller_id AS "sellerId" FROM discarded_vouchers')
}

/** The name of the vault's row of a voucher's number. */
export function rowOf({ sellerId, token }: Pick<BookedToken, 'token' | 'sellerId'>): string {
  return createHash('sha256').update(`voucher:${sellerId}:${token}`).digest('hex')
}
