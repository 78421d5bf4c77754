import type { FieldError } from '@cofre/platform/errors'
import { MAX_AMOUNT } from '@cofre/platform/money'
import { EmailLanguage, PaymentMethod, type NewItem } from '@cofre/proto/invoices/v1/invoices'
import {
  BillingFrequency,
  CollectionMethod,
  InvoiceTerms,
  OnPaymentFailure,
  type CreateRecurringInvoiceRequest,
  type ExtraItem,
} from '@cofre/proto/invoices/v1/recurring'
import { amountOf } from '../../invoice/rules/amount'
import { FREQUENCIES, type Frequency } from '../rules/frequency'
import { itemsOfCycle } from '../rules/cycle-invoice'
import type { RecurringInvoice, RecurringItem } from '../rules/recurring-invoice'
import type { GivenStart } from '../rules/schedule'
import {
  itemFaults,
  ITEMS_MAX,
  itemsOf,
  oneItemFaults,
  termsFaults,
  termsOf,
  within,
  type Terms,
} from '../../invoice/rpc/terms-request'
import { isPixFrequency } from '../../pix/rules/permission'
import { fault, throwFaults } from '../../request-check'
import { WITHOUT_PERIOD } from '../rules/new-permission'

/** An item before its product is known. */
export type AskedRecurringItem = Omit<RecurringItem, 'id' | 'description'>

/** A new recurring invoice as requested. Amounts in cents. */
export type RecurringRequest = Terms &
  Pick<
    RecurringInvoice,
    | 'frequency'
    | 'collectionMethod'
    | 'orderReference'
    | 'daysUntilDue'
    | 'firstDueDate'
    | 'cardId'
    | 'givesUp'
    | 'cardPaysFineAndInterest'
    | 'language'
    | 'sellerName'
  > & { start: GivenStart; items: readonly AskedRecurringItem[] }

const EXTRA_MAX = 500
const DAYS_UNTIL_DUE_MAX = 365
const CYCLE_MAX = 10_000
const REFERENCE_MAX = 255

/** The fields of recurring invoices and booklets for billing and collection. */
type Billing = Pick<
  CreateRecurringInvoiceRequest,
  | 'frequency'
  | 'collectionMethod'
  | 'daysUntilDue'
  | 'orderReference'
  | 'cardId'
  | 'onPaymentFailure'
  | 'cardPaysFineAndInterest'
  | 'language'
  | 'sellerName'
  | 'terms'
>

/** `takesPermission`: Pix Automático can collect it in place of a card. */
type Taking = { takesPermission: boolean }

/** Reads a request. INVALID_ARGUMENT VALIDATION_FAILED. */
export function readRequest(request: CreateRecurringInvoiceRequest): RecurringRequest {
  const { recurringItems, extraItems } = request
  const terms = request.terms ?? InvoiceTerms.fromPartial({})
  throwFaults([
    ...billingFaults({ ...request, takesPermission: true }),
    ...startFaults(request),
    ...itemFaults(recurringItems, '#/recurringItems', 1),
    ...extraFaults(extraItems),
    ...termsFaults(terms),
  ])
  const items = recurringItemsOf(recurringItems, extraItems)
  throwFaults(totalFaults(items))
  return {
    ...termsOf(terms),
    ...billingOf(request),
    start: { date: request.billingCycleStartDate, isOverridden: request.startDateOverridden },
    firstDueDate: request.nextCycleDueDate ?? null,
    items,
  }
}

/** A start in the past can be kept only when a start is given. */
function startFaults({
  billingCycleStartDate: date,
  startDateOverridden: isOverridden,
}: CreateRecurringInvoiceRequest): FieldError[] {
  if (!isOverridden || date !== undefined) return []
  const detail = 'is required where isBillingCycleStartDateOverridden is true'
  return [fault('#/billingCycleStartDate', 'REQUIRED', detail)]
}

export const UNKNOWN = 'must be one of the values of the API'

export function frequencyFaults(given: BillingFrequency): FieldError[] {
  return frequencyOf(given) ? [] : [fault('#/billingFrequency', 'ENUM', UNKNOWN)]
}

export function billingFaults({
  frequency,
  collectionMethod,
  daysUntilDue,
  orderReference,
  cardId,
  terms,
  takesPermission,
}: Billing & Taking): FieldError[] {
  return [
    ...frequencyFaults(frequency),
    ...(collectionOf(collectionMethod) ? [] : [fault('#/collectionMethod', 'ENUM', UNKNOWN)]),
    ...within(daysUntilDue, 0, DAYS_UNTIL_DUE_MAX, '#/daysUntilDue'),
    ...(orderReference.length <= REFERENCE_MAX
      ? []
      : [fault('#/orderReference', 'LENGTH', `must have at most ${REFERENCE_MAX} characters`)]),
    ...cardFaults(collectionOf(collectionMethod), { cardId, terms, frequency, takesPermission }),
  ]
}

/** A card is named only when it is charged, and charged only when cards are accepted; else Pix Automático collects. */
function cardFaults(
  collection: RecurringInvoice['collectionMethod'] | undefined,
  { cardId, terms, frequency, takesPermission }: Pick<Billing, 'cardId' | 'terms' | 'frequency'> & Taking,
): FieldError[] {
  if (collection === 'SEND_INVOICE') {
    const detail = 'belongs to the collectionMethod CHARGE_AUTOMATICALLY'
    return cardId === undefined ? [] : [fault('#/cardId', 'OTHER_METHOD', detail)]
  }
  const methods = terms?.acceptedMethods ?? []
  const takes = (wanted: PaymentMethod) => methods.some(({ method }) => method === wanted)
  if (methods.length === 0 || takes(PaymentMethod.CREDIT_CARD) || collection === undefined) return []
  if (takesPermission && takes(PaymentMethod.PIX)) {
    const named = frequencyOf(frequency)
    return !named || isPixFrequency(named)
      ? []
      : [fault('#/billingFrequency', 'OTHER_METHOD', WITHOUT_PERIOD)]
  }
  const methodsLeftOut = takesPermission ? 'CREDIT_CARD and PIX' : 'CREDIT_CARD'
  const detail = `cannot be CHARGE_AUTOMATICALLY where acceptedPaymentMethods leave out ${methodsLeftOut}`
  return [fault('#/collectionMethod', 'OTHER_METHOD', detail)]
}

export function billingOf({
  frequency,
  collectionMethod,
  ...asked
}: Billing): Pick<RecurringRequest, Exclude<keyof Billing, 'onPaymentFailure' | 'terms'> | 'givesUp'> {
  return {
    frequency: frequencyOf(frequency) ?? 'MONTHLY',
    collectionMethod: collectionOf(collectionMethod) ?? 'SEND_INVOICE',
    daysUntilDue: asked.daysUntilDue,
    orderReference: asked.orderReference || null,
    cardId: asked.cardId ?? null,
    givesUp: asked.onPaymentFailure === OnPaymentFailure.UNCOLLECTIBLE,
    cardPaysFineAndInterest: asked.cardPaysFineAndInterest,
    language: asked.language === EmailLanguage.ENGLISH ? 'en' : 'pt-BR',
    sellerName: asked.sellerName || null,
  }
}

export function frequencyOf(given: BillingFrequency): Frequency | undefined {
  return FREQUENCIES.find((each) => BillingFrequency[each] === given)
}

const COLLECTION_METHODS = ['CHARGE_AUTOMATICALLY', 'SEND_INVOICE'] as const

export function collectionOf(given: CollectionMethod): RecurringInvoice['collectionMethod'] | undefined {
  return COLLECTION_METHODS.find((each) => CollectionMethod[each] === given)
}

export function extraFaults(extraItems: readonly ExtraItem[]): FieldError[] {
  if (extraItems.length > EXTRA_MAX) {
    return [fault('#/extraItems', 'LENGTH', `must have at most ${EXTRA_MAX} entries`)]
  }
  return extraItems.flatMap(({ item, cycle }, place) => {
    const pointer = `#/extraItems/${place}`
    const faults = item ? oneItemFaults(item, pointer) : [fault(pointer, 'REQUIRED', 'is required')]
    return [...faults, ...within(cycle, 1, CYCLE_MAX, `${pointer}/cycle`)]
  })
}

/** The items of one request: those of every cycle, then those of single ones. */
export function recurringItemsOf(
  recurringItems: readonly NewItem[],
  extraItems: readonly ExtraItem[],
): AskedRecurringItem[] {
  return [
    ...itemsOf(recurringItems).map((item) => ({ ...item, cycle: null })),
    ...extraItems.flatMap(({ item, cycle }) =>
      itemsOf(item ? [item] : []).map((extra) => ({ ...extra, cycle })),
    ),
  ]
}

/** What an invoice of a cycle cannot have: too many items, or too large an amount. */
export function totalFaults(items: readonly AskedRecurringItem[]): FieldError[] {
  return [...countFaults(items), ...amountFaults(items)]
}

/** The invoice of a cycle has no more items than any other invoice. */
function countFaults(items: readonly AskedRecurringItem[]): FieldError[] {
  const cycles = new Set(items.flatMap(({ cycle }) => (cycle === null ? [] : [cycle])))
  const over = [...cycles].find((cycle) => itemsOfCycle(items, cycle).length > ITEMS_MAX)
  if (over === undefined) return []
  const detail = `must leave cycle ${over} with at most ${ITEMS_MAX} items, recurringItems included`
  return [fault('#/extraItems', 'LENGTH', detail)]
}

/** The total of a cycle has the same limit as any amount. */
function amountFaults(items: readonly AskedRecurringItem[]): FieldError[] {
  const detail = `must add up to at most ${MAX_AMOUNT} cents in each cycle`
  const isTooMuch = (cycle: number) => amountOf(itemsOfCycle(items, cycle)) > MAX_AMOUNT
  if (isTooMuch(0)) return [fault('#/recurringItems', 'MAX', detail)]
  const cycles = new Set(items.flatMap(({ cycle }) => (cycle === null ? [] : [cycle])))
  return [...cycles].some(isTooMuch) ? [fault('#/extraItems', 'MAX', detail)] : []
}
