import type { InvoiceJson } from '@cofre/api/invoice'
import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { EmailLanguage, type InvoiceLetter } from '@cofre/proto/invoices/v1/invoices'
import { Router, type Request, type Response } from 'express'
import { LANGUAGES, type Language } from '../../http/route'
import { parameter } from '../../pages/form'
import { readThing, type ById } from '../desk/page'
import type { Portal } from '../portal-context'
import { sessionOf } from '../session'
import { invoices } from '../things/invoices'
import { wordsOf } from '../words/language'
import { refusalIn } from '../words/refusals'
import { createSample } from './sample'

const LETTER_LANGUAGES: Record<Language, EmailLanguage> = {
  en: EmailLanguage.ENGLISH,
  'pt-BR': EmailLanguage.PORTUGUESE,
}

/** What the payer of an invoice would see and read, in frames: nothing is sent, and nothing in them can be pressed. */
export function previewPages(portal: Portal): Router {
  const { showPage } = createSample(portal)
  const router = Router({ mergeParams: true })
  router.get('/', (req: Request<ById>, res) => showPreview(portal, req, res))
  router.get('/page', async (req: Request<ById>, res) => {
    const { paymentUrl } = await invoiceOf(portal, req, res)
    const publicId = paymentUrl.split('/').at(-1) ?? ''
    const { pages } = portal.services
    const page = await callRpc(pages, pages.getPaymentPage, { publicId })
    return showPage(req, res, page, { sellerName: sessionOf(res).sellerName, publicId })
  })
  router.get('/letter', async (req: Request<ById>, res) => {
    const { html } = await letterOf(portal, req, res)
    res
      .set({ 'Content-Security-Policy': LETTER_POLICY, 'X-Frame-Options': 'SAMEORIGIN' })
      .type('html')
      .send(html)
  })
  return router
}

/** A letter has its styles and pictures inside, and the logo of its seller. */
const LETTER_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

async function invoiceOf(portal: Portal, { params }: Request<ById>, res: Response): Promise<InvoiceJson> {
  return (await readThing(portal, res, invoices, params.id)) as InvoiceJson
}

/** As the seller chose on the page; letters and pages are in Portuguese by default. */
function languageOf(req: Request<ById>): Language {
  return LANGUAGES.find((each) => each === parameter(req as Request, 'lang')) ?? 'pt-BR'
}

async function letterOf(portal: Portal, req: Request<ById>, res: Response): Promise<InvoiceLetter> {
  const { id: invoiceId } = await invoiceOf(portal, req, res)
  const { sellerId, sellerName } = sessionOf(res)
  const language = LETTER_LANGUAGES[languageOf(req)]
  const client = portal.services.invoices
  return callRpc(client, client.writeInvoiceLetter, { sellerId, invoiceId, language, sellerName })
}

async function showPreview(portal: Portal, req: Request<ById>, res: Response): Promise<void> {
  const invoice = await invoiceOf(portal, req, res)
  const { show } = wordsOf(res)
  const lang = languageOf(req)
  const back = `${portal.root}/invoices/${invoice.id}`
  const { letter, refusal } = await letterOf(portal, req, res).then(
    (found) => ({ letter: found, refusal: undefined }),
    (error: unknown) => ({ letter: undefined, refusal: refusalOf(res, error) }),
  )
  portal.show(res, {
    view: 'preview',
    title: 'Preview',
    section: invoices.name,
    data: {
      back,
      heading: show(invoices.heading(invoice)).text,
      frames: { page: `${back}/preview/page?lang=${lang}`, letter: `${back}/preview/letter?lang=${lang}` },
      lang,
      letter,
      refusal,
    },
  })
}

/** Why no letter would be sent. */
function refusalOf(res: Response, error: unknown): string {
  if (error instanceof DomainError && error.kind === 'failed_precondition')
    return refusalIn(wordsOf(res), error)
  throw error
}
