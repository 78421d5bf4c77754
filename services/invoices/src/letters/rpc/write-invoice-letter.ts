import type { InvoiceLetter, SendInvoiceEmailRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { composeLetter } from '../compose-letter'
import type { Letter } from '../letter'
import { kindOf } from '../queue/email'
import { findAddressee } from '../queue/email-store'
import { languageMessage, languageOf } from './language'

/** Writes the letter that an invoice calls for now, for its seller to read first. */
export async function writeInvoiceLetter(
  deps: Deps,
  request: SendInvoiceEmailRequest,
): Promise<InvoiceLetter> {
  const { sellerId, invoiceId: id } = request
  const invoice = await readInvoice(deps.pool, { sellerId, id })
  const at = now()
  const kind = kindOf(invoice, at)
  const { recipient, ...known } = await findAddressee(deps.pool, invoice)
  const language = languageOf(request.language) ?? known.language ?? 'pt-BR'
  const sellerName = request.sellerName || known.sellerName
  const said = { language, sellerName, transactionId: null, refund: null }
  const letter = await composeLetter(deps, { invoice, kind, ...said }, at)
  const { subject, text } = letter
  return { to: recipient ?? '', language: languageMessage(language), subject, text, html: wholeHtml(letter) }
}

/** The letter as a page of its own: the pictures that come with it stand inside. */
function wholeHtml({ html, attachments = [] }: Letter): string {
  return attachments.reduce((page, { cid, contentType, content }) => {
    return cid
      ? page.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content.toString('base64')}`)
      : page
  }, html)
}
