import { invoiceStatus } from '@cofre/api/invoice'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { day, documentCell, reais, textCell, type Columns } from '../csv/csv'

/** The columns of a file of invoices. */
export const INVOICE_COLUMNS: Columns<Invoice> = [
  ['id', ({ id }) => String(id)],
  ['invoiceNumber', ({ invoiceNumber }) => textCell(invoiceNumber)],
  ['status', ({ status }) => invoiceStatus.nameOf(status)],
  ['customerName', ({ customer }) => textCell(customer?.name ?? '')],
  ['customerDocument', ({ customer }) => documentCell(customer?.document ?? '')],
  ['dueDate', ({ dueDate }) => day(dueDate)],
  ['closeDate', ({ closeDate }) => day(closeDate)],
  ['paymentDate', ({ paymentDate }) => day(paymentDate)],
  ['amount', ({ amount }, dialect) => reais(amount, dialect)],
  ['fine', ({ fineAmount }, dialect) => reais(fineAmount, dialect)],
  ['interest', ({ interestAmount }, dialect) => reais(interestAmount, dialect)],
  ['discount', ({ discountAmount }, dialect) => reais(discountAmount, dialect)],
  ['payable', ({ payableAmount }, dialect) => reais(payableAmount, dialect)],
  ['paid', ({ paidAmount }, dialect) => reais(paidAmount, dialect)],
  ['refunded', ({ refundedAmount }, dialect) => reais(refundedAmount, dialect)],
  ['writtenOff', ({ writtenOffAmount }, dialect) => reais(writtenOffAmount, dialect)],
  ['balance', ({ balanceAmount }, dialect) => reais(balanceAmount, dialect)],
  ['disputed', ({ disputedAmount }, dialect) => reais(disputedAmount, dialect)],
]
