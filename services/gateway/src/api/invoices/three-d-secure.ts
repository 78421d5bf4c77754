import { presentChallenge, startedAuthentication, threeDSecurePaymentSchema } from '@cofre/api/three-d-secure'
import { callRepeatable } from '@cofre/platform/grpc/client'
import type { CardAuthentication } from '@cofre/proto/orders/v1/orders'
import { z } from 'zod'
import { linkHeader } from '../../http/answer'
import { route } from '../../http/route'
import { findSeller } from '../../sellers/seller-store'
import { MOVING_MONEY } from '../charge-answer'
import { pathId } from '../fields/path-fields'
import { answerPayment, cardPaymentMessage, PAYMENT_PROBLEMS, RECORDED_OF_PAYMENT } from './invoice-payments'
import { INVOICES } from './invoice-urls'
import { threeDSecureRequestSchema, type ThreeDSecureBody } from './three-d-secure-request'

const authorizeWithThreeDSecure = route({
  method: 'POST',
  path: `${INVOICES}/{id}/credit-card/three-d-secure/authorize`,
  scope: 'invoices:write',
  operationId: 'payInvoiceWithThreeDSecure',
  callsPartner: 'acquirer',
  tag: 'Invoices',
  summary: 'Pay an invoice by card with 3-D Secure',
  description:
    'With mode AUTHENTICATION, send the result of your own authentication of the payer. You can use each result once. With mode CHALLENGE, Cofre asks the issuer. If the issuer wants no challenge, Cofre charges the card at once. Otherwise nothing is charged yet: send the payer’s browser to the challenge. If the payer returns within ten minutes and the issuer confirms the authentication, Cofre charges the card. The payer then sees the payment page. Cofre does not keep the CVV during the challenge.',
  params: z.object({ id: pathId }),
  body: {
    kind: 'card',
    paysInvoice: 'id',
    schema: threeDSecureRequestSchema,
    required: true,
    takesTokens: true,
    recorded: { ...RECORDED_OF_PAYMENT, mode: true },
  },
  responses: {
    201: {
      description:
        'The charge, as for a payment by card, with Link rel="charge". With mode CHALLENGE, it can be a challenge instead: Link rel="three-d-secure-challenge" is the issuer’s page.',
      schema: threeDSecurePaymentSchema,
      headers: ['Link'],
      headersAtTimes: ['Location', 'Retry-After'],
    },
  },
  problems: [...PAYMENT_PROBLEMS, 'AUTHENTICATION_UNUSABLE', 'AUTHENTICATION_FAILED'],
  message: startedAuthentication,
  keptBy: 'invoices',
  handle: async ({ sellerId, params, body, cards }, { pool, services: { threeDSecure } }) => {
    const seller = await findSeller(pool, sellerId)
    const payment = {
      ...cardPaymentMessage({ sellerId, invoiceId: params.id }, body, cards),
      authentication: authenticationOf(body),
    }
    const request = { payment, merchantName: seller?.name ?? '' }
    return callRepeatable(threeDSecure, threeDSecure.startAuthentication, request, MOVING_MONEY)
  },
  present: ({ charge, challenge }, view) => {
    if (charge) return answerPayment(charge, view)
    if (!challenge) throw new Error('an authentication that came to nothing')
    const Link = linkHeader({ 'three-d-secure-challenge': challenge.url })
    return { status: 201, headers: { Link }, body: presentChallenge(challenge) }
  },
})

function authenticationOf({ threeDSecure }: ThreeDSecureBody): CardAuthentication | undefined {
  if (!threeDSecure) return undefined
  const { eci, version, authenticationValue = '', referenceId = '' } = threeDSecure
  return { eci: eci.padStart(2, '0'), version, authenticationValue, referenceId }
}

export const threeDSecureRoutes = [authorizeWithThreeDSecure]
