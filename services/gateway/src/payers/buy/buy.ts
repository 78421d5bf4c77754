import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { addressKey } from '@cofre/platform/outbound/address-key'
import { qrSvg } from '@cofre/platform/qr-code'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express'
import { countStranger } from '../../http/authenticate'
import { fingerprintsOf } from '../../http/fingerprint'
import { field } from '../../pages/form'
import { readForm } from '../checkout/checkout'
import { countCardTries, type AskTries } from '../checkout/card-tries'
import type { Checkout } from '../checkout/checkout-context'
import { spokenTo } from '../checkout/languages'
import { formFault, notFoundFault, PageFault, toFault } from '../checkout/page-fault'
import { plainHeaders } from '../checkout/page-headers'
import { onlyFields, runOnce } from '../checkout/sent-form'
import { BUYER_FIELDS, readBuyer, type Buyer } from './buyer'
import { showLink, type LinkFacts, type SentLink } from './show-link'

/** The tokens that invoices makes. */
const LINK_TOKEN = /^[\w-]{22}$/
const FIELDS = ['formToken', 'once', ...BUYER_FIELDS]
/** How many purchases may begin by one link in an hour, paid or not: a machine can't fill a seller's books. */
const PURCHASES_OF_LINK = 1_000

type ByToken = { linkToken: string }

/** The page on which a stranger buys a product, mounted at /buy. Who has its address may buy, without signing in. */
export function buyRoutes(checkout: Checkout): Router {
  const router = Router()
  router.use(plainHeaders(checkout.baseUrl))
  router.get('/:linkToken.svg', showQrCode(checkout))
  router.use('/:linkToken', openLink(checkout))
  router.get('/:linkToken', (req, res) => showOpened(checkout, req, res))
  router.post('/:linkToken', readForm(), buy(checkout))
  router.use(() => {
    throw notFoundFault()
  })
  router.use(answerFault(checkout))
  return router
}

type Opened = Omit<LinkFacts, 'sellerName'>

function findOpened(res: Response): Opened | undefined {
  return res.locals.link as Opened | undefined
}

/** Finds the product of the address. A link that sells nothing is closed with words, whatever is sent to it. */
function openLink(checkout: Checkout): RequestHandler<ByToken> {
  return async (req, res, next) => {
    countStranger(checkout, req, res)
    const { linkToken } = req.params
    if (!LINK_TOKEN.test(linkToken)) throw notFoundFault()
    const { paymentLinks } = checkout.services
    const leave = checkout.inFlight.enter({})
    const link = await callRpc(paymentLinks, paymentLinks.getPaymentLink, { linkToken }).finally(leave)
    res.locals.sellerId = link.product?.sellerId
    if (!link.open) throw closedFault()
    res.locals.link = { linkToken, link } satisfies Opened
    next()
  }
}

/** The QR code of the address, for a poster or a counter. It is drawn for any token: it tells nothing. */
function showQrCode({ baseUrl, ...checkout }: Checkout): RequestHandler<ByToken> {
  return (req, res) => {
    countStranger(checkout, req, res)
    const { linkToken } = req.params
    if (!LINK_TOKEN.test(linkToken)) throw notFoundFault()
    res
      .type('svg')
      .set('Cache-Control', 'no-store')
      .send(qrSvg(`${baseUrl}/buy/${linkToken}`))
  }
}

async function showOpened(checkout: Checkout, req: Request, res: Response, sent?: SentLink): Promise<void> {
  const opened = findOpened(res)
  if (!opened) throw notFoundFault()
  const sellerName = await checkout.sellerName(opened.link.product)
  await showLink(checkout, req, res, { ...opened, sellerName }, sent)
}

/** Makes the invoice of a purchase, and leads to its page. */
function buy(checkout: Checkout): RequestHandler<ByToken> {
  const { root, visits, log } = checkout
  const { checkoutTriesOfAddress: ofAddress } = checkout.config
  const purchases = countCardTries({ ofInvoice: PURCHASES_OF_LINK, ofAddress })
  return async (req, res) => {
    const { linkToken } = req.params
    if (!visits.isOwnForm(req, linkToken)) throw formFault(403)
    onlyFields(req, FIELDS)
    const { buyer, faults } = readBuyer(req)
    if (!buyer) return showOpened(checkout, req, res, { faults, typed: typedIn(req) })
    const sellerName = await checkout.sellerName(findOpened(res)?.link.product)
    const invoice = await makeInvoice(checkout, purchases, req, { linkToken, buyer, sellerName })
    log.info({ sellerId: invoice.sellerId, invoiceId: invoice.id }, 'bought by a payment link')
    res.redirect(303, `${root}/${invoice.publicId}${spokenTo(req).query}`)
  }
}

async function makeInvoice(
  { services: { paymentLinks }, inFlight, fingerprintKeys }: Checkout,
  purchases: AskTries,
  req: Request,
  { linkToken, buyer, sellerName }: { linkToken: string; buyer: Buyer; sellerName: string },
): Promise<Invoice> {
  const address = addressKey(req.ip)
  purchases.begin(linkToken, address)
  const leave = inFlight.enter({})
  try {
    return await runOnce(req, `/buy/${linkToken}`, fingerprintsOf(fingerprintKeys, buyer), () =>
      callRpc(paymentLinks, paymentLinks.buyByLink, { linkToken, ...buyer, sellerName }, { writes: true }),
    )
  } catch (error) {
    // What may have been done counts.
    if (error instanceof DomainError && error.kind !== 'unavailable') purchases.takeBack(linkToken, address)
    throw error
  } finally {
    leave()
  }
}

function typedIn(req: Request): SentLink['typed'] {
  return Object.fromEntries(BUYER_FIELDS.map((name) => [name, field(req, name)]))
}

function closedFault(): PageFault {
  return new PageFault(410, ({ buy: { closed } }) => closed)
}

/** Refusals of a purchase in words of this page. */
function faultOf(error: unknown): PageFault {
  if (!(error instanceof DomainError)) return toFault(error)
  if (error.reason === 'PAYMENT_WINDOW_CLOSED') return closedFault()
  if (error.reason === 'IDEMPOTENCY_KEY_REUSED') return formFault(400)
  if (error.kind === 'conflict') return new PageFault(503, ({ unavailable }) => unavailable)
  if (error.kind !== 'rate_limited') return toFault(error)
  const { retryAfterSeconds = 60 } = error.extra
  const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60))
  return new PageFault(429, (words) => words.buy.waiting(minutes), { retryAfterSeconds })
}

/** Shows the fault of a form on its page with what was typed, so that the buyer goes on; else on a page of its own. */
function answerFault(checkout: Checkout): ErrorRequestHandler {
  return async (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error)
    const fault = faultOf(error)
    if (fault.status === 500) checkout.log.error({ err: error }, 'payment link failed')
    else checkout.log.info({ status: fault.status }, 'payment link refused')
    const { retryAfterSeconds } = fault.extra
    if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds))
    const isOver = fault.status === 404 || fault.status === 410
    if (req.method !== 'POST' || !findOpened(res) || isOver) return checkout.showFault(req, res, fault)
    // The outcome may be unknown: the same form makes no second invoice.
    const isKept = fault.status >= 500
    const sent = { fault, typed: typedIn(req), ...(isKept && { once: field(req, 'once') }) }
    await showOpened(checkout, req, res, sent)
  }
}
