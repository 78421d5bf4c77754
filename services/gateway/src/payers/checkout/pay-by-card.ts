import { DomainError, type FieldError } from '@cofre/platform/errors'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { InvoiceTransactionStatus, type InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import type { KeepConsent, PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { StartAuthenticationResponse } from '@cofre/proto/invoices/v1/three_d_secure'
import { CardKind, type SealCardDataResponse } from '@cofre/proto/vault/v1/vault'
import { addressKey } from '@cofre/platform/outbound/address-key'
import type { Request, RequestHandler, Response } from 'express'
import { field } from '../../pages/form'
import { MOVING_MONEY } from '../../api/charge-answer'
import { openedOf, type Checkout } from './checkout-context'
import { spokenTo } from './languages'
import { readPage } from './open-page'
import { PageFault, type FieldFaults } from './page-fault'
import { canBePaid } from './page-state'
import { isAuthenticated, priceOf } from '../methods/card-part'
import { onlyFields, runOnce } from './sent-form'

const FIELDS = ['formToken', 'once', 'prices', 'installments', 'keepCard', 'encryptedCard']
/** A compact JWE (RFC 7516, 7.1). The vault gets nothing else from the form, least of all an open card number. */
const JWE = /^[\w-]+(\.[\w-]+){4}$/
const MAX_JWE = 8_000

/** Refusals that the page itself explains when it is shown again. */
const SHOWN_BY_PAGE = new Set<string>([
  'INVALID_INVOICE_STATE',
  'PAYMENT_WINDOW_CLOSED',
  'PAYMENT_PENDING',
  'IDEMPOTENCY_KEY_IN_USE',
  'OUTCOME_UNKNOWN',
])
const OF_THE_CARD = new Set<string>([
  'PAYMENT_METHOD_NOT_ACCEPTED',
  'CARD_BRAND_UNSUPPORTED',
  'CARD_TOKEN_UNUSABLE',
  'REFERENCE_NOT_FOUND',
])

/** Takes the sealed card of the form and leads back to the page, which shows the outcome. */
export function payByCard(checkout: Checkout): RequestHandler<{ publicId: string }> {
  const { root, tries, inFlight } = checkout
  return async (req, res) => {
    onlyFields(req, FIELDS)
    const { publicId, page } = openedOf(res)
    const back = () => res.redirect(303, `${root}/${publicId}${spokenTo(req).query}`)
    if (!canBePaid(page)) return back()
    const chosen = chosenOf(req, page)
    if (chosen.expectedAmount !== priceOf(page, chosen.installments)) throw amountFault()
    const address = addressKey(req.ip)
    tries.bring(address)
    res.once('close', inFlight.enter({ callsPartner: 'acquirer' }))
    const sealed = await seal(checkout, req, res, chosen)
    tries.begin(publicId, address)
    const { counts, challengeUrl } = await charge(checkout, req, res, { ...chosen, sealed }).catch(
      (error: unknown) => {
        if (!isRejection(error)) tries.takeBack(publicId, address)
        throw error
      },
    )
    if (!counts) tries.takeBack(publicId, address)
    if (challengeUrl === undefined) return back()
    // Not a redirect: it would belong to the form, which may go nowhere else (CSP form-action).
    await checkout.showChallenge(
      req,
      res,
      { publicId, page, sellerName: await checkout.sellerName(page.invoice) },
      challengeUrl,
    )
  }
}

/**
 * `expectedAmount`: the price that the page showed for this number of payments, in cents. `keepCard`: the payer agreed to further
 * automatic charges, where the page asked; `keepConsent`: to which words, and from where.
 */
type Chosen = {
  installments: number
  expectedAmount: number
  keepCard: boolean
  keepConsent: KeepConsent | undefined
}

/** Returns the payer's choice among the options of the page. */
function chosenOf(req: Request, { cardPrices, mayKeepCard }: PaymentPage): Chosen {
  const [given, prices] = [field(req, 'installments'), field(req, 'prices')]
  const installments = /^\d{1,2}$/.test(given) ? Number(given) : 0
  if (installments < 1 || installments > cardPrices.length) {
    throw fieldFault({ installments: 'installments' })
  }
  const keepCard = mayKeepCard && field(req, 'keepCard') !== ''
  const keepConsent = keepCard ? consentOf(req) : undefined
  return { installments, expectedAmount: Number(prices.split(',')[installments - 1]), keepCard, keepConsent }
}

/** The words of the page that the form stands on. */
function consentOf(req: Request): KeepConsent {
  const { words } = spokenTo(req)
  return { language: words.language, text: words.card.keep, address: addressKey(req.ip) }
}

/** Returns the card of the form under the vault's own seal. Throws the faults of the card. */
async function seal(
  { services: { vault } }: Checkout,
  req: Request,
  res: Response,
  { installments, keepCard }: Chosen,
): Promise<SealCardDataResponse> {
  const { publicId, page } = openedOf(res)
  const { id, sellerId = 0 } = page.invoice ?? {}
  const encryptedCard = field(req, 'encryptedCard')
  if (encryptedCard.length > MAX_JWE || !JWE.test(encryptedCard)) throw sealFault()
  const body = Buffer.from(JSON.stringify({ card: { encryptedCard }, installments, keepCard }))
  // The page's script seals for the page's own id: the browser knows no other.
  const invoiceIds = [publicId, String(id)]
  const kind = CardKind.PAYMENT_CARD
  const answer = await callRpc(vault, vault.sealCardData, { sellerId, body, kind, invoiceIds })
  if (answer.errors.length > 0) throw cardFault(answer.errors)
  return answer
}

/**
 * `counts`: it counts as a try of a card, because the card was declined, or challenged until its payer passes. A
 * replayed outcome does not count again. `challengeUrl`: the issuer's page, which the payer answers first.
 */
type Tried = { counts: boolean; challengeUrl?: string }

async function charge(
  checkout: Checkout,
  req: Request,
  res: Response,
  { sealed: answer, ...chosen }: Chosen & { sealed: SealCardDataResponse },
): Promise<Tried> {
  const { log } = checkout
  const { publicId, page } = openedOf(res)
  const { id: invoiceId = 0, sellerId = 0 } = page.invoice ?? {}
  const card = answer.cards.find(({ pointer }) => pointer === '#/card')
  if (!card) throw new Error('the vault found no card where the form brought one')
  const fingerprint = Buffer.from(answer.fingerprint).toString('base64')
  const request = { sellerId, invoiceId, card, ...chosen, ...NOTHING_ELSE }
  try {
    const pay = () => payOrAuthenticate(checkout, page, request)
    const { response, replayed } = await runOnce(req, `/checkout/${publicId}/pay`, { fingerprint }, pay)
    if (response.challenge) {
      log.info({ sellerId, invoiceId, replayed }, 'payer sent to the issuer from the checkout')
      return { counts: !replayed, challengeUrl: response.challenge.url }
    }
    const outcome = outcomeOf(response.charge)
    log.info({ sellerId, invoiceId, outcome, replayed }, 'card paid at the checkout')
    return { counts: outcome === InvoiceTransactionStatus.FAILED && !replayed }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    log.info({ sellerId, invoiceId, reason: error.reason }, 'card refused at the checkout')
    if (SHOWN_BY_PAGE.has(error.reason)) return { counts: false }
    // The amount changed since this page was read.
    if (error.reason === 'AMOUNT_CHANGED') await readPage(checkout, res, publicId)
    throw refusalOf(error)
  }
}

/** Pays, or first asks the card's issuer to authenticate the payer where the invoice demands it. */
async function payOrAuthenticate(
  checkout: Checkout,
  page: PaymentPage,
  payment: PayByCardRequest,
): Promise<Replayable<StartAuthenticationResponse>> {
  const { invoicePayments, threeDSecure } = checkout.services
  if (page.invoice && isAuthenticated(page.invoice)) {
    const request = { payment, merchantName: await checkout.sellerName(page.invoice) }
    return callRepeatable(threeDSecure, threeDSecure.startAuthentication, request, MOVING_MONEY)
  }
  const paid = await callRepeatable(invoicePayments, invoicePayments.payByCard, payment, MOVING_MONEY)
  return { ...paid, response: { charge: paid.response, challenge: undefined } }
}

const NOTHING_ELSE = {
  cardId: undefined,
  cardToken: '',
  networkToken: '',
  authentication: undefined,
}

function outcomeOf(made: InvoiceCharge | undefined): InvoiceTransactionStatus {
  return made?.transactions.at(-1)?.status ?? InvoiceTransactionStatus.UNSPECIFIED
}

/** The issuer did not authenticate the payer. Like a decline, it counts as a try. */
class Rejection extends PageFault {}

function isRejection(error: unknown): boolean {
  return error instanceof Rejection
}

function refusalOf(error: DomainError): Error {
  if (error.reason === 'INSTALLMENTS_NOT_ALLOWED') return fieldFault({ installments: 'installments' })
  if (error.reason === 'IDEMPOTENCY_KEY_REUSED') return sealFault()
  if (error.reason === 'AMOUNT_CHANGED') return amountFault()
  if (error.reason === 'AUTHENTICATION_FAILED')
    return new Rejection(422, ({ notAuthenticated }) => notAuthenticated)
  return OF_THE_CARD.has(error.reason) ? new PageFault(422, ({ cardNotTaken }) => cardNotTaken) : error
}

/** The amount is no longer the one that the payer saw: a fine, interest, another day or another fee changed it. */
function amountFault(): PageFault {
  return new PageFault(409, ({ amountChanged }) => amountChanged)
}

/** The seal can't be opened, is too old, or was made on the page of another invoice. */
function sealFault(): PageFault {
  return new PageFault(422, ({ sealExpired }) => sealExpired)
}

function fieldFault(fields: FieldFaults): PageFault {
  return new PageFault(422, ({ sealExpired }) => sealExpired, { fields })
}

/** Puts the vault's faults at the fields that they are about. */
function cardFault(errors: readonly FieldError[]): PageFault {
  const fields = errors.map(({ pointer, code }): FieldFaults => {
    if (pointer.startsWith('#/card/cardNumber')) return { number: 'number' }
    if (pointer.startsWith('#/card/expiration')) return { expiry: code === 'EXPIRED' ? 'expired' : 'expiry' }
    if (pointer.startsWith('#/card/holder')) return { holder: 'holder' }
    return pointer.startsWith('#/card/cvv') ? { cvv: 'cvv' } : {}
  })
  return fieldFault(Object.assign({}, ...fields))
}
