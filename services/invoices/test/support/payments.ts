import { callRepeatable } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Invoice, InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { type Charge, ChargeStatus, DeclineAdvice, TransactionStatus } from '@cofre/proto/orders/v1/orders'
import { CardSource, SealedCard } from '@cofre/proto/vault/v1/vault'
import { resolvePending, takePending } from '../../src/cards/resolve-payments'
import type { TestInvoices } from './start-invoices'

type Service = Pick<TestInvoices, 'payments'>

export const PAN = '4111111111111111'

/** Makes the orders service answer at once and charge each request. */
export function answerAsUsual({ behind }: Pick<TestInvoices, 'behind'>): void {
  const { hooks } = behind.orders
  hooks.before = async () => {}
  hooks.after = async () => {}
  hooks.outcome = (charge) => charge
}

/** A card as the gateway passes it on. A handle of the stand-in is the card's number. */
export function sealed(changes: Partial<SealedCard> = {}): SealedCard {
  const card = { bin: '411111', lastFour: '1111', brand: 'VISA' }
  const found = { pointer: '#/card', handle: PAN, source: CardSource.CARD, usable: true, card }
  return SealedCard.fromPartial({ ...found, ...changes })
}

/** Pays at once, with a card in the body unless `changes` names another. */
export function payAgain(
  { payments }: Service,
  { sellerId, id: invoiceId }: Pick<Invoice, 'sellerId' | 'id'>,
  changes: Partial<PayByCardRequest> = {},
): Promise<Replayable<InvoiceCharge>> {
  const named = 'cardId' in changes || 'cardToken' in changes || 'networkToken' in changes
  const source = named ? {} : { card: sealed() }
  const request = PayByCardRequest.fromPartial({
    sellerId,
    invoiceId,
    installments: 1,
    ...source,
    ...changes,
  } as PayByCardRequest)
  return callRepeatable(payments, payments.payByCard, request)
}

export async function pay(...args: Parameters<typeof payAgain>): Promise<InvoiceCharge> {
  const { response } = await payAgain(...args)
  return response
}

const DECLINE = {
  code: 'INSUFFICIENT_FUNDS',
  acquirerCode: '51',
  message: 'Insufficient funds.',
  retryable: true,
  advice: DeclineAdvice.TRY_LATER,
  adviceCode: '',
}

/** The acquirer's outcomes of a new charge. */
export const declines = (charge: Charge): Charge => ({
  ...charge,
  status: ChargeStatus.DENIED,
  capturedAmount: 0,
  payments: charge.payments.map((payment) => ({ ...payment, decline: DECLINE })),
})
export const staysSilent = (charge: Charge): Charge => ({
  ...charge,
  status: ChargeStatus.PENDING,
  capturedAmount: 0,
})
export const captures = (charge: Charge): Charge => ({
  ...charge,
  status: ChargeStatus.CAPTURED,
  capturedAmount: charge.amount,
  transactions: charge.transactions.map((each) => ({ ...each, status: TransactionStatus.SUCCEEDED })),
})
/** Authorized, and never captured. */
export const holds = (charge: Charge): Charge => ({
  ...charge,
  status: ChargeStatus.AUTHORIZED,
  capturedAmount: 0,
})

/** The only charge that the orders service has made for an invoice; `change` replaces it. */
export function chargeOf(
  { behind }: Pick<TestInvoices, 'behind'>,
  { sellerId, invoiceNumber }: Invoice,
  change: (charge: Charge) => Charge = (charge) => charge,
): Charge {
  const made = [...behind.orders.charges.values()].filter(
    (each) => each.sellerId === sellerId && each.orderReference === invoiceNumber,
  )
  const [charge] = made
  if (!charge || made.length > 1) throw new Error(`the invoice has ${made.length} charges`)
  behind.orders.charges.set(charge.id, change(charge))
  return change(charge)
}

/** Lets so much time pass for all waiting payments. */
export async function passTime({ pool }: Pick<TestInvoices, 'pool'>, ms: number): Promise<void> {
  await pool.query(
    `UPDATE invoice_transactions SET ask_at = ask_at - $1 * interval '1 ms',
       dispatch_deadline = dispatch_deadline - $1 * interval '1 ms'
     WHERE ask_at IS NOT NULL`,
    [ms],
  )
}

/** Runs one turn of the sweeper, a minute later unless `ms` says otherwise. */
export async function resolveLater({ deps, pool }: TestInvoices, ms = 60_000): Promise<void> {
  await passTime({ pool }, ms)
  const due = await takePending(deps, 100)
  await Promise.all(due.map((key) => resolvePending(deps, key)))
}

/** Lets the last request for an invoice reach the orders service after a long delay. */
export async function arriveLate(
  { behind, deps, pool }: Pick<TestInvoices, 'behind' | 'deps' | 'pool'>,
  { id }: Pick<Invoice, 'id'>,
): Promise<void> {
  const { hooks, asked } = behind.orders
  hooks.before = async () => {}
  const { rows } = await pool.query(
    'SELECT operation_id AS "operationId" FROM invoice_transactions WHERE invoice_id = $1',
    [id],
  )
  const request = asked.authorize.at(-1)
  if (!request) throw new Error('nothing was asked of the orders service')
  await deps.orders.charge(request, rows[0].operationId, Date.now() + 20_000)
}

export async function eventsSent({ pool }: Pick<TestInvoices, 'pool'>, { id }: Invoice): Promise<string[]> {
  const { rows } = await pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(id)])
  return rows.map(({ type }) => type)
}

export async function receiptsOf({ pool }: Pick<TestInvoices, 'pool'>, { id }: Invoice): Promise<number> {
  const { rows } = await pool.query(`SELECT FROM emails WHERE invoice_id = $1 AND cause = 'receipt'`, [id])
  return rows.length
}
