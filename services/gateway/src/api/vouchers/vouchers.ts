import { presentVoucherBrand, voucherBrandsSchema } from '@cofre/api/vouchers/voucher-brand'
import { voucherCardType } from '@cofre/api/vouchers/voucher-card'
import { presentVoucherToken, voucherTokenSchema } from '@cofre/api/vouchers/voucher-token'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { CardKind } from '@cofre/proto/vault/v1/vault'
import { VoucherToken } from '@cofre/proto/vouchers/v1/vouchers'
import { z } from 'zod'
import { route, type View } from '../../http/route'
import { tokenText } from '../fields/body-fields'
import { voucherTokenRequestSchema } from './voucher-request'

const tag = 'Vouchers'
const TOKENS = '/api/v2/sellers/{sellerId}/vouchers/tokens'
const byToken = z.object({ token: tokenText() })

const listBrands = route({
  method: 'GET',
  path: '/api/v2/vouchers/brands',
  scope: 'vouchers:read',
  operationId: 'listVoucherBrands',
  tag,
  summary: 'List the voucher brands',
  responses: {
    200: { description: 'Every brand, including announced brands.', schema: voucherBrandsSchema },
  },
  handle: (_request, { services: { vouchers } }) => callRpc(vouchers, vouchers.listBrands, {}),
  present: ({ brands }) => ({ status: 200, body: brands.map(presentVoucherBrand) }),
})

function locationOf({ baseUrl, sellerId }: View, token: string): string {
  return `${baseUrl}/api/v2/sellers/${sellerId}/vouchers/tokens/${token}`
}

const createVoucherToken = route({
  method: 'POST',
  path: TOKENS,
  scope: 'vouchers:write',
  operationId: 'createVoucherToken',
  tag,
  summary: 'Exchange a voucher card number for a token',
  description:
    'For the brands whose flow is CARD_NUMBER. The vault keeps the number; no other service has it. The CVV is never stored.',
  body: {
    kind: 'card',
    cardKind: CardKind.VOUCHER,
    schema: voucherTokenRequestSchema,
    required: true,
    recorded: { cardType: true, cardBrand: true },
  },
  responses: { 201: { description: 'Stored.', schema: voucherTokenSchema, headers: ['Location'] } },
  problems: ['VOUCHER_BRAND_UNSUPPORTED', 'VOUCHER_CARD_MISMATCH'],
  message: VoucherToken,
  keptBy: 'vouchers',
  handle: ({ sellerId, body, cards }, { services: { vouchers } }) => {
    const card = cards.find(({ pointer }) => pointer === '#')
    if (!card) throw new Error('the vault found no card in a body that holds one')
    const { cardBrand, holder } = body
    const cardType = voucherCardType.valueOf(body.cardType)
    const holderDocument = holder.document ?? ''
    const request = { sellerId, cardType, cardBrand, card, holderDocument }
    return callRepeatable(vouchers, vouchers.createToken, request)
  },
  present: (token, view) => ({
    status: 201,
    headers: { Location: locationOf(view, token.token) },
    body: presentVoucherToken(token),
  }),
})

const getVoucherToken = route({
  method: 'GET',
  path: `${TOKENS}/{token}`,
  scope: 'vouchers:read',
  operationId: 'getVoucherToken',
  tag,
  summary: 'Read a voucher token',
  params: byToken,
  responses: { 200: { description: 'The current token.', schema: voucherTokenSchema } },
  handle: ({ sellerId, params }, { services: { vouchers } }) =>
    callRpc(vouchers, vouchers.getToken, { sellerId, token: params.token }),
  present: (token) => ({ status: 200, body: presentVoucherToken(token) }),
})

const deleteVoucherToken = route({
  method: 'DELETE',
  path: `${TOKENS}/{token}`,
  scope: 'vouchers:write',
  operationId: 'deleteVoucherToken',
  tag,
  summary: 'Destroy a voucher token',
  params: byToken,
  responses: {
    204: { description: 'The stored card data is destroyed, and the token no longer exists.' },
  },
  handle: ({ sellerId, params }, { services: { vouchers } }) =>
    callRpc(vouchers, vouchers.deleteToken, { sellerId, token: params.token }),
  present: () => ({ status: 204 }),
})

export const voucherRoutes = [listBrands, createVoucherToken, getVoucherToken, deleteVoucherToken]
