import { callRpc } from '@cofre/platform/grpc/client'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import type { Request, RequestHandler, Response } from 'express'
import { openedOf, type Checkout, type Opened } from './checkout-context'
import { spokenTo } from './languages'
import { readPage } from './open-page'
import { canBePaid } from './page-state'
import { keptCardsOf } from './payment-view'
import { onlyFields } from './sent-form'
import type { Words } from './words'

type ForPage = RequestHandler<{ publicId: string }>

/** Asks the payer whether the stored cards are to be charged automatically no more. */
export function askToRemove(checkout: Checkout): ForPage {
  return async (req, res) => {
    const { publicId, page } = openedOf(res)
    if (!page.hasKeptCard) return leadBack(checkout, req, res)
    const { words } = spokenTo(req)
    const { title, text, yes, no } = words.keptCard.ask
    const formToken = checkout.visits.formToken(req, res, publicId)
    const said = {
      title,
      text: text(keptCardsOf(page, words)),
      follows: followsOf(page, words),
      yes,
      back: no,
    }
    await show(checkout, req, res, { page, said, formToken })
  }
}

/** Has no stored card of the payer charged any more, and says which and what follows. A repeat leads back to the page. */
export function removeKeptCard(checkout: Checkout): ForPage {
  const { inFlight, log, services } = checkout
  return async (req, res) => {
    onlyFields(req, ['formToken'])
    const { publicId, page: before } = openedOf(res)
    if (!before.hasKeptCard) return leadBack(checkout, req, res)
    const { pages } = services
    await callRpc(pages, pages.removeKeptCards, { publicId }).finally(inFlight.enter({}))
    log.info({ invoiceId: before.invoice?.id }, 'kept card removed at the checkout')
    const page = await readPage(checkout, res, publicId)
    const { words } = spokenTo(req)
    const { title, text, pay, back } = words.keptCard.removed
    const said = {
      title,
      text: text(keptCardsOf(before, words)),
      follows: followsOf(page, words),
      back: canBePaid(page) ? pay : back,
    }
    await show(checkout, req, res, { page, said })
  }
}

function followsOf({ invoice }: PaymentPage, { keptCard: { mailed, notMailed } }: Words): string {
  return invoice?.customer?.email ? mailed : notMailed
}

function leadBack({ root }: Checkout, req: Request, res: Response): void {
  res.redirect(303, `${root}/${openedOf(res).publicId}${spokenTo(req).query}`)
}

/** `formToken`: of the form that removes; absent once they are removed. */
type Asked = Pick<Opened, 'page'> & {
  said: { title: string; text: string; follows: string; yes?: string; back: string }
  formToken?: string
}

async function show(checkout: Checkout, req: Request, res: Response, asked: Asked): Promise<void> {
  const { page } = asked
  const address = `${checkout.root}/${openedOf(res).publicId}`
  const shop = { sellerName: await checkout.sellerName(page.invoice), theme: page.theme?.fields }
  const { title } = asked.said
  const self = `${address}/remove-card`
  await checkout.show(req, res, {
    view: 'remove-card',
    status: 200,
    title,
    self,
    shop,
    data: { ...asked, address },
  })
}
