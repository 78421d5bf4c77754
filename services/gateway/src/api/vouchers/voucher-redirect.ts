import { voucherCardType } from '@cofre/api/vouchers/voucher-card'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { BeginRedirectResponse } from '@cofre/proto/vouchers/v1/vouchers'
import { z } from 'zod'
import { route } from '../../http/route'
import { voucherRedirectRequestSchema } from './voucher-request'

const byBrand = z.object({
  brand: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,31}$/)
    .toLowerCase()
    .meta({ description: 'A brand whose flow is REDIRECT, in upper or lower case.', examples: ['ticket'] }),
})

const authUrlSchema = z
  .object({
    authUrl: z
      .url()
      .meta({ description: 'Open it in the cardholder’s browser. It works once, within 15 minutes.' }),
  })
  .meta({ id: 'VoucherRedirect' })

const beginVoucherRedirect = route({
  method: 'POST',
  path: '/api/v2/sellers/{sellerId}/vouchers/{brand}/tokens',
  also: ['/api/v2/sellers/{sellerId}/vouchers/{repeatedSellerId}/{brand}/tokens'],
  scope: 'vouchers:write',
  operationId: 'beginVoucherRedirect',
  tag: 'Vouchers',
  summary: 'Request a voucher token by redirect',
  description:
    'The holder signs in with the brand, picks a card and authorizes. The outcome is POSTed to notificationUrl: {status, token, cardType, cardBrand, cardReference, lastFour, reason, createdAt}.',
  params: byBrand,
  body: {
    kind: 'json',
    schema: voucherRedirectRequestSchema,
    required: true,
    recorded: { cardType: true, cardReference: true },
    urls: ['notificationUrl'],
  },
  responses: { 200: { description: 'The URL to send the cardholder to.', schema: authUrlSchema } },
  problems: ['NOTIFICATION_URL_NOT_PUBLIC', 'VOUCHER_BRAND_UNSUPPORTED'],
  message: BeginRedirectResponse,
  handle: ({ sellerId, params, body }, { services: { vouchers } }) => {
    const { notificationUrl, cardReference = '' } = body
    const cardType = voucherCardType.valueOf(body.cardType)
    const request = { sellerId, brandSegment: params.brand, cardType, notificationUrl, cardReference }
    return callRepeatable(vouchers, vouchers.beginRedirect, request)
  },
  present: ({ authUrl }) => ({ status: 200, body: { authUrl } }),
})

export const voucherRedirectRoutes = [beginVoucherRedirect]
