import { randomUUID } from 'node:crypto'
import type { PaymentLink } from '@cofre/proto/invoices/v1/payment_links'
import type { Request, Response } from 'express'
import type { Checkout } from '../checkout/checkout-context'
import { spokenTo } from '../checkout/languages'
import type { PageFault } from '../checkout/page-fault'
import type { BuyerField } from './buyer'
import { linkView } from './link-view'

export type LinkFacts = { linkToken: string; link: PaymentLink; sellerName: string }

/** What became of the form that was sent before, with what was typed. `once`: its key, where it may be sent again. */
export type SentLink = {
  fault?: PageFault
  faults?: readonly BuyerField[]
  typed?: Partial<Record<BuyerField, string>>
  once?: string
}

/** Shows the page of a payment link. */
export function showLink(
  { show, visits, baseUrl }: Pick<Checkout, 'show' | 'visits' | 'baseUrl'>,
  req: Request,
  res: Response,
  { linkToken, link, sellerName }: LinkFacts,
  { once = randomUUID(), fault, faults = [], typed = {} }: SentLink = {},
): Promise<void> {
  const { words } = spokenTo(req)
  return show(req, res, {
    view: 'buy',
    status: fault?.status ?? (faults.length > 0 ? 422 : 200),
    title: words.buy.pageTitle(link.product?.fields?.name ?? '', sellerName),
    // BASE_URL may have a path of its own.
    self: new URL(`${baseUrl}/buy/${linkToken}`).pathname,
    shop: { sellerName, theme: link.theme?.fields },
    data: {
      ...linkView(link, words),
      alert: fault?.say(words),
      faults: Object.fromEntries(faults.map((name) => [name, words.buy.faults[name]])),
      typed,
      formToken: visits.formToken(req, res, linkToken),
      once,
    },
  })
}
