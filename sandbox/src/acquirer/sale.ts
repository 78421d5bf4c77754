import { randomInt, randomUUID } from 'node:crypto'
import type { Acquirer } from './acquirer'
import { brazilTime } from './brazil-time'
import { cardOutcome } from './card-outcome'
import { effectiveEci } from './external-authentication'
import type { Answer } from '../partner-call'
import { authorize, type Identifiers, type Sale } from './payment'
import { Refusal } from './refusal'
import { saleAnswer } from './sale-answer'
import { replacedCard } from './replaced-card'
import { readSale, type SaleRequest } from './sale-request'
import { brandNamed, brokenSaleRules } from './sale-rules'
import { brandDecline, credentialMarks } from './stored-credential'
import { tokenSaleOutcome } from './token-sale'

const ORDER_NUMBER_MAX = 20
/** Mastercard's advice codes that forbid another try. */
const NEVER = ['03', '21']

/** Handles POST /1/sales. A decline is answered with 201 too. */
export function createSale(acquirer: Acquirer, merchantId: string, body: unknown): Answer {
  const request = readSale(body)
  if (Object.keys(request).length === 0) throw new Refusal(400, 184)
  const codes = brokenSaleRules(request)
  if (codes.length > 0) throw new Refusal(400, ...codes)

  const now = Date.now()
  const onToken = tokenSaleOutcome(acquirer, merchantId, request, now)
  const sale = { ...maskedSale(request), ...onToken?.mark }
  const cardLastFour = onToken?.cardLastFour ?? sale.card.maskedNumber.slice(-4)
  const { credentials } = acquirer
  const keys = credentialKeys(merchantId, sale, cardLastFour)
  const brandKnows = { book: credentials, keys, isNetworkToken: onToken !== undefined, now }
  const outcome =
    // A token that is not good is declined for that.
    (onToken?.outcome.approved === false ? undefined : brandDecline(request.payment ?? {}, brandKnows)) ??
    acquirer.nextDeclines.take({ brand: sale.card.brand, cardLastFour }) ??
    onToken?.outcome ??
    cardOutcome(request.payment?.creditCard?.cardNumber ?? '')
  const newCard = onToken ? undefined : replacedCard(request, outcome, now)
  const payment = authorize(sale, outcome, identify(acquirer, merchantId, sale.merchantOrderId, now), now)
  acquirer.book.save(payment)
  if (outcome.approved && sale.credential.usage !== null) credentials.note(keys, 'agreed', now)
  // What the holder agreed to holds for the new number too.
  if (newCard) credentials.note(credentialKeys(merchantId, sale, newCard.CardNumber.slice(-4)), 'agreed', now)
  if (NEVER.includes(payment.merchantAdviceCode ?? '')) credentials.note(keys, 'forbidden', now)
  return {
    status: 201,
    body: saleAnswer(payment, acquirer.hosts, newCard),
    lost: outcome.approved && outcome.answerLost,
  }
}

/** The names of a sale's card at its brand: by its digits, and by its network token. */
function credentialKeys(merchantId: string, { card, networkToken }: Sale, lastFour: string): string[] {
  const ofCard = `${merchantId} ${card.brand} ${lastFour}`
  return networkToken ? [ofCard, `${merchantId} ${networkToken.id}`] : [ofCard]
}

/** Drops the card number from memory, keeping only its first six and last four digits. */
function maskedSale({ merchantOrderId = '', customer, payment }: SaleRequest): Sale {
  const { cardNumber = '', holder = '', expirationDate = '', brand } = payment?.creditCard ?? {}
  return {
    merchantOrderId,
    customer: { ...customer, name: customer?.name ?? '' },
    amount: payment?.amount ?? 0,
    installments: payment?.installments ?? 1,
    interest: payment?.interest ?? 'ByMerchant',
    capture: payment?.capture ?? false,
    softDescriptor: payment?.softDescriptor,
    eci: effectiveEci(payment, brandNamed(brand) ?? ''),
    credential: credentialMarks(payment ?? {}),
    card: {
      maskedNumber: `${cardNumber.slice(0, 6)}${'*'.repeat(cardNumber.length - 10)}${cardNumber.slice(-4)}`,
      holder,
      expirationDate,
      brand: brandNamed(brand) ?? '',
    },
  }
}

function identify(acquirer: Acquirer, merchantId: string, orderId: string, now: number): Identifiers {
  // As in the public sandbox: MMDDHHmmss and three more digits.
  const tid = `${brazilTime(now).replace(/\D/g, '').slice(4)}${String(acquirer.book.count % 1_000).padStart(3, '0')}`
  const repeated = acquirer.book.findByOrder(merchantId, orderId).length > 0
  return {
    paymentId: randomUUID(),
    merchantId,
    // Downstream, an order number that is too long or repeated is replaced.
    acquirerOrderId: repeated || orderId.length > ORDER_NUMBER_MAX ? tid : orderId,
    tid,
    proofOfSale: tid.slice(-6),
    authorizationCode: String(randomInt(1_000_000)).padStart(6, '0'),
    issuerTransactionId: String(randomInt(10 ** 12, 10 ** 13)).padStart(15, '0'),
  }
}
