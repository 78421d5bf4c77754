import { paymentMethod, type MethodName } from '@cofre/api/methods/payment-methods'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { BOLETO_PART } from './boleto-part'
import { CARD_PART } from './card-part'
import { PIX_PART } from './pix-part'
import type { PageAsk, PagePart } from './page-part'

/** The parts of the page, in their order: first what most payers use. */
export const PARTS: Record<MethodName, PagePart> = {
  PIX: PIX_PART,
  CREDIT_CARD: CARD_PART,
  BOLETO: BOLETO_PART,
}

export const METHODS = Object.keys(PARTS) as MethodName[]

/** The methods that an invoice accepts, in the order of the page. */
export function acceptedOf({ acceptedMethods }: Pick<Invoice, 'acceptedMethods'>): MethodName[] {
  const accepted = new Set(acceptedMethods.map(({ method }) => paymentMethod.nameOf(method)))
  return METHODS.filter((method) => accepted.has(method))
}

/** The latest ask of each method, the newest first. */
export function asksOf(page: PaymentPage): (PageAsk & { method: MethodName })[] {
  const asks = METHODS.flatMap((method) => {
    const ask = PARTS[method].asks?.latest(page)
    return ask ? [{ ...ask, method }] : []
  })
  return asks.toSorted((one, other) => other.createdAt - one.createdAt)
}
