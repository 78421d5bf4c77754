import { DomainError, type FieldError } from '@cofre/platform/errors'
import { MAX_AMOUNT } from '@cofre/platform/money'
import type {
  AcceptedMethod as MethodMessage,
  Discount as DiscountMessage,
  Fine as FineMessage,
  Interest as InterestMessage,
  NewItem,
  Split as SplitMessage,
} from '@cofre/proto/invoices/v1/invoices'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { cardFeesOf } from '../../catalog/settings/billing-settings-store'
import type { PaymentRules } from '../../deps'
import { acceptedMethodsOf, methodName } from '../../methods/methods'
import type { Fine, Interest, Invoice, Item } from '../rules/invoice'
import { fault } from '../../request-check'

/** The terms of an invoice: how it may be paid, who gets a part, and the cost of lateness. */
export type Terms = Pick<
  Invoice,
  | 'acceptedMethods'
  | 'partialPayments'
  | 'splits'
  | 'fine'
  | 'interest'
  | 'discounts'
  | 'notificationUrl'
  | 'successUrl'
>

/** The same terms as a request has them. */
export type TermsMessage = {
  acceptedMethods: readonly MethodMessage[]
  partialPayments: boolean
  splits: readonly SplitMessage[]
  fine: FineMessage | undefined
  interest: InterestMessage | undefined
  discounts: readonly DiscountMessage[]
  notificationUrl: string
  successUrl: string
}

export type AskedItem = Pick<Item, 'productId' | 'quantity' | 'unitPrice'>

/** The most items of an invoice. */
export const ITEMS_MAX = 500
const QUANTITY_MAX = 1_000_000

export function termsFaults(terms: TermsMessage): FieldError[] {
  const { acceptedMethods, fine, interest, splits, discounts } = terms
  return [
    ...acceptedMethods.flatMap(({ method }, place) =>
      methodName(method)
        ? []
        : [fault(`#/acceptedPaymentMethods/${place}/method`, 'ENUM', 'must name a method')],
    ),
    ...unitFaults('#/fine', fine && [fine.amountInCents, fine.percentageBps]),
    ...unitFaults('#/interest', interest && [interest.dailyAmountInCents, interest.monthlyPercentageBps]),
    ...splits.flatMap(({ amountInCents, percentageBps }, place) =>
      unitFaults(`#/splits/${place}`, [amountInCents, percentageBps]),
    ),
    ...discounts.flatMap(({ amountInCents, percentageBps }, place) =>
      unitFaults(`#/discounts/${place}`, [amountInCents, percentageBps]),
    ),
  ]
}

export function termsOf({
  acceptedMethods,
  partialPayments,
  splits,
  fine,
  interest,
  discounts,
  ...urls
}: TermsMessage): Terms {
  return {
    partialPayments,
    acceptedMethods: acceptedMethodsOf(acceptedMethods),
    splits: splits.map((split) => ({
      ...split,
      amountInCents: split.amountInCents ?? null,
      percentageBps: split.percentageBps ?? null,
    })),
    fine: fine ? fineOf(fine) : null,
    interest: interest ? interestOf(interest) : null,
    discounts: discounts.map(({ amountInCents = null, percentageBps = null, daysBeforeDueDate }) => ({
      amountInCents,
      percentageBps,
      daysBeforeDueDate,
    })),
    notificationUrl: urls.notificationUrl || null,
    successUrl: urls.successUrl || null,
  }
}

/** Throws FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED for terms that pass on a card fee where none is set up. */
export async function checkFees(
  { pool, rules }: { pool: Pool; rules: Pick<PaymentRules, 'cardFees'> },
  sellerId: number,
  { acceptedMethods }: Pick<Terms, 'acceptedMethods'>,
): Promise<void> {
  const place = acceptedMethods.findIndex((each) => each.method === 'CREDIT_CARD' && each.feePassThrough)
  if (place === -1 || (await cardFeesOf(pool, rules, sellerId)).size > 0) return
  const message = 'Neither you nor this installation has card fees, so feePassThrough cannot be true.'
  const pointer = `#/acceptedPaymentMethods/${place}/cardSettings/feePassThrough`
  const errors = [
    { pointer, code: 'PAYMENT_METHOD_NOT_ACCEPTED', detail: 'must be false: no card fees are set up' },
  ]
  throw new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message, { errors })
}

/** Faults of items at a pointer. `least`: the smallest number of items. */
export function itemFaults(items: readonly NewItem[], pointer: string, least: number): FieldError[] {
  if (items.length < least || items.length > ITEMS_MAX) {
    return [fault(pointer, 'LENGTH', `must have ${least} to ${ITEMS_MAX} entries`)]
  }
  return items.flatMap((item, place) => oneItemFaults(item, `${pointer}/${place}`))
}

/** Faults of an item at a pointer. */
export function oneItemFaults({ quantity, unitPriceInCents }: NewItem, pointer: string): FieldError[] {
  return [
    ...within(quantity, 1, QUANTITY_MAX, `${pointer}/quantity`),
    ...within(unitPriceInCents, 0, MAX_AMOUNT, `${pointer}/unitPriceInCents`),
  ]
}

export function itemsOf(items: readonly NewItem[]): AskedItem[] {
  return items.map(({ productId, quantity, unitPriceInCents: unitPrice }) => ({
    productId,
    quantity,
    unitPrice,
  }))
}

/** Faults of a number that is not whole, or beyond its bounds. */
export function within(value: number, min: number, max: number, pointer: string): FieldError[] {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return []
  return [fault(pointer, 'RANGE', `must be a whole number from ${min} to ${max}`)]
}

function unitFaults(pointer: string, units: readonly (number | undefined)[] | undefined): FieldError[] {
  if (!units || units.filter((unit) => unit !== undefined).length === 1) return []
  return [fault(pointer, 'EXACTLY_ONE', 'must have exactly one of an amount and a percentage')]
}

function fineOf({ amountInCents, percentageBps, startsAfterDays }: FineMessage): Fine {
  return { amountInCents: amountInCents ?? null, percentageBps: percentageBps ?? null, startsAfterDays }
}

function interestOf({
  dailyAmountInCents: daily,
  monthlyPercentageBps: monthly,
  startsAfterDays,
}: InterestMessage): Interest {
  return { dailyAmountInCents: daily ?? null, monthlyPercentageBps: monthly ?? null, startsAfterDays }
}
