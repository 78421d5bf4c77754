import {
  BillingFrequency,
  CollectionMethod,
  OnPaymentFailure,
  RecurringInvoiceKind,
  RecurringInvoiceStatus,
  type InvoiceTerms,
  type RecurringInvoice,
  type RecurringInvoiceEvent,
  type RecurringItem,
  type Schedule,
} from '@cofre/proto/invoices/v1/recurring'
import { z } from 'zod'
import { permissionSchema, presentPermission } from './methods/pix-automatic'
import { emailLanguageSchema, presentEmailLanguage } from './invoice-email'
import { discountSchema, fineSchema, interestSchema, presentDiscount, splitSchema } from './invoice-terms'
import { acceptedMethodSchema, presentMethod } from './methods/payment-methods'
import { RECURRING_ENTRY_EXAMPLE, RECURRING_EXAMPLE } from './recurring/recurring-example'
import { cents, enumNames, epochMs } from './schema'
import { warningSchema } from './warning'

export const recurringKind = enumNames('RecurringInvoiceKind', RecurringInvoiceKind)
export const recurringStatus = enumNames('RecurringInvoiceStatus', RecurringInvoiceStatus)
export const billingFrequency = enumNames('BillingFrequency', BillingFrequency)
export const collectionMethod = enumNames('CollectionMethod', CollectionMethod)
export const onPaymentFailure = enumNames('OnPaymentFailure', OnPaymentFailure)

const itemFields = {
  id: z.int(),
  productId: z.int(),
  description: z
    .string()
    .meta({ description: 'The name of the product when the recurring invoice was made.' }),
  quantity: z.int(),
  unitPriceInCents: cents(),
}
const itemSchema = z.object(itemFields).meta({ id: 'RecurringItem' })
const extraItemSchema = z
  .object({ ...itemFields, cycle: z.int().meta({ description: 'The cycle that it is billed in, from 1.' }) })
  .meta({ id: 'ExtraItem' })

/** A recurring invoice as an entry of a list. */
export const recurringEntrySchema = z
  .object({
    id: z.int(),
    status: recurringStatus.schema.meta({
      description:
        'PAUSED: no cycle is billed until it is resumed. FINISHED: a booklet, all of whose invoices are made. CANCELLED: no cycle is billed, and no card is charged for its invoices.',
    }),
    kind: recurringKind.schema.meta({ description: 'BOOKLET: its invoices are all made at once.' }),
    customerId: z.int(),
    customerDocument: z.string().meta({
      description: 'As it was when the recurring invoice was made. CPF or CNPJ, without punctuation.',
    }),
    customerName: z
      .string()
      .nullable()
      .meta({ description: 'As the customer is called now. null: the customer was deleted.' }),
    amountInCents: cents().meta({
      description: 'What each cycle bills: the sum of the items of every cycle, without extra items.',
    }),
    billingFrequency: billingFrequency.schema,
    collectionMethod: collectionMethod.schema.meta({
      description:
        'CHARGE_AUTOMATICALLY: a stored card is charged on the due date, or Pix Automático collects the invoice. SEND_INVOICE: the customer gets an e-mail.',
    }),
    orderReference: z.string().nullable(),
    daysUntilDue: z
      .int()
      .meta({ description: 'The number of days from the cycle day to the due date of its invoice.' }),
    billingCycleStartDate: epochMs().meta({
      description:
        'The day from which the cycles are counted: the first cycle’s, or the nextCycleDate that a change has set. Epoch milliseconds.',
    }),
    isBillingCycleStartDateOverridden: z
      .boolean()
      .meta({ description: 'Whether the request kept a start date in the past.' }),
    nextCycleDate: epochMs()
      .nullable()
      .meta({ description: 'The day on which the next invoice is made. null when no cycle follows.' }),
    nextCycleDueDate: epochMs()
      .nullable()
      .meta({ description: 'When the next invoice will be due. null when no cycle follows.' }),
    cyclesBilled: z.int().meta({ description: 'The number of invoices created so far.' }),
    chargesByBooklet: z
      .int()
      .nullable()
      .meta({ description: 'The number of invoices of a booklet. null: not a booklet.' }),
    cardId: z.int().nullable().meta({
      description:
        'The stored card that you named, charged unless the customer has kept another since. null: the card that the customer stored.',
    }),
    onPaymentFailure: onPaymentFailure.schema.meta({
      description: 'What happens to an invoice after its last automatic charge failed.',
    }),
    cardPaysFineAndInterest: z.boolean().meta({
      description:
        'Whether an automatic charge asks for fine and interest too. false: it asks for the agreed amount, and fine and interest start after the days on which a card is tried again.',
    }),
    language: emailLanguageSchema.meta({
      description: 'The language of the e-mails that the customer gets.',
    }),
    acceptedPaymentMethods: z.array(acceptedMethodSchema),
    partialPayments: z.boolean(),
    splits: z.array(splitSchema),
    fine: fineSchema.nullable(),
    interest: interestSchema.nullable(),
    discounts: z.array(discountSchema),
    notificationUrl: z.string().nullable(),
    warnings: z.array(warningSchema).meta({
      description:
        'NOBODY_TO_MAIL: the customer has no e-mail address, so no letter leaves. NOBODY_TO_CHARGE: the customer has neither an e-mail address nor a card or a permission of Pix Automático. Each goes when the customer gets one. CARD_FAILS: for an open invoice the card was declined or cannot be charged; it is tried again, or the customer has to pay or keep another. CARD_GIVEN_UP: no card is tried any more for an open invoice. Not while it is paused.',
    }),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({
    id: 'RecurringInvoiceEntry',
    description: 'A recurring invoice without its items.',
    examples: [RECURRING_ENTRY_EXAMPLE],
  })

export const recurringSchema = recurringEntrySchema
  .extend({
    recurringItems: z
      .array(itemSchema)
      .meta({ description: 'The items of each invoice. For a booklet: only its recurringItem.' }),
    extraItems: z.array(extraItemSchema),
    recurringItem: itemSchema
      .nullable()
      .meta({ description: 'The item of each invoice of a booklet. null: not a booklet.' }),
    nextCardId: z.int().optional().meta({
      description:
        'The stored card that is charged next: the one that was chosen last, by you or by the customer. In the answer to a read or a change. Absent: no card.',
    }),
    pixPermission: permissionSchema.optional().meta({
      description:
        'The newest permission to collect by Pix Automático, in the answer to a read and in its events. Absent where none was asked for.',
    }),
  })
  .meta({
    id: 'RecurringInvoice',
    description: 'What a customer is billed for at regular intervals.',
    examples: [RECURRING_EXAMPLE],
  })

/** The data of a recurring invoice's event. */
export const recurringEventSchema = recurringSchema
  .extend({
    invoiceId: z.int().optional().meta({ description: 'With cycle_billed: the invoice that was made.' }),
    cycle: z.int().optional().meta({ description: 'With cycle_billed: the number of the cycle, from 1.' }),
    changedFields: z
      .array(z.string())
      .optional()
      .meta({ description: 'With updated: the members that changed.' }),
  })
  .meta({ id: 'RecurringInvoiceEventData', examples: [{ ...RECURRING_EXAMPLE, invoiceId: 77, cycle: 1 }] })

type EntryJson = z.output<typeof recurringEntrySchema>
export type RecurringJson = z.output<typeof recurringSchema>

export function presentRecurring(recurring: RecurringInvoice): RecurringJson {
  const ofEach = recurring.items.filter(({ cycle }) => cycle === undefined)
  const [first] = ofEach
  const extra = recurring.items.filter(({ cycle }) => cycle !== undefined)
  return {
    ...presentRecurringEntry(recurring),
    recurringItems: ofEach.map(presentItem),
    extraItems: extra.map((item) => ({ ...presentItem(item), cycle: item.cycle ?? 0 })),
    recurringItem: recurring.kind === RecurringInvoiceKind.BOOKLET && first ? presentItem(first) : null,
    ...(recurring.nextCardId !== undefined && { nextCardId: recurring.nextCardId }),
    ...(recurring.pixPermission && { pixPermission: presentPermission(recurring.pixPermission) }),
  }
}

function presentItem({ cycle: _cycle, ...item }: RecurringItem) {
  return item
}

export function presentRecurringEntry(recurring: RecurringInvoice): EntryJson {
  return {
    id: recurring.id,
    status: recurringStatus.nameOf(recurring.status),
    kind: recurringKind.nameOf(recurring.kind),
    customerId: recurring.customerId,
    customerDocument: recurring.customerDocument,
    customerName: recurring.customerName || null,
    amountInCents: recurring.amount,
    billingFrequency: billingFrequency.nameOf(recurring.frequency),
    collectionMethod: collectionMethod.nameOf(recurring.collectionMethod),
    orderReference: recurring.orderReference || null,
    daysUntilDue: recurring.daysUntilDue,
    billingCycleStartDate: recurring.billingCycleStartDate,
    isBillingCycleStartDateOverridden: recurring.startDateOverridden,
    nextCycleDate: recurring.nextCycleDate ?? null,
    nextCycleDueDate: recurring.nextCycleDueDate ?? null,
    cyclesBilled: recurring.cyclesBilled,
    chargesByBooklet: recurring.charges ?? null,
    cardId: recurring.cardId ?? null,
    onPaymentFailure: onPaymentFailure.nameOf(recurring.onPaymentFailure),
    cardPaysFineAndInterest: recurring.cardPaysFineAndInterest,
    language: presentEmailLanguage(recurring.language),
    ...presentTerms(recurring.terms),
    warnings: recurring.warnings.map((warning) => ({ ...warning })),
    createdAt: recurring.createdAt,
    updatedAt: recurring.updatedAt,
  }
}

function presentTerms(terms: InvoiceTerms | undefined) {
  if (!terms) throw new Error('a recurring invoice was answered without its terms')
  const { acceptedMethods, partialPayments, splits, fine, interest, discounts, notificationUrl } = terms
  return {
    acceptedPaymentMethods: acceptedMethods.map(presentMethod),
    partialPayments,
    splits: splits.map((split) => ({ ...split })),
    fine: fine ? { ...fine } : null,
    interest: interest ? { ...interest } : null,
    discounts: discounts.map(presentDiscount),
    notificationUrl: notificationUrl || null,
  }
}

/** The event data of a recurring invoice, as it was right after the change. */
export function presentRecurringEvent({
  recurringInvoice,
  invoiceId,
  cycle,
  changedFields,
}: RecurringInvoiceEvent): z.output<typeof recurringEventSchema> {
  if (!recurringInvoice) throw new Error('an event without its recurring invoice')
  return {
    ...presentRecurring(recurringInvoice),
    ...(invoiceId === undefined ? {} : { invoiceId, cycle }),
    ...(changedFields.length > 0 && { changedFields }),
  }
}

const cycleSchema = z
  .object({
    cycle: z.int().meta({ description: 'The number of the cycle, from 1. Only billed cycles count.' }),
    date: epochMs().meta({ description: 'The day on which its invoice is made. Epoch milliseconds.' }),
    dueDate: epochMs(),
    amountInCents: cents(),
  })
  .meta({ id: 'NextCycle' })

/** The state of a recurring invoice, and its next cycles. */
export const scheduleSchema = z
  .object({
    recurringInvoiceId: z.int(),
    status: recurringStatus.schema,
    billingFrequency: billingFrequency.schema,
    cyclesBilled: z.int(),
    nextCycles: z
      .array(cycleSchema)
      .meta({ description: 'The next 12 cycles. Empty when no cycle follows.' }),
  })
  .meta({
    id: 'RecurringInvoiceSchedule',
    examples: [
      {
        recurringInvoiceId: 12,
        status: 'ACTIVE',
        billingFrequency: 'MONTHLY',
        cyclesBilled: 1,
        nextCycles: [{ cycle: 2, date: 1_803_783_600_000, dueDate: 1_804_215_600_000, amountInCents: 9_900 }],
      },
    ],
  })

export function presentSchedule({
  recurringInvoice: recurring,
  nextCycles,
}: Schedule): z.output<typeof scheduleSchema> {
  if (!recurring) throw new Error('a schedule without its recurring invoice')
  return {
    recurringInvoiceId: recurring.id,
    status: recurringStatus.nameOf(recurring.status),
    billingFrequency: billingFrequency.nameOf(recurring.frequency),
    cyclesBilled: recurring.cyclesBilled,
    nextCycles: nextCycles.map(({ amount: amountInCents, ...cycle }) => ({ ...cycle, amountInCents })),
  }
}
