import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import { callRpc } from '@cofre/platform/grpc/client'
import type { PartnerKind } from '../../http/in-flight'
import { addressKey } from '@cofre/platform/outbound/address-key'
import type { RequestHandler } from 'express'
import { fingerprintsOf } from '../../http/fingerprint'
import { openedOf, type Checkout } from './checkout-context'
import { spokenTo } from './languages'
import { PageFault } from './page-fault'
import { canBePaid } from './page-state'
import { onlyFields, runOnce } from './sent-form'
import type { Said, Words } from './words'

const FIELDS = ['formToken', 'once']
/** The bank registers an ask in this time. */
const ISSUING = { timeoutMs: 25_000 }
/** Refusals that the page itself explains when it is shown again. */
const SHOWN_BY_PAGE = new Set<string>([
  'INVALID_INVOICE_STATE',
  'PAYMENT_WINDOW_CLOSED',
  'PAYMENT_PENDING',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
])

type Key = { sellerId: number; invoiceId: number }

/** How the ask of a method is issued. `unavailable`: shown when none is possible, as without a bank account. */
type Issued = {
  what: 'boleto' | 'pix'
  partner: PartnerKind
  refusal: Reason
  unavailable(words: Words): Said
  issue(key: Key): Promise<{ existing: boolean }>
}

export function issueBoleto(checkout: Checkout): RequestHandler<{ publicId: string }> {
  const { boletos } = checkout.services
  return issueAsk(checkout, {
    what: 'boleto',
    partner: 'bank',
    refusal: 'BOLETO_REFUSED',
    unavailable: ({ methods, boleto }) => ({ title: methods.BOLETO, text: boleto.unavailable }),
    issue: (key) => callRpc(boletos, boletos.issueBoleto, key, ISSUING),
  })
}

export function issuePix(checkout: Checkout): RequestHandler<{ publicId: string }> {
  const { pix } = checkout.services
  return issueAsk(checkout, {
    what: 'pix',
    partner: 'pix',
    refusal: 'PIX_REFUSED',
    unavailable: ({ methods, pix: words }) => ({ title: methods.PIX, text: words.unavailable }),
    issue: (key) => callRpc(pix, pix.issuePix, key, ISSUING),
  })
}

/** Issues an ask, or finds the open one, and leads back to the page, which shows it. */
function issueAsk(
  checkout: Checkout,
  { what, partner, refusal, unavailable, issue }: Issued,
): RequestHandler<{ publicId: string }> {
  const { root, inFlight, askTries, fingerprintKeys, log } = checkout
  return async (req, res) => {
    onlyFields(req, FIELDS)
    const { publicId, page } = openedOf(res)
    if (canBePaid(page)) {
      const address = addressKey(req.ip)
      askTries.begin(publicId, address)
      let isRefused = false
      const { id: invoiceId = 0, sellerId = 0 } = page.invoice ?? {}
      try {
        res.once('close', inFlight.enter({ callsPartner: partner }))
        const fingerprints = fingerprintsOf(fingerprintKeys, {})
        const { existing } = await runOnce(req, `/checkout/${publicId}/${what}`, fingerprints, () =>
          issue({ sellerId, invoiceId }),
        )
        log.info({ sellerId, invoiceId, existing }, `${what} issued at the checkout`)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        isRefused = error.reason === refusal
        if (error.reason === 'PAYMENT_METHOD_NOT_ACCEPTED') throw new PageFault(422, unavailable)
        if (!isRefused && !SHOWN_BY_PAGE.has(error.reason)) throw error
        log.info({ sellerId, invoiceId, reason: error.reason }, `${what} refused at the checkout`)
      } finally {
        if (!isRefused) askTries.takeBack(publicId, address)
      }
    }
    const { query } = spokenTo(req)
    // Another ask may be newer: a Pix charge is made with a boleto.
    res.redirect(303, `${root}/${publicId}${query}${query === '' ? '?' : '&'}show=${what}`)
  }
}
