import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  BillingFrequency,
  CollectionMethod,
  CreateBookletRequest,
  type GeneratedBoleto,
  type GenerateBoletosResponse,
  type RecurringInvoice,
} from '@cofre/proto/invoices/v1/recurring'
import { newShop, type Shop } from './invoices'
import { AGREEMENT, type TestBoletos } from './start-boletos'

/** For a busy machine. */
const PATIENTLY = { timeoutMs: 60_000 }

/** A seller with a customer, a product, and an account at the bank. */
export async function shopAtBank(boletos: TestBoletos): Promise<Shop> {
  const shop = await newShop(boletos)
  boletos.accounts.enabled.set(shop.sellerId, AGREEMENT)
  return shop
}

/** Twelve months of 99.80, each due five days after its cycle day, with `changes`. */
export function bookletFor(
  { sellerId, customerId, productId }: Shop,
  changes: Partial<CreateBookletRequest> = {},
): CreateBookletRequest {
  return CreateBookletRequest.fromPartial({
    sellerId,
    customerId,
    daysUntilDue: 5,
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CollectionMethod.SEND_INVOICE,
    charges: 12,
    recurringItem: { productId, quantity: 2, unitPriceInCents: 4_990 },
    ...changes,
  })
}

export function createBookletAgain(
  { recurring }: Pick<TestBoletos, 'recurring'>,
  request: CreateBookletRequest,
): Promise<Replayable<RecurringInvoice>> {
  return callRepeatable(recurring, recurring.createBooklet, request, PATIENTLY)
}

export async function createBooklet(
  boletos: TestBoletos,
  request: CreateBookletRequest,
): Promise<RecurringInvoice> {
  return (await createBookletAgain(boletos, request)).response
}

type Known = Pick<RecurringInvoice, 'sellerId' | 'id'>

export function generateAgain(
  { recurring }: TestBoletos,
  { sellerId, id: recurringInvoiceId }: Known,
): Promise<Replayable<GenerateBoletosResponse>> {
  return callRepeatable(recurring, recurring.generateBoletos, { sellerId, recurringInvoiceId }, PATIENTLY)
}

export async function generate(boletos: TestBoletos, known: Known): Promise<GeneratedBoleto[]> {
  return (await generateAgain(boletos, known)).response.boletos
}

export async function pageOf({ recurring }: TestBoletos, { sellerId, id }: Known): Promise<string> {
  const request = { sellerId, recurringInvoiceId: id, sellerName: 'Padaria Sol' }
  return (await callRpc(recurring, recurring.drawBooklet, request)).html
}

export type SlipRow = { cycle: number; invoice: string; boleto: string | null; dueDay: string }

/** The invoices of a booklet by cycle, each with the state of its newest slip. */
export async function slipsOf({ pool }: TestBoletos, { id }: Known): Promise<SlipRow[]> {
  const { rows } = await pool.query<SlipRow>(
    `SELECT i.cycle, i.status AS invoice, (SELECT b.status FROM boletos b WHERE b.invoice_id = i.id
       ORDER BY b.id DESC LIMIT 1) AS boleto, (i.due_date AT TIME ZONE 'America/Sao_Paulo')::date::text AS "dueDay"
     FROM invoices i WHERE i.recurring_invoice_id = $1 ORDER BY i.cycle`,
    [id],
  )
  return rows
}
