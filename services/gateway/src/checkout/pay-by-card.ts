import { DomainError, type FieldError } from '@cofre/platform/errors'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { InvoiceTransactionStatus, type InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { CardKind, type SealCardDataResponse } from '@cofre/proto/vault/v1/vault'
import { addressKey } from '@cofre/platform/outbound/address-key'
import type { Request, RequestHandler, Response } from 'express'
import { field } from '../pages/form'
import { MOVING_MONEY } from '../routes/charge-answer'
import { openedOf, type Checkout } from './checkout-context'
import { spokenTo } from './languages'
import { PageFault, type FieldFaults } from './page-fault'
import { canBePaid } from './page-state'
import { mostInstallments } from './payment-view'
import { onlyFields, runOnce } from './sent-form'

const FIELDS = ['formToken', 'once', 'payable', 'installments', 'encryptedCard']
/** A compact JWE (RFC 7516, 7.1). Nothing else goes to the vault: an open card number least of all. */
const JWE = /^[\w-]+(\.[\w-]+){4}$/
const MAX_JWE = 8_000

/** Refusals that the page itself tells of, once it is shown as it now is. */
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

/** Takes the sealed card of the form and answers with the way back to the page, which tells how it went. */
export function payByCard(checkout: Checkout): RequestHandler<{ publicId: string }> {
  const { root, tries, inFlight } = checkout
  return async (req, res) => {
    onlyFields(req, FIELDS)
    const { publicId, page } = openedOf(res)
    const back = () => res.redirect(303, `${root}/${publicId}${spokenTo(req).query}`)
    if (!canBePaid(page, Date.now())) return back()
    if (Number(field(req, 'payable')) !== page.invoice?.payableAmount) throw amountFault()
    const address = addressKey(req.ip)
    tries.bring(address)
    res.once('close', inFlight.enter({ callsPartner: true }))
    const sealed = await seal(checkout, req, res)
    tries.begin(publicId, address)
    const declined = await charge(checkout, req, res, sealed).catch((error: unknown) => {
      tries.takeBack(publicId, address)
      throw error
    })
    if (!declined) tries.takeBack(publicId, address)
    back()
  }
}

type Sealed = { installments: number; answer: SealCardDataResponse }

/** What the form brought, its card under the vault's own seal. Throws what is wrong with it. */
async function seal({ services: { vault } }: Checkout, req: Request, res: Response): Promise<Sealed> {
  const { invoice } = openedOf(res).page
  const [given, encryptedCard] = [field(req, 'installments'), field(req, 'encryptedCard')]
  const installments = /^\d{1,2}$/.test(given) ? Number(given) : 0
  if (!invoice || installments < 1 || installments > mostInstallments(invoice)) {
    throw fieldFault({ installments: 'installments' })
  }
  if (encryptedCard.length > MAX_JWE || !JWE.test(encryptedCard)) throw sealFault()
  const body = Buffer.from(JSON.stringify({ card: { encryptedCard }, installments }))
  const { sellerId } = invoice
  const kind = CardKind.PAYMENT_CARD
  const answer = await callRpc(vault, vault.sealCardData, { sellerId, body, kind })
  if (answer.errors.length > 0) throw cardFault(answer.errors)
  return { installments, answer }
}

/** Whether the card was declined now; a decline that is told again is none. */
async function charge(
  { services: { invoicePayments }, log }: Checkout,
  req: Request,
  res: Response,
  { installments, answer }: Sealed,
): Promise<boolean> {
  const { publicId, page } = openedOf(res)
  const { id: invoiceId = 0, sellerId = 0 } = page.invoice ?? {}
  const card = answer.cards.find(({ pointer }) => pointer === '#/card')
  if (!card) throw new Error('the vault found no card where the form brought one')
  const fingerprint = Buffer.from(answer.fingerprint).toString('base64')
  const request = { sellerId, invoiceId, card, installments, ...NOTHING_ELSE }
  try {
    const pay = () => callRepeatable(invoicePayments, invoicePayments.payByCard, request, MOVING_MONEY)
    const { response, replayed } = await runOnce(req, `/checkout/${publicId}/pay`, { fingerprint }, pay)
    const outcome = outcomeOf(response)
    log.info({ sellerId, invoiceId, outcome, replayed }, 'card paid at the checkout')
    return outcome === InvoiceTransactionStatus.FAILED && !replayed
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    log.info({ sellerId, invoiceId, reason: error.reason }, 'card refused at the checkout')
    if (SHOWN_BY_PAGE.has(error.reason)) return false
    throw refusalOf(error)
  }
}

const NOTHING_ELSE = {
  cardId: undefined,
  cardToken: '',
  networkToken: '',
  keepCard: false,
  authentication: undefined,
}

function outcomeOf({ transactions }: InvoiceCharge): InvoiceTransactionStatus {
  return transactions.at(-1)?.status ?? InvoiceTransactionStatus.UNSPECIFIED
}

function refusalOf(error: DomainError): Error {
  if (error.reason === 'INSTALLMENTS_NOT_ALLOWED') return fieldFault({ installments: 'installments' })
  if (error.reason === 'IDEMPOTENCY_KEY_REUSED') return sealFault()
  return OF_THE_CARD.has(error.reason) ? new PageFault(422, ({ cardNotTaken }) => cardNotTaken) : error
}

/** A fine, interest or a day more: what the shopper agreed to is not what is asked for now. */
function amountFault(): PageFault {
  return new PageFault(409, ({ amountChanged }) => amountChanged)
}

/** A seal that can't be opened, or that has grown too old. */
function sealFault(): PageFault {
  return new PageFault(422, ({ sealExpired }) => sealExpired)
}

function fieldFault(fields: FieldFaults): PageFault {
  return new PageFault(422, ({ sealExpired }) => sealExpired, { fields })
}

/** The vault's faults beside the fields that they are about. */
function cardFault(errors: readonly FieldError[]): PageFault {
  const fields = errors.map(({ pointer, code }): FieldFaults => {
    if (pointer.startsWith('#/card/cardNumber')) return { number: 'number' }
    if (pointer.startsWith('#/card/expiration')) return { expiry: code === 'EXPIRED' ? 'expired' : 'expiry' }
    if (pointer.startsWith('#/card/holder')) return { holder: 'holder' }
    return pointer.startsWith('#/card/cvv') ? { cvv: 'cvv' } : {}
  })
  return fieldFault(Object.assign({}, ...fields))
}
