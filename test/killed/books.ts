import type { DoomedSystem } from './doomed-system'

export type Transaction = {
  id: number
  position: number
  type: 'AUTHORIZATION' | 'CAPTURE' | 'REFUND' | 'VOID'
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  cause: 'REQUEST' | 'RELEASE' | 'EXPIRY'
  amount: number
  /** The key of its request; null when the request gave its mark back, or the service acted by itself. */
  key: string | null
}

export type Payment = {
  position: number
  orderNumber: string
  amount: number
  status: string
  isPix: boolean
  /** What the acquirer calls it, or the Pix that paid it. */
  paymentId: string
}

/** A charge as the database holds it. Amounts in cents. */
export type BookedCharge = {
  id: number
  status: string
  amount: number
  authorizedAmount: number
  capturedAmount: number
  refundedAmount: number
  /** How many events it has published. */
  sequence: number
  /** Null when it notifies nobody. */
  notificationUrl: string | null
  payments: Payment[]
  transactions: Transaction[]
}

/** A payment in the acquirer's own list; `status` is Cielo's number. */
export type AcquirerPayment = {
  paymentId: string
  merchantOrderId: string
  amount: number
  status: number
  authorizedAmount: number
  capturedAmount: number
  voidedAmount: number
}

/** The charges of one run, whose name begins their order reference or the inbox that they notify. */
export function readCharges(system: DoomedSystem, run: string): Promise<BookedCharge[]> {
  return system.read<BookedCharge>(
    'orders',
    `SELECT c.id, c.status, c.amount, c.authorized_amount AS "authorizedAmount",
       c.captured_amount AS "capturedAmount", c.refunded_amount AS "refundedAmount", c.sequence,
       c.notification_url AS "notificationUrl",
       (SELECT json_agg(json_build_object('position', p.position, 'orderNumber', p.order_number, 'amount', p.amount,
          'status', p.status, 'isPix', p.pix_account IS NOT NULL, 'paymentId', p.acquirer_payment_id) ORDER BY p.position) FROM payments p WHERE p.charge_id = c.id) AS payments,
       (SELECT json_agg(json_build_object('id', t.id, 'position', t.position, 'type', t.type, 'status', t.status,
          'cause', t.cause, 'amount', t.amount, 'key', i.key) ORDER BY t.id)
        FROM transactions t LEFT JOIN idempotency i ON i.operation_id = t.operation_id AND i.response IS NOT NULL
        WHERE t.charge_id = c.id) AS transactions
     FROM charges c WHERE starts_with(c.order_reference, $1) OR starts_with(c.notification_url, $2) ORDER BY c.id`,
    [`${run}-`, `${system.inbox}/${run}-`],
  )
}

/** The acquirer's own list of payments: the newest 10,000. */
export async function readAcquirer(system: DoomedSystem): Promise<AcquirerPayment[]> {
  const response = await fetch(`${system.ready.sandboxUrl}/acquirer/payments`)
  return (await response.json()) as AcquirerPayment[]
}

/** The order numbers among these that belong to no payment of ours. */
export async function strangersAmong(
  system: DoomedSystem,
  orderNumbers: readonly string[],
): Promise<string[]> {
  const rows = await system.read<{ number: string }>(
    'orders',
    `SELECT number FROM unnest($1::text[]) AS number
     WHERE NOT EXISTS (SELECT FROM payments WHERE order_number = number)`,
    [orderNumbers],
  )
  return rows.map(({ number }) => number)
}

export async function countCards(system: DoomedSystem): Promise<number> {
  const [row] = await system.read<{ count: number }>(
    'vault',
    "SELECT count(*) AS count FROM cards WHERE kind = 'card'",
  )
  return row?.count ?? 0
}
