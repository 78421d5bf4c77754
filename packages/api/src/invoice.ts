import {
  InvoiceChargeStatus,
  InvoiceStatus,
  InvoiceTransactionStatus,
  MovementMethod,
  type Invoice,
  type InvoiceCharge,
  type InvoiceTransaction,
} from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { automaticChargeSchema, presentAutomaticCharge } from './automatic-charge'
import { authenticationSchema, declineSchema, presentAuthentication, presentDecline } from './charge'
import { ENTRY_EXAMPLE, INVOICE_EXAMPLE } from './invoice-example'
import { discountSchema, fineSchema, interestSchema, presentDiscount, splitSchema } from './invoice-terms'
import { acceptedMethodSchema, movementMethod, paymentMethod, presentMethod } from './methods/payment-methods'
import { cents, enumNames, epochMs } from './schema'
import { warningSchema } from './warning'

export const invoiceStatus = enumNames('InvoiceStatus', InvoiceStatus)
const chargeStatus = enumNames('InvoiceChargeStatus', InvoiceChargeStatus)
const transactionStatus = enumNames('InvoiceTransactionStatus', InvoiceTransactionStatus)

const nullableEpochMs = () => epochMs().nullable()

const transactionSchema = z
  .object({
    id: z.int(),
    type: paymentMethod.schema,
    status: transactionStatus.schema.meta({
      description: 'PENDING: the outcome is not known yet. Cofre keeps asking for it.',
    }),
    amountInCents: cents().meta({
      description: 'What the payer pays. With feePassThrough, it includes the card fee.',
    }),
    chargeId: z.int().nullable().meta({ description: 'The card charge: GET /api/v2/charges/{id}.' }),
    decline: declineSchema.nullable(),
    failure: z
      .object({
        code: z.string().meta({
          description:
            'NOT_SENT, CARD_UNUSABLE, TOO_MANY_ATTEMPTS, REFUSED, CHARGE_FAILED or GIVEN_BACK. More may follow.',
        }),
        message: z.string(),
      })
      .meta({ id: 'InvoiceTransactionFailure' })
      .nullable()
      .meta({ description: 'Why it failed, where no issuer declined it.' }),
    authentication: authenticationSchema.nullable(),
    givingBack: z.boolean().meta({
      description:
        'True: the invoice could not take this payment, and Cofre is giving the money back. Once it is back, the transaction is FAILED with GIVEN_BACK.',
    }),
    createdAt: epochMs(),
  })
  .meta({ id: 'InvoiceTransaction', description: 'An attempt to pay.' })

/** The charge of a finalized invoice. */
export const invoiceChargeSchema = z
  .object({
    id: z.int().meta({
      description: 'Of the invoice’s own charge. A card charge has the id `chargeId` of a transaction.',
    }),
    invoiceId: z.int(),
    status: chargeStatus.schema,
    amountInCents: cents(),
    method: movementMethod.schema.nullable().meta({
      description:
        'How it was paid, at last. EXTERNAL: outside Cofre. null: not paid, or nothing was to be paid.',
    }),
    transactions: z.array(transactionSchema),
  })
  .meta({ id: 'InvoiceCharge', examples: [INVOICE_EXAMPLE.charge] })

const itemSchema = z
  .object({
    id: z.int().meta({ description: 'Unique within the invoice.' }),
    productId: z.int(),
    description: z.string().meta({ description: 'The name of the product when the invoice was made.' }),
    quantity: z.int(),
    unitPriceInCents: cents(),
    totalInCents: cents(),
  })
  .meta({ id: 'InvoiceItem' })

export const invoiceItemsSchema = z
  .array(itemSchema)
  .meta({ id: 'InvoiceItems', examples: [INVOICE_EXAMPLE.items] })

/** An invoice as an entry of a list. */
export const invoiceEntrySchema = z
  .object({
    id: z.int(),
    status: invoiceStatus.schema.meta({
      description: 'OPEN: a draft. CLOSED: finalized, awaits its payment.',
    }),
    invoiceNumber: z.string(),
    customer: z
      .object({ id: z.int(), name: z.string(), document: z.string(), email: z.string().nullable() })
      .meta({ id: 'InvoiceCustomer', description: 'As it was when the invoice was made.' }),
    dueDate: epochMs(),
    closeDate: nullableEpochMs().meta({ description: 'When it was finalized. Epoch milliseconds.' }),
    paymentDate: nullableEpochMs(),
    paymentLimitDate: nullableEpochMs(),
    pastDue: z.boolean().meta({
      description: 'The invoice is OPEN or CLOSED, and its last business day for payment has passed.',
    }),
    amountInCents: cents(),
    fineInCents: cents(),
    interestInCents: cents(),
    discountInCents: cents().meta({
      description: 'What payableInCents is less for a payment until discountUntil. Cents of BRL.',
    }),
    discountUntil: nullableEpochMs().meta({
      description: 'The last day of that discount, in America/Sao_Paulo. null: there is none now.',
    }),
    payableInCents: cents().meta({
      description:
        'The amount payable now. Fine and interest end where it reaches 99999999999. Cents of BRL.',
    }),
    paidInCents: cents(),
    refundedInCents: cents().meta({ description: 'What of the paid amount went back. Cents of BRL.' }),
    disputedInCents: cents().meta({
      description:
        'What card holders have taken back of the paid amount through their banks, at this moment. The invoice stays PAID: a dispute is no unpaid debt. Cents of BRL.',
    }),
    writtenOffInCents: cents().meta({ description: 'What you ask for no more. Cents of BRL.' }),
    balanceInCents: cents().meta({
      description: 'What is still owed of amountInCents. Fine and interest come on top. Cents of BRL.',
    }),
    partialPayments: z.boolean().meta({ description: 'Whether it takes less than the whole.' }),
    acceptedPaymentMethods: z.array(acceptedMethodSchema),
    splits: z.array(splitSchema),
    fine: fineSchema.nullable(),
    interest: interestSchema.nullable(),
    discounts: z.array(discountSchema),
    notificationUrl: z.string().nullable(),
    successUrl: z.string().nullable(),
    paymentUrl: z.url().meta({ description: 'Where the customer pays. Nobody can guess it.' }),
    recurringInvoiceId: z
      .int()
      .nullable()
      .meta({ description: 'The recurring invoice or booklet that made it.' }),
    cycle: z.int().nullable().meta({ description: 'The number of its cycle, from 1.' }),
    paymentLinkProductId: z.int().nullable().meta({
      description: 'The product by whose payment link it was bought. null: it was made another way.',
    }),
    warnings: z.array(warningSchema).meta({
      description:
        'What Cofre accepted and you may not intend: a fine above 2 %, interest above 1 % a month, a due date in the past, a split whose fixed amount is not covered yet. NOBODY_TO_MAIL, NOBODY_TO_CHARGE: the invoice of a recurring invoice reaches nobody, as things are now. The warning goes when the customer gets an e-mail address, or a card.',
    }),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'InvoiceEntry', examples: [ENTRY_EXAMPLE] })

/** An invoice as GET and every write show it, and `data` of its events. */
export const invoiceSchema = invoiceEntrySchema
  .extend({
    items: invoiceItemsSchema,
    charge: invoiceChargeSchema
      .nullable()
      .meta({ description: 'The latest charge. null before there is one.' }),
    transactions: z.array(transactionSchema).meta({ description: 'Attempts to pay, the oldest first.' }),
    automaticCharge: automaticChargeSchema.nullable().meta({
      description: 'The automatic charge of a stored card for this invoice. null: there is none.',
    }),
  })
  .meta({ id: 'Invoice', examples: [INVOICE_EXAMPLE] })

export type InvoiceEntryJson = z.output<typeof invoiceEntrySchema>
export type InvoiceJson = z.output<typeof invoiceSchema>

export function presentInvoice(invoice: Invoice, baseUrl: string): InvoiceJson {
  const { automaticCharge } = invoice
  const charge = invoice.charge ? presentInvoiceCharge(invoice.charge) : null
  return {
    ...presentInvoiceEntry(invoice, baseUrl),
    items: presentItems(invoice),
    charge,
    transactions: charge?.transactions ?? [],
    automaticCharge: automaticCharge
      ? presentAutomaticCharge(automaticCharge, invoice.charge?.transactions ?? [])
      : null,
  }
}

export function presentItems({ items }: Invoice): InvoiceJson['items'] {
  return items.map((item) => ({ ...item }))
}

/** The URL of the page on which an invoice is paid. */
export function paymentUrlOf({ publicId }: Invoice, baseUrl: string): string {
  return `${baseUrl}/checkout/${publicId}`
}

export function presentInvoiceEntry(invoice: Invoice, baseUrl: string): InvoiceEntryJson {
  const { customer, fine, interest } = invoice
  if (!customer) throw new Error('an invoice was answered without its customer')
  return {
    id: invoice.id,
    status: invoiceStatus.nameOf(invoice.status),
    invoiceNumber: invoice.invoiceNumber,
    customer: { ...customer, email: customer.email || null },
    dueDate: invoice.dueDate,
    closeDate: invoice.closeDate ?? null,
    paymentDate: invoice.paymentDate ?? null,
    paymentLimitDate: invoice.paymentLimitDate ?? null,
    pastDue: invoice.pastDue,
    amountInCents: invoice.amount,
    fineInCents: invoice.fineAmount,
    interestInCents: invoice.interestAmount,
    discountInCents: invoice.discountAmount,
    discountUntil: invoice.discountUntil ?? null,
    payableInCents: invoice.payableAmount,
    paidInCents: invoice.paidAmount,
    refundedInCents: invoice.refundedAmount,
    disputedInCents: invoice.disputedAmount,
    writtenOffInCents: invoice.writtenOffAmount,
    balanceInCents: invoice.balanceAmount,
    partialPayments: invoice.partialPayments,
    acceptedPaymentMethods: invoice.acceptedMethods.map(presentMethod),
    splits: invoice.splits.map((split) => ({ ...split })),
    fine: fine ? { ...fine } : null,
    interest: interest ? { ...interest } : null,
    discounts: invoice.discounts.map(presentDiscount),
    notificationUrl: invoice.notificationUrl || null,
    successUrl: invoice.successUrl || null,
    paymentUrl: paymentUrlOf(invoice, baseUrl),
    recurringInvoiceId: invoice.recurringInvoiceId ?? null,
    cycle: invoice.cycle ?? null,
    paymentLinkProductId: invoice.paymentLinkProductId ?? null,
    warnings: invoice.warnings.map((warning) => ({ ...warning })),
    createdAt: invoice.createdAt,
    updatedAt: invoice.updatedAt,
  }
}

export function presentInvoiceCharge(charge: InvoiceCharge): z.output<typeof invoiceChargeSchema> {
  const { id, invoiceId, status, amount, method, transactions } = charge
  return {
    id,
    invoiceId,
    status: chargeStatus.nameOf(status),
    amountInCents: amount,
    method: method === MovementMethod.UNSPECIFIED ? null : movementMethod.nameOf(method),
    transactions: transactions.map(presentTransaction),
  }
}

function presentTransaction(transaction: InvoiceTransaction): z.output<typeof transactionSchema> {
  const { id, type, status, amount, chargeId, decline, failure, authentication, createdAt } = transaction
  return {
    id,
    type: paymentMethod.nameOf(type),
    status: transactionStatus.nameOf(status),
    amountInCents: amount,
    chargeId: chargeId === 0 ? null : chargeId,
    decline: decline ? presentDecline(decline) : null,
    failure: failure ? { code: failure.code, message: failure.message } : null,
    authentication: presentAuthentication(authentication),
    givingBack: transaction.givingBack,
    createdAt,
  }
}
