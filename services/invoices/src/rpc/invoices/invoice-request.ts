import { MAX_AMOUNT, sumOf } from '@cofre/platform/money'
import type { FieldError } from '@cofre/platform/errors'
import {
  PaymentMethod,
  type AcceptedMethod as MethodMessage,
  type CreateInvoiceRequest,
  type Fine as FineMessage,
  type Interest as InterestMessage,
  type NewItem,
} from '@cofre/proto/invoices/v1/invoices'
import type { AcceptedMethod, Fine, Interest, Invoice } from '../../invoice/invoice'
import { fault, throwFaults } from '../request-check'

/** What a request says of a new invoice. Amounts in cents. */
export type InvoiceRequest = Pick<
  Invoice,
  | 'dueDate'
  | 'paymentLimitDate'
  | 'amount'
  | 'acceptedMethods'
  | 'splits'
  | 'fine'
  | 'interest'
  | 'notificationUrl'
  | 'successUrl'
> & { invoiceNumber: string | undefined; items: readonly AskedItem[] }

type AskedItem = { productId: number; quantity: number; unitPrice: number }

const ITEMS_MAX = 500
const QUANTITY_MAX = 1_000_000

/** INVALID_ARGUMENT VALIDATION_FAILED. */
export function readRequest(request: CreateInvoiceRequest): InvoiceRequest {
  const { items, splits, acceptedMethods, fine, interest } = request
  throwFaults([
    ...itemFaults(items),
    ...unitFaults('#/fine', fine && [fine.amountInCents, fine.percentageBps]),
    ...unitFaults('#/interest', interest && [interest.dailyAmountInCents, interest.monthlyPercentageBps]),
    ...splits.flatMap(({ amountInCents, percentageBps }, place) =>
      unitFaults(`#/splits/${place}`, [amountInCents, percentageBps]),
    ),
  ])
  const asked = items.map(({ unitPriceInCents, ...item }) => ({ ...item, unitPrice: unitPriceInCents }))
  const amount = sumOf(asked.map(({ quantity, unitPrice }) => quantity * unitPrice))
  if (amount > MAX_AMOUNT)
    throwFaults([fault('#/items', 'MAX', `must add up to at most ${MAX_AMOUNT} cents`)])
  return {
    dueDate: request.dueDate,
    paymentLimitDate: request.paymentLimitDate ?? null,
    invoiceNumber: request.invoiceNumber,
    items: asked,
    amount,
    acceptedMethods: acceptedMethods.length > 0 ? acceptedMethods.map(methodOf) : null,
    splits: splits.map((split) => ({
      ...split,
      amountInCents: split.amountInCents ?? null,
      percentageBps: split.percentageBps ?? null,
    })),
    fine: fine ? fineOf(fine) : null,
    interest: interest ? interestOf(interest) : null,
    notificationUrl: request.notificationUrl || null,
    successUrl: request.successUrl || null,
  }
}

function itemFaults(items: readonly NewItem[]): FieldError[] {
  if (items.length < 1 || items.length > ITEMS_MAX) {
    return [fault('#/items', 'LENGTH', `must have 1 to ${ITEMS_MAX} entries`)]
  }
  return items.flatMap(({ quantity, unitPriceInCents }, place) => [
    ...within(quantity, 1, QUANTITY_MAX, `#/items/${place}/quantity`),
    ...within(unitPriceInCents, 0, MAX_AMOUNT, `#/items/${place}/unitPriceInCents`),
  ])
}

function within(value: number, min: number, max: number, pointer: string): FieldError[] {
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
  const { maxInstallments = null, feePassThrough = false } = cardSettings ?? {}
  return { method: 'CREDIT_CARD', maxInstallments, feePassThrough }
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
