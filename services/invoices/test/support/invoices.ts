import { dayOf } from '@cofre/platform/calendar-day'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  CreateInvoiceRequest,
  type GetInvoiceRequest,
  type Invoice,
  type InvoiceCharge,
} from '@cofre/proto/invoices/v1/invoices'
import type { Recipient, RecipientFields } from '@cofre/proto/invoices/v1/recipients'
import { lateDayOf } from '../../src/invoice/rules/lateness'
import { createCustomer } from './customers'
import { createProduct } from './products'
import { newSeller, type TestInvoices } from './start-invoices'

type Service = Pick<TestInvoices, 'client'>

export const DAY_MS = 86_400_000

/** A seller with a customer and a product. */
export type Shop = { sellerId: number; customerId: number; productId: number }

export async function newShop(
  invoices: Pick<TestInvoices, 'customers' | 'products'>,
  sellerId = newSeller(),
): Promise<Shop> {
  const { id: customerId } = await createCustomer(invoices, sellerId)
  const { id: productId } = await createProduct(invoices, sellerId)
  return { sellerId, customerId, productId }
}

export const PARTNER: RecipientFields = { name: 'Ateliê da Ana', document: '12345678909', reference: '' }

export function createRecipient(
  { recipients }: Pick<TestInvoices, 'recipients'>,
  sellerId: number,
  changes: Partial<RecipientFields> = {},
): Promise<Recipient> {
  return callRpc(recipients, recipients.createRecipient, { sellerId, fields: { ...PARTNER, ...changes } })
}

/** Two mugs, 99.80 in all, due in ten days, with `changes`. */
export function invoiceFor(
  { sellerId, customerId, productId }: Shop,
  changes: Partial<CreateInvoiceRequest> = {},
): CreateInvoiceRequest {
  return CreateInvoiceRequest.fromPartial({
    sellerId,
    customerId,
    dueDate: Date.now() + 10 * DAY_MS,
    items: [{ productId, quantity: 2, unitPriceInCents: 4_990 }],
    ...changes,
  })
}

export function create({ client }: Service, request: CreateInvoiceRequest): Promise<Invoice> {
  return callRpc(client, client.createInvoice, request)
}

export function createAgain(
  { client }: Service,
  request: CreateInvoiceRequest,
): Promise<Replayable<Invoice>> {
  return callRepeatable(client, client.createInvoice, request)
}

const keyOf = ({ sellerId, id }: Pick<Invoice, 'sellerId' | 'id'>): GetInvoiceRequest => ({
  sellerId,
  invoiceId: id,
})

export function get({ client }: Service, invoice: Pick<Invoice, 'sellerId' | 'id'>): Promise<Invoice> {
  return callRpc(client, client.getInvoice, keyOf(invoice))
}

export function finalize({ client }: Service, invoice: Invoice): Promise<InvoiceCharge> {
  return callRpc(client, client.finalizeInvoice, keyOf(invoice))
}

export function finalizeAgain({ client }: Service, invoice: Invoice): Promise<Replayable<InvoiceCharge>> {
  return callRepeatable(client, client.finalizeInvoice, keyOf(invoice))
}

export function voidInvoice({ client }: Service, invoice: Invoice): Promise<Invoice> {
  return callRpc(client, client.voidInvoice, keyOf(invoice))
}

export function uncollectible({ client }: Service, invoice: Invoice): Promise<Invoice> {
  return callRpc(client, client.markUncollectible, keyOf(invoice))
}

export function latestCharge({ client }: Service, { sellerId, id }: Invoice): Promise<InvoiceCharge> {
  return callRpc(client, client.getLatestCharge, { sellerId, invoiceId: id, invoiceNumber: undefined })
}

export function latestChargeByNumber(
  { client }: Service,
  { sellerId, invoiceNumber }: Invoice,
): Promise<InvoiceCharge> {
  return callRpc(client, client.getLatestCharge, { sellerId, invoiceId: undefined, invoiceNumber })
}

/** As if an invoice with a past due date had been issued in time: it is late since then. */
export async function pretendInTime(
  { pool }: Pick<TestInvoices, 'pool'>,
  { id, dueDate }: Pick<Invoice, 'id' | 'dueDate'>,
): Promise<void> {
  const lateOn = lateDayOf(dayOf(dueDate))
  await pool.query('UPDATE invoices SET late_from = NULL, late_on = $2 WHERE id = $1', [id, lateOn])
}
