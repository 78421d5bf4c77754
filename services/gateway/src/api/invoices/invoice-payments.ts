import { invoiceChargeSchema, presentInvoiceCharge } from '@cofre/api/invoice'
import { callRepeatable } from '@cofre/platform/grpc/client'
import type { ProblemReason } from '@cofre/platform/reason'
import { InvoiceCharge, InvoiceTransactionStatus } from '@cofre/proto/invoices/v1/invoices'
import { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { SealedCard } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import { linkHeader, type Answer } from '../../http/answer'
import { route, type ResponseRule, type View } from '../../http/route'
import { MOVING_MONEY } from '../charge-answer'
import { pathId } from '../fields/path-fields'
import { chargeUrl, INVOICES } from './invoice-urls'
import { cardPaymentRequestSchema, type CardPaymentBody } from './payment-request'

/** The service first asks for an unknown outcome after two seconds. */
const ASK_AGAIN_SECONDS = '2'

export const PAYMENT_MADE: ResponseRule = {
  description:
    'The charge; its newest transaction is this payment. SUCCEEDED: the invoice is PAID. FAILED: the card was declined (see `decline`), and the invoice still awaits its payment. PENDING: the issuer has not answered yet; or, with `givingBack`, the invoice was paid in another way meanwhile and this money goes back, although `status` is PAID. Read the charge again after Retry-After. Link rel="charge" is its URL.',
  schema: invoiceChargeSchema,
  headers: ['Location', 'Link'],
  headersAtTimes: ['Retry-After'],
}

export const PAYMENT_PROBLEMS: readonly ProblemReason[] = [
  'EXACTLY_ONE_SOURCE',
  'INVALID_INVOICE_STATE',
  'PAYMENT_PENDING',
  'PAYMENT_WINDOW_CLOSED',
  'PAYMENT_METHOD_NOT_ACCEPTED',
  'INSTALLMENTS_NOT_ALLOWED',
  'REFERENCE_NOT_FOUND',
  'CARD_TOKEN_UNUSABLE',
  'CARD_BRAND_UNSUPPORTED',
  'NETWORK_TOKEN_NOT_ACTIVE',
]

/** The fields of a payment that the history may keep. */
export const RECORDED_OF_PAYMENT = {
  cardId: true,
  installments: true,
  keepYourCardForAutomaticCharges: true,
} as const

const payByCard = route({
  method: 'POST',
  path: `${INVOICES}/{id}/credit-card/pay`,
  scope: 'invoices:write',
  operationId: 'payInvoiceByCard',
  callsPartner: 'acquirer',
  tag: 'Invoices',
  summary: 'Pay an invoice with a card',
  description:
    'Charges the amount payable now, with fine and interest, or less a discount. The payment finalizes an OPEN invoice, even when the card is declined. A request that is refused (4xx) leaves the invoice as it was. The payment makes a charge of its own: its orderReference is the invoiceNumber, and it sends charge events. While a payment is PENDING, you cannot pay or void the invoice.',
  params: z.object({ id: pathId }),
  body: {
    kind: 'card',
    schema: cardPaymentRequestSchema,
    required: true,
    takesTokens: true,
    paysInvoice: 'id',
    recorded: RECORDED_OF_PAYMENT,
  },
  responses: { 201: PAYMENT_MADE },
  problems: PAYMENT_PROBLEMS,
  message: InvoiceCharge,
  keptBy: 'invoices',
  handle: ({ sellerId, params, body, cards }, { services: { invoicePayments } }) => {
    const request = cardPaymentMessage({ sellerId, invoiceId: params.id }, body, cards)
    return callRepeatable(invoicePayments, invoicePayments.payByCard, request, MOVING_MONEY)
  },
  present: answerPayment,
})

/** Returns a payment by card for the service. */
export function cardPaymentMessage(
  invoice: { sellerId: number; invoiceId: number },
  { cardId, cardToken, networkToken, installments, keepYourCardForAutomaticCharges }: CardPaymentBody,
  cards: readonly SealedCard[],
): PayByCardRequest {
  return PayByCardRequest.fromPartial({
    ...invoice,
    cardId,
    cardToken: cardToken?.token ?? '',
    networkToken: networkToken?.token ?? '',
    card: cards.find(({ pointer }) => pointer === '#/card' || pointer === '#/cardToken'),
    installments,
    keepCard: keepYourCardForAutomaticCharges,
  })
}

/** Answers 201 with the charge, and with Retry-After while the payment is PENDING. */
export function answerPayment(charge: InvoiceCharge, { baseUrl }: View): Answer {
  const Location = chargeUrl(baseUrl, charge.invoiceId)
  const isPending = charge.transactions.some(({ status }) => status === InvoiceTransactionStatus.PENDING)
  return {
    status: 201,
    headers: {
      Location,
      Link: linkHeader({ charge: Location }),
      ...(isPending ? { 'Retry-After': ASK_AGAIN_SECONDS } : {}),
    },
    body: presentInvoiceCharge(charge),
  }
}

export const invoicePaymentRoutes = [payByCard]
