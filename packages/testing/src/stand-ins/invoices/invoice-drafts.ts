import { DomainError, notFound } from '@cofre/platform/errors'
import {
  EmailKind,
  Invoice,
  InvoiceCharge,
  InvoiceChargeStatus,
  InvoiceEmail,
  InvoiceStatus,
  CreateInvoiceRequest,
  type GetInvoiceRequest,
  type InvoiceLetter,
  type InvoiceSums,
  type GetLatestChargeRequest,
  type ListInvoicesRequest,
  type ReplaceInvoiceRequest,
  type SendInvoiceEmailRequest,
  type SumInvoiceRequest,
} from '@cofre/proto/invoices/v1/invoices'
import type { Marks } from '../marks'

const MADE_AT = 1_767_225_600_000
const PUBLIC_ID = '4fJz1Qm8Tn2bYw0c7Rk5Xg'

type Asked = {
  create: CreateInvoiceRequest[]
  list: ListInvoicesRequest[]
  email: SendInvoiceEmailRequest[]
}

/** Invoices in memory. */
export function createDrafts(marks: Marks) {
  const invoices = new Map<number, Invoice>()
  const asked: Asked = { create: [], list: [], email: [] }
  const find = ({ sellerId, invoiceId }: GetInvoiceRequest) => {
    const found = invoices.get(invoiceId)
    if (found?.sellerId !== sellerId) throw notFound()
    return found
  }
  const keep = (invoice: Invoice) => {
    invoices.set(invoice.id, invoice)
    return invoice
  }
  const move = (request: GetInvoiceRequest, status: InvoiceStatus) => {
    const invoice = find(request)
    return marks.once(request.sellerId, Invoice, () => {
      if (invoice.status === InvoiceStatus.CANCELLED) throw invalidState()
      return keep({ ...invoice, status })
    })
  }
  const close = (invoice: Invoice) => {
    const closed = { status: InvoiceStatus.CLOSED, closeDate: MADE_AT, charge: newCharge(invoice) }
    return { ...keep({ ...invoice, ...closed }), ...closed }
  }
  const answers = {
    createInvoice: async (request: CreateInvoiceRequest) => {
      asked.create.push(request)
      return marks.once(request.sellerId, Invoice, () => {
        const draft = keep(newInvoice(invoices.size + 1, request))
        return request.finalize ? close(draft) : draft
      })
    },
    replaceInvoice: async (request: ReplaceInvoiceRequest) => {
      const invoice = find(request)
      return marks.once(request.sellerId, Invoice, () => keep(replaced(invoice, request)))
    },
    sumInvoice: async (request: SumInvoiceRequest) => sumsOf(request),
    getInvoice: async (request: GetInvoiceRequest) => find(request),
    listInvoices: async (request: ListInvoicesRequest) => {
      asked.list.push(request)
      const entries = matching(invoices, request)
        .reverse()
        .map((invoice) => ({ ...invoice, items: [], charge: undefined }))
      const [from, to] = [request.page * request.size, (request.page + 1) * request.size]
      const end = { total: entries.length, totalIsLowerBound: false, more: entries.length > to }
      return { invoices: entries.slice(from, to), ...end }
    },
    exportInvoices: async (request: ListInvoicesRequest) => {
      asked.list.push(request)
      return exported(invoices, request)
    },
    finalizeInvoice: async (request: GetInvoiceRequest) => {
      const invoice = find(request)
      return marks.once(request.sellerId, InvoiceCharge, () => {
        if (invoice.status !== InvoiceStatus.OPEN) throw invalidState()
        return close(invoice).charge
      })
    },
    voidInvoice: (request: GetInvoiceRequest) => move(request, InvoiceStatus.CANCELLED),
    markUncollectible: (request: GetInvoiceRequest) => move(request, InvoiceStatus.UNCOLLECTIBLE),
    getLatestCharge: async (request: GetLatestChargeRequest) => latestCharge(invoices, request),
    writeInvoiceLetter: async (request: SendInvoiceEmailRequest) => letterOf(find(request), request),
    sendInvoiceEmail: async (request: SendInvoiceEmailRequest) => {
      asked.email.push(request)
      const invoice = find(request)
      return marks.once(request.sellerId, InvoiceEmail, () => newEmail(invoice, request))
    },
  }
  return { answers, invoices, asked }
}

function exported(
  invoices: ReadonlyMap<number, Invoice>,
  { sellerId, size, after = Infinity, at = MADE_AT }: ListInvoicesRequest,
) {
  const following = [...invoices.values()].filter((each) => each.sellerId === sellerId && each.id < after)
  return { invoices: following.reverse().slice(0, size), more: following.length > size, at }
}

function latestCharge(
  invoices: ReadonlyMap<number, Invoice>,
  { sellerId, invoiceId, invoiceNumber }: GetLatestChargeRequest,
): InvoiceCharge {
  const found = [...invoices.values()].find(
    (each) => each.sellerId === sellerId && (each.id === invoiceId || each.invoiceNumber === invoiceNumber),
  )
  if (!found?.charge) throw notFound()
  return found.charge
}

function newInvoice(id: number, { customerId, items, ...request }: CreateInvoiceRequest): Invoice {
  const kept = items.map((item, at) => ({
    ...item,
    id: at + 1,
    description: 'Consultoria',
    totalInCents: item.quantity * item.unitPriceInCents,
  }))
  const amount = kept.reduce((sum, { totalInCents }) => sum + totalInCents, 0)
  return Invoice.fromPartial({
    ...request,
    id,
    status: InvoiceStatus.OPEN,
    invoiceNumber: request.invoiceNumber ?? String(id).padStart(6, '0'),
    customer: { id: customerId, name: 'Ana Souza', document: '12345678909', email: 'ana@example.com' },
    items: kept,
    amount,
    payableAmount: amount,
    publicId: PUBLIC_ID,
    createdAt: MADE_AT + id,
    updatedAt: MADE_AT + id,
  })
}

function replaced(
  invoice: Invoice,
  { invoiceId, invoice: given, updatedAt }: ReplaceInvoiceRequest,
): Invoice {
  if (invoice.status !== InvoiceStatus.OPEN) throw invalidState()
  if (updatedAt !== undefined && updatedAt !== invoice.updatedAt) throw changed()
  const { sellerId, customer, invoiceNumber, createdAt } = invoice
  const made = newInvoice(invoiceId, given ?? CreateInvoiceRequest.fromPartial({}))
  return { ...made, sellerId, customer, invoiceNumber, createdAt, updatedAt: invoice.updatedAt + 1 }
}

/** Without discounts. */
function sumsOf({ items }: SumInvoiceRequest): InvoiceSums {
  const amount = items.reduce((sum, item) => sum + item.quantity * item.unitPriceInCents, 0)
  return { amount, discountAmount: 0, discountUntil: undefined, payableAmount: amount }
}

function letterOf(
  { customer, invoiceNumber, status }: Invoice,
  { language }: SendInvoiceEmailRequest,
): InvoiceLetter {
  if (status === InvoiceStatus.CANCELLED) throw invalidState()
  const subject = `Fatura ${invoiceNumber}`
  const html = `<!doctype html><title>${subject}</title><p>${subject}</p>`
  return { to: customer?.email ?? '', language, subject, html, text: subject }
}

function newCharge({ id: invoiceId, sellerId, amount }: Invoice): InvoiceCharge {
  const status = InvoiceChargeStatus.PENDING
  return InvoiceCharge.fromPartial({ id: 30 + invoiceId, sellerId, invoiceId, status, amount })
}

function newEmail(
  { id: invoiceId, status, customer }: Invoice,
  { language }: SendInvoiceEmailRequest,
): InvoiceEmail {
  if (status === InvoiceStatus.CANCELLED) throw invalidState()
  const kind = status === InvoiceStatus.PAID ? EmailKind.RECEIPT : EmailKind.ISSUED
  return { invoiceId, kind, to: customer?.email ?? '', language, createdAt: MADE_AT }
}

function invalidState(): DomainError {
  const members = { currentStatus: 'CLOSED', allowedActions: ['pay', 'void', 'uncollectible'] }
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', 'It is not OPEN.', { members })
}

function changed(): DomainError {
  return new DomainError('conflict', 'INVOICE_CHANGED', 'Somebody changed the invoice since you read it.')
}

function matching(
  invoices: ReadonlyMap<number, Invoice>,
  { sellerId, invoiceNumber, document, unreachable }: ListInvoicesRequest,
): Invoice[] {
  return [...invoices.values()]
    .filter((each) => each.sellerId === sellerId)
    .filter((each) => invoiceNumber === undefined || each.invoiceNumber === invoiceNumber)
    .filter(({ customer }) => document === undefined || customer?.document === document)
    .filter((each) => unreachable === undefined || isUnreached(each) === unreachable)
}

function isUnreached({ warnings }: Invoice): boolean {
  return warnings.some(({ code }) => code.startsWith('NOBODY_TO_'))
}
