import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { currentCall } from '@cofre/platform/grpc/call-context'
import { parseUrl } from '@cofre/platform/outbound/parse-url'
import { Eta } from 'eta'
import type { Request, Response } from 'express'
import type { ThemeFields } from '@cofre/proto/invoices/v1/themes'
import { spokenTo } from './languages'
import type { FieldFaults, PageFault } from './page-fault'
import { allowPage } from './page-headers'
import { themeCss } from './palette'
import { viewOf, type PaymentView } from './payment-view'
import type { Opened } from './checkout-context'
import type { Visits } from './visits'

/** tsc copies no templates: they are read from the folder beside src and dist. */
export const VIEWS_DIR = join(__dirname, '../../views/checkout')

/** The seller's name as customers know it, and the public key to which a card is sealed. */
export type Facts = Opened & { sellerName: string; encryptionKey: string }
/** Shows the page of an invoice. `fault`: the fault of a form, shown with it. */
export type ShowPage = (req: Request, res: Response, facts: Facts, fault?: PageFault) => void
export type ShowFault = (req: Request, res: Response, fault: PageFault) => void
/** `goesTo`: the issuer's page, where the browser goes next. */
export type ShowChallenge = (
  req: Request,
  res: Response,
  facts: Omit<Facts, 'encryptionKey'>,
  goesTo: string,
) => void

type Assets = { version: string; integrity: Record<string, string> }
type Shop = { sellerName: string; theme: ThemeFields | undefined }
type Shown = { view: string; status: number; title: string; self: string; shop: Shop; data: object }

/** Renders pages into their frame, in the seller's colors. Every value is escaped by the templates. */
export function createShow(options: { root: string; boletos: string; assets: Assets; visits: Visits }) {
  const { root, boletos, assets, visits } = options
  const eta = new Eta({ views: VIEWS_DIR, cache: true })
  const show = (req: Request, res: Response, { view, status, self, shop, ...shown }: Shown) => {
    const { words, query } = spokenTo(req)
    const logoUrl = logoOf(shop.theme)
    const nonce = randomBytes(16).toString('base64')
    allowPage(res, { nonce, logoUrl })
    res.set({ 'Cache-Control': 'no-store', 'Content-Language': words.language, Vary: 'Accept-Language' })
    const { sellerName, theme } = shop
    const frame = { root, assets, nonce, words, query, self, sellerName, logoUrl, css: themeCss(theme) }
    const html = eta.render(`./${view}`, { ...frame, ...shown.data, title: shown.title })
    res.status(status).type('html').send(html)
  }
  const showPage: ShowPage = (req, res, { publicId, page, sellerName, encryptionKey }, fault) => {
    const { words } = spokenTo(req)
    const self = `${root}/${publicId}`
    const view = viewOf(page, words, { page: self, boletos }, Date.now())
    const shop = { sellerName, theme: page.theme?.fields }
    show(req, res, {
      view: 'page',
      status: fault?.status ?? 200,
      title: words.payTitle(page.invoice?.invoiceNumber ?? '', sellerName),
      self,
      shop,
      data: {
        ...view,
        alert: fault?.say(words) ?? view.alert,
        shown: shownMethod(view, fault && req.path),
        faults: saidOf(fault?.extra.fields, words.card.faults),
        formToken: visits.formToken(req, res, publicId),
        once: randomUUID(),
        encryptionKey,
      },
    })
  }
  const showFault: ShowFault = (req, res, { status, say, extra: { again } }) => {
    const said = say(spokenTo(req).words)
    const requestId = status >= 500 && !again ? currentCall()?.requestId : undefined
    const shop = { sellerName: '', theme: undefined }
    show(req, res, {
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
    show(req, res, { view: 'challenge', status: 200, title: said.title, self, shop, data: { said, goesTo } })
  }
  return { showPage, showFault, showChallenge }
}

/** Returns the form to open: the form with faults that was sent to `sentTo`, else the form that the payer began. */
function shownMethod({ alert, state }: PaymentView, sentTo: string | undefined): 'card' | 'boleto' {
  if (sentTo !== undefined) return sentTo.endsWith('/boleto') ? 'boleto' : 'card'
  return alert || state === 'PAYABLE' ? 'card' : 'boleto'
}

/** Pictures of an https page must come over https. No other scheme is allowed. */
function logoOf(theme: ThemeFields | undefined): string {
  return theme?.logoUrl.startsWith('https://') && parseUrl(theme.logoUrl) ? theme.logoUrl : ''
}

function saidOf<Text>(
  fields: FieldFaults = {},
  faults: Record<string, Text>,
): Record<string, Text | undefined> {
  return Object.fromEntries(Object.entries(fields).map(([name, fault]) => [name, faults[fault]]))
}
