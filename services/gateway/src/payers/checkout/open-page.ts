import { LRUCache } from 'lru-cache'
import { callRpc } from '@cofre/platform/grpc/client'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import type { Request, RequestHandler, Response } from 'express'
import { countStranger } from '../../http/authenticate'
import { brandRanges } from './brand-ranges'
import { findOpened, keepOpened, type Checkout } from './checkout-context'
import { formFault, notFoundFault, type PageFault } from './page-fault'
import { isPayable, stateOf } from './page-state'
import type { CardForm } from './show-page'

/** The ids that invoices makes: 16 to 64 characters of base64url. */
const PUBLIC_ID = /^[\w-]{16,64}$/
/** How long the vault's public key and brands are cached. A former key still opens cards that were sealed to it. */
const FORM_MS = 60_000

/** Finds the invoice of the address. A malformed id and an unknown id get the same answer. */
export function openPage(checkout: Checkout): RequestHandler<{ publicId: string }> {
  return async (req, res, next) => {
    countStranger(checkout, req, res)
    const { publicId } = req.params
    if (!PUBLIC_ID.test(publicId)) throw notFoundFault()
    const leave = checkout.inFlight.enter({})
    const page = await readPage(checkout, res, publicId).finally(leave)
    res.locals.sellerId = page.invoice?.sellerId
    next()
  }
}

/** Reads the current invoice of a page and keeps it for the handlers that follow. */
export async function readPage(
  { services: { pages } }: Checkout,
  res: Response,
  publicId: string,
): Promise<PaymentPage> {
  const page = await callRpc(pages, pages.getPaymentPage, { publicId })
  keepOpened(res, { publicId, page })
  return page
}

/** Refuses a form that was not shown to this browser on this page. */
export function guardForm({ visits }: Checkout): RequestHandler<{ publicId: string }> {
  return (req, _res, next) => {
    if (!visits.isOwnForm(req, req.params.publicId)) throw formFault(403)
    next()
  }
}

export type ShowOpened = (req: Request, res: Response, fault?: PageFault) => Promise<void>

/** Shows the page of the invoice that was found. */
export function showOpened({ services, sellerName, showPage }: Checkout): ShowOpened {
  const forms = new LRUCache<'form', CardForm>({ max: 1, ttl: FORM_MS })
  const readForm = async () => {
    const form = forms.get('form') ?? (await cardFormOf(services))
    forms.set('form', form)
    return form
  }
  return async (req, res, fault) => {
    const opened = findOpened(res)
    if (!opened) throw notFoundFault()
    const name = await sellerName(opened.page.invoice)
    const cardForm = isPayable(stateOf(opened.page)) ? await readForm() : undefined
    await showPage(req, res, { ...opened, sellerName: name, cardForm }, fault)
  }
}

async function cardFormOf({ vault }: Checkout['services']): Promise<CardForm> {
  const [{ jwk }, { bins }] = await Promise.all([
    callRpc(vault, vault.getEncryptionKey, {}),
    // The page only shows a brand: without the operator's prefixes, that of the program.
    callRpc(vault, vault.listBins, {}).catch(() => ({ bins: [] })),
  ])
  return { encryptionKey: jwk, brands: JSON.stringify(brandRanges(bins)) }
}
