import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { addressKey } from '@cofre/platform/outbound/address-key'
import type { RequestHandler } from 'express'
import { fingerprintsOf } from '../http/fingerprint'
import { openedOf, type Checkout } from './checkout-context'
import { spokenTo } from './languages'
import { PageFault } from './page-fault'
import { canBePaid } from './page-state'
import { onlyFields, runOnce } from './sent-form'
import type { Said, Words } from './words'

const FIELDS = ['formToken', 'once']
/** The bank registers the boleto in this time. */
const ISSUING = { timeoutMs: 25_000 }
/** Refusals that the page itself explains when it is shown again. */
const SHOWN_BY_PAGE = new Set<string>([
  'INVALID_INVOICE_STATE',
  'PAYMENT_WINDOW_CLOSED',
  'PAYMENT_PENDING',
  'BOLETO_REFUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
])

/** Shown when no boleto is possible, for example because the seller has no bank account. */
function noBoleto({ methods, boleto }: Words): Said {
  return { title: methods.boleto, text: boleto.unavailable }
}

/** Issues a boleto, or finds the open one, and leads back to the page, which shows it. */
export function issueBoleto(checkout: Checkout): RequestHandler<{ publicId: string }> {
  const { root, inFlight, boletoTries, fingerprintKeys, log, services } = checkout
  const { boletos } = services
  return async (req, res) => {
    onlyFields(req, FIELDS)
    const { publicId, page } = openedOf(res)
    if (canBePaid(page, Date.now())) {
      const address = addressKey(req.ip)
      boletoTries.begin(publicId, address)
      let isRefused = false
      const { id: invoiceId = 0, sellerId = 0 } = page.invoice ?? {}
      const issue = () => callRpc(boletos, boletos.issueBoleto, { sellerId, invoiceId }, ISSUING)
      try {
        res.once('close', inFlight.enter({ callsPartner: true }))
        const fingerprints = fingerprintsOf(fingerprintKeys, {})
        const { existing } = await runOnce(req, `/checkout/${publicId}/boleto`, fingerprints, issue)
        log.info({ sellerId, invoiceId, existing }, 'boleto issued at the checkout')
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        isRefused = error.reason === 'BOLETO_REFUSED'
        if (error.reason === 'PAYMENT_METHOD_NOT_ACCEPTED') throw new PageFault(422, noBoleto)
        if (!SHOWN_BY_PAGE.has(error.reason)) throw error
        log.info({ sellerId, invoiceId, reason: error.reason }, 'boleto refused at the checkout')
      } finally {
        if (!isRefused) boletoTries.takeBack(publicId, address)
      }
    }
    res.redirect(303, `${root}/${publicId}${spokenTo(req).query}`)
  }
}
