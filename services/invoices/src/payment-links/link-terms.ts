import { businessDayFrom } from '@cofre/platform/business-day'
import { addDays, dayOf, startOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { Product, ProductMethod } from '../catalog/products/product'
import type { AcceptedMethod } from '../methods/methods'

/** How long a purchase waits for its payment. A boleto that is paid on its last day needs it. */
const DAYS_TO_PAY = 3

/** How many purchases of a link and a document may wait for their payment at once, and for how long each counts. */
export const WAITING = { most: 5, withinMs: 3_600_000 } as const

/** The methods of an invoice that a product's link makes, with the product's terms. */
export function methodsOf(
  { maxInstallments, feePassThrough }: Pick<Product, 'maxInstallments' | 'feePassThrough'>,
  usable: readonly ProductMethod[],
): AcceptedMethod[] {
  return usable.map((method) =>
    method === 'CREDIT_CARD' ? { method, maxInstallments, feePassThrough } : { method },
  )
}

/** The last day on which a purchase can be paid, a business day: when it is late, nobody can pay it any more. */
export function lastDayToPay(at: number, holidays: readonly CalendarDay[]): number {
  return startOf(businessDayFrom(addDays(dayOf(at), DAYS_TO_PAY), holidays))
}

/** How long a buyer waits before the next purchase. `made`: when those that are not paid were made. Undefined: it may be made. */
export function waitSeconds(made: readonly number[], at: number): number | undefined {
  const first = made.at(-WAITING.most)
  return first === undefined ? undefined : Math.max(1, Math.ceil((first + WAITING.withinMs - at) / 1_000))
}
