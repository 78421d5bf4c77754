import type { FieldError } from '@cofre/platform/errors'
import { MAX_AMOUNT } from '@cofre/platform/money'
import {
  PaymentMethod,
  type AcceptedMethod as MethodMessage,
  type Fine as FineMessage,
  type Interest as InterestMessage,
  type NewItem,
  type Split as SplitMessage,
} from '@cofre/proto/invoices/v1/invoices'
import type { AcceptedMethod, Fine, Interest, Invoice, Item } from '../../invoice/invoice'
import { fault } from '../request-check'

/** The terms of an invoice: how it may be paid, who gets a part, and the cost of lateness. */
export type Terms = Pick<
  Invoice,
  'acceptedMethods' | 'splits' | 'fine' | 'interest' | 'notificationUrl' | 'successUrl'
>

/** The same terms as a request has them. */
export type TermsMessage = {
  acceptedMethods: readonly MethodMessage[]
  splits: readonly SplitMessage[]
  fine: FineMessage | undefined
  interest: InterestMessage | undefined
  notificationUrl: string
  successUrl: string
}

export type AskedItem = Pick<Item, 'productId' | 'quantity' | 'unitPrice'>

/** The most items of an invoice. */
export const ITEMS_MAX = 500
const QUANTITY_MAX = 1_000_000

export function termsFaults({ fine, interest, splits }: TermsMessage): FieldError[] {
  return [
    ...unitFaults('#/fine', fine && [fine.amountInCents, fine.percentageBps]),
    ...unitFaults('#/interest', interest && [interest.dailyAmountInCents, interest.monthlyPercentageBps]),
    ...splits.flatMap(({ amountInCents, percentageBps }, place) =>
      unitFaults(`#/splits/${place}`, [amountInCents, percentageBps]),
    ),
  ]
}

export function termsOf({ acceptedMethods, splits, fine, interest, ...urls }: TermsMessage): Terms {
  return {
    acceptedMethods: acceptedMethods.length > 0 ? acceptedMethods.map(methodOf) : null,
    splits: splits.map((split) => ({
      ...split,
      amountInCents: split.amountInCents ?? null,
      percentageBps: split.percentageBps ?? null,
    })),
    fine: fine ? fineOf(fine) : null,
    interest: interest ? interestOf(interest) : null,
    notificationUrl: urls.notificationUrl || null,
    successUrl: urls.successUrl || null,
  }
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

function methodOf({ method, cardSettings, boletoSettings }: MethodMessage): AcceptedMethod {
  if (method === PaymentMethod.BOLETO) {
    const { daysAfterDueDate = null, instructions = [] } = boletoSettings ?? {}
    return { method: 'BOLETO', daysAfterDueDate, instructions }
  }
  const { maxInstallments = null, feePassThrough = false, threeDSecure = false } = cardSettings ?? {}
  return { method: 'CREDIT_CARD', maxInstallments, feePassThrough, threeDSecure }
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
