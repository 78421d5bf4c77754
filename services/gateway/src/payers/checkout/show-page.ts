import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { currentCall } from '@cofre/platform/grpc/call-context'
import { parseUrl } from '@cofre/platform/outbound/parse-url'
import { Eta } from 'eta'
import type { Request, Response } from 'express'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import type { ThemeFields } from '@cofre/proto/invoices/v1/themes'
import { compress, encodingHeader, negotiateEncoding } from '../../pages/encoding'
import { parameter } from '../../pages/form'
import { spokenTo } from './languages'
import type { FieldFaults, PageFault } from './page-fault'
import { allowPage } from './page-headers'
import { themeCss } from './palette'
import { viewOf, type PaymentView } from './payment-view'
import type { Opened } from './checkout-context'
import type { Visits } from './visits'

/** tsc copies no templates: they are read from the folder beside src and dist. */
export const VIEWS_DIR = join(__dirname, '../../../views/checkout')

/** The public key to which a card is sealed, and the brands that the page can name, as JSON. */
export type CardForm = { encryptionKey: string; brands: string }
/** The seller's name as customers know it. `cardForm`: absent on a page that takes no card. */
export type Facts = Opened & { sellerName: string; cardForm?: CardForm | undefined }
/** Shows the page of an invoice. `fault`: the fault of a form, shown with it. */
export type ShowPage = (req: Request, res: Response, facts: Facts, fault?: PageFault) => Promise<void>
export type ShowFault = (req: Request, res: Response, fault: PageFault) => Promise<void>
/** `goesTo`: the issuer's page, where the browser goes next. */
export type ShowChallenge = (
  req: Request,
  res: Response,
  facts: Omit<Facts, 'cardForm'>,
  goesTo: string,
) => Promise<void>

type Assets = { version: string; integrity: Record<string, string> }
type Shop = { sellerName: string; theme: ThemeFields | undefined }
/** What fills the frame of a page. `self`: its path. */
export type Shown = {
  view: string
  status: number
  title: string
  self: string
  shop: Shop
  data: object
  framedBy?: "'self'"
}
export type Show = (req: Request, res: Response, shown: Shown) => Promise<void>

/** `logos`: where the logos are that were uploaded here. `sandbox`: where it plays other companies, if one does. */
type Places = { root: string; boletos: string; logos: string; sandbox?: string | undefined; assets: Assets }

/** Renders pages into their frame, in the seller's colors. Every value is escaped by the templates. */
function createFrame({ root, logos, assets }: Places): Show {
  const eta = new Eta({ views: VIEWS_DIR, cache: true })
  return async (req, res, { view, status, self, shop, framedBy, ...shown }) => {
    const { words, query } = spokenTo(req)
    const logoUrl = logoOf(shop.theme, logos)
    const nonce = randomBytes(16).toString('base64')
    allowPage(res, { nonce, logoUrl, ...(framedBy && { framedBy }) })
    res.set({ 'Cache-Control': 'no-store', 'Content-Language': words.language, Vary: 'Accept-Language' })
    const { sellerName, theme } = shop
    const frame = { root, assets, nonce, words, query, self, sellerName, logoUrl, css: themeCss(theme) }
    const html = eta.render(`./${view}`, { ...frame, ...shown.data, title: shown.title })
    res.status(status).type('html')
    await sendHtml(res, Buffer.from(html))
  }
}

/** The pages of the checkout. */
export function createShow({ visits, ...places }: Places & { visits: Visits }) {
  const { root, boletos, sandbox } = places
  const show = createFrame(places)
  const showPage: ShowPage = (req, res, { publicId, page, sellerName, cardForm }, fault) => {
    const { words } = spokenTo(req)
    const self = `${root}/${publicId}`
    const view = viewOf(page, words, { page: self, boletos, sandbox })
    const shop = { sellerName, theme: page.theme?.fields }
    return show(req, res, {
      view: 'page',
      status: fault?.status ?? 200,
      title: words.payTitle(page.invoice?.invoiceNumber ?? '', sellerName),
      self,
      shop,
      data: {
        ...view,
        alert: fault?.say(words) ?? view.alert,
        shown: shownPart(view, { sentTo: fault && req.path, show: parameter(req, 'show') }),
        faults: saidOf(fault?.extra.fields, words.card.faults),
        formToken: visits.formToken(req, res, publicId),
        once: randomUUID(),
        encryptionKey: cardForm?.encryptionKey ?? '',
        brands: cardForm?.brands ?? '[]',
      },
    })
  }
  const showFault: ShowFault = (req, res, { status, say, extra: { again } }) => {
    const said = say(spokenTo(req).words)
    const requestId = status >= 500 && !again ? currentCall()?.requestId : undefined
    const shop = { sellerName: '', theme: undefined }
    return show(req, res, {
      view: 'fault',
      status,
      title: said.title,
      self: '',
      shop,
      data: { said, again, requestId },
    })
  }
  const showChallenge: ShowChallenge = (req, res, { publicId, page, sellerName }, goesTo) => {
    const { challenge: said } = spokenTo(req).words
    const shop = { sellerName, theme: page.theme?.fields }
    const self = `${root}/${publicId}`
    return show(req, res, {
      view: 'challenge',
      status: 200,
      title: said.title,
      self,
      shop,
      data: { said, goesTo },
    })
  }
  return { show, showPage, showFault, showChallenge }
}

/**
 * Shows the page of an invoice in a frame of the seller's portal. Its forms are bound to no browser. `self`: its path;
 * empty for an invoice that does not exist.
 */
export function createSampleShow(places: Places) {
  const show = createFrame(places)
  return (
    req: Request,
    res: Response,
    page: PaymentPage,
    sellerName: string,
    self: string,
  ): Promise<void> => {
    const { words } = spokenTo(req)
    const view = viewOf(page, words, { page: self, boletos: places.boletos })
    const shop = { sellerName, theme: page.theme?.fields }
    const none = { faults: {}, formToken: '', once: '', encryptionKey: '', brands: '[]' }
    const data = { ...view, ...none, shown: shownPart(view, { sentTo: undefined, show: '' }) }
    const title = words.payTitle(page.invoice?.invoiceNumber ?? '', sellerName)
    return show(req, res, { view: 'page', status: 200, title, self: '', shop, data, framedBy: "'self'" })
  }
}

/**
 * Compresses what a browser reads. The page holds the token of its forms, but no text that a request brings: who makes
 * a browser ask, and measures the answers, learns nothing of the token (BREACH). The answer to a form stays plain.
 */
async function sendHtml(res: Response, html: Buffer): Promise<void> {
  if (res.req.method === 'POST') return void res.send(html)
  const encoding = negotiateEncoding(res)
  res.set(encodingHeader(encoding)).send(await compress(html, encoding, 'passing'))
}

/**
 * Returns the part to open: the one whose form, sent to `sentTo`, has faults; else the one that the address names; else
 * that of a card that was declined; else the one that the payer began.
 */
function shownPart(
  { alert, isDeclined, begun, state, parts }: PaymentView,
  { sentTo, show }: { sentTo: string | undefined; show: string },
): string | undefined {
  const [first] = parts
  const sent = sentTo !== undefined && parts.find(({ path }) => sentTo.endsWith(`/${path}`))
  const named = parts.find(({ name }) => name === show)
  const open = !alert && state !== 'PAYABLE' && parts.find(({ method }) => method === begun)
  const declined = isDeclined && parts.find(({ name }) => name === 'card')
  return (sent || named || declined || open || first)?.name
}

/** Pictures of an https page must come over https. No other scheme is allowed, but for a picture of this installation. */
function logoOf(theme: ThemeFields | undefined, logos: string): string {
  const { logoUrl = '' } = theme ?? {}
  const isOffered = logoUrl.startsWith('https://') || logoUrl.startsWith(logos)
  return isOffered && parseUrl(logoUrl) ? logoUrl : ''
}

function saidOf<Text>(
  fields: FieldFaults = {},
  faults: Record<string, Text>,
): Record<string, Text | undefined> {
  return Object.fromEntries(Object.entries(fields).map(([name, fault]) => [name, faults[fault]]))
}
