import { callRpc } from '@cofre/platform/grpc/client'
import type { RequestHandler } from 'express'
import { openedOf, type Checkout } from './checkout-context'
import { spokenTo } from './languages'
import { onlyFields } from './sent-form'

/** Has no stored card of the payer charged any more, and leads back to the page. */
export function removeKeptCard({
  root,
  inFlight,
  log,
  services: { pages },
}: Checkout): RequestHandler<{ publicId: string }> {
  return async (req, res) => {
    onlyFields(req, ['formToken'])
    const { publicId, page } = openedOf(res)
    await callRpc(pages, pages.removeKeptCards, { publicId }).finally(inFlight.enter({}))
    log.info({ invoiceId: page.invoice?.id }, 'kept card removed at the checkout')
    res.redirect(303, `${root}/${publicId}${spokenTo(req).query}`)
  }
}
