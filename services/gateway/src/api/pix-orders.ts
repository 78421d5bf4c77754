import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Charge, ChargePixRequest } from '@cofre/proto/orders/v1/orders'
import { z } from 'zod'
import { AWAITING_PIX, PIX_EXPIRED } from '../docs/sample-charges'
import { route } from '../http/route'
import { pathId } from './fields/path-fields'
import { answerCharge, CHARGE_CREATED, MOVING_MONEY } from './charge-answer'
import { customerMessage } from './orders'
import { pixOrderRequestSchema } from './pix-order-request'

const chargePix = route({
  method: 'POST',
  path: '/api/v2/sellers/{sellerId}/orders/pix',
  also: ['/api/v2/orders/pix'],
  scope: 'orders:write',
  operationId: 'chargePix',
  callsPartner: 'pix',
  tag: 'Orders',
  summary: 'Ask for a Pix: one amount, payable at once',
  description:
    'Cofre registers an immediate charge with the seller’s bank. Show your customer `pix.copyAndPaste` and the QR code. The charge is PENDING until the Pix comes, then CAPTURED: wait for `charge.captured`. When nobody pays in time, Cofre withdraws the charge at the bank, and it is EXPIRED. If the bank does not answer at once, `copyAndPaste` is null: read the charge after Retry-After. While it waits for its payer, Retry-After is 15 seconds: events tell you sooner. Money that comes besides the payment, such as a second Pix or a late one, is given back: the charge shows it as a VOID with `endToEndId`, and `charge.pix_returned` follows. A bank that closes the charge with a Pix of another amount leaves it EXPIRED, with the failure WRONG_AMOUNT. Refund the charge as you refund a card’s: fully or in parts, for 90 days.',
  body: {
    kind: 'card',
    schema: pixOrderRequestSchema,
    required: true,
    recorded: {
      paymentMethod: true,
      orderReference: true,
      amount: true,
      expiresInSeconds: true,
      externalReference: true,
    },
    urls: ['notificationUrl'],
  },
  responses: {
    201: {
      ...CHARGE_CREATED,
      description:
        'The charge. PENDING until it is paid. FAILED: the bank refused it, and the transaction’s failure has the bank’s code.',
      example: AWAITING_PIX,
    },
  },
  problems: ['PAYMENT_METHOD_NOT_ACCEPTED', 'NOTIFICATION_URL_NOT_PUBLIC'],
  message: Charge,
  keptBy: 'orders',
  handle: ({ sellerId, body }, { services: { orders } }) => {
    const { customer, paymentMethod: _pix, currency: _brl, ...order } = body
    const request = ChargePixRequest.fromPartial({
      ...order,
      sellerId,
      customer: customerMessage(customer),
    })
    return callRepeatable(orders, orders.chargePix, request, MOVING_MONEY)
  },
  present: answerCharge,
})

const cancelCharge = route({
  method: 'POST',
  path: '/api/v2/charges/{id}/cancel',
  scope: 'orders:write',
  operationId: 'cancelCharge',
  callsPartner: 'pix',
  tag: 'Charges',
  summary: 'Cancel a charge that waits for its Pix',
  description:
    'The bank withdraws the Pix, so that nobody can pay it, and the charge is EXPIRED with the failure CANCELLED. `links.cancel` of the charge is this address while you can cancel. If a Pix came before, the charge is CAPTURED: refund it. If the bank does not answer at once, the charge stays PENDING until it does: read it after Retry-After. You can repeat the request.',
  params: z.object({ id: pathId }),
  responses: {
    200: {
      ...CHARGE_CREATED,
      description: 'The charge. While it is PENDING, read it again after Retry-After.',
      example: PIX_EXPIRED,
    },
  },
  problems: ['INVALID_CHARGE_STATE'],
  handle: ({ sellerId, params }, { services: { orders } }) =>
    callRpc(orders, orders.cancelCharge, { sellerId, chargeId: params.id }, MOVING_MONEY),
  present: (charge, view) => ({ ...answerCharge(charge, view), status: 200 }),
})

export const pixOrderRoutes = [chargePix, cancelCharge]
