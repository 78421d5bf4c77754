import { createHmac } from 'node:crypto'
import { DomainError, notFound } from '@cofre/platform/errors'
import {
  VoucherCardType,
  VoucherFlow,
  VoucherToken,
  VoucherTokenStatus,
  type CreatePaymentRequest,
  type CreateTokenRequest,
  type GetTokenRequest,
  type VoucherBrand,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { Marks } from './marks'

const { MEAL, FOOD } = VoucherCardType
const { CARD_NUMBER, REDIRECT } = VoucherFlow
const MADE_AT = 1_767_225_600_000

export const BRANDS: readonly VoucherBrand[] = [
  { brand: 'ALELO', flow: CARD_NUMBER, cardTypes: [MEAL, FOOD], cancels: true, availableFrom: '' },
  { brand: 'VR', flow: CARD_NUMBER, cardTypes: [MEAL], cancels: true, availableFrom: '' },
  { brand: 'TICKET', flow: REDIRECT, cardTypes: [MEAL, FOOD], cancels: false, availableFrom: '' },
  { brand: 'PLUXEE', flow: CARD_NUMBER, cardTypes: [MEAL], cancels: true, availableFrom: '2027-01-31' },
]

export type Tokens = ReturnType<typeof createTokens>

/** Voucher tokens in memory. */
export function createTokens(marks: Marks) {
  const tokens = new Map<string, VoucherToken>()
  const asked: CreateTokenRequest[] = []
  const find = ({ sellerId, token }: GetTokenRequest) => {
    const found = tokens.get(token)
    if (found?.sellerId !== sellerId) throw notFound('There is no such voucher token.')
    return found
  }
  /** Keeps a token of a seller, ACTIVE unless `changes` says otherwise. */
  const add = (changes: Partial<VoucherToken>) => {
    const token = createHmac('sha256', 'voucher token').update(String(tokens.size)).digest('hex')
    const status = VoucherTokenStatus.ACTIVE
    const made = VoucherToken.fromPartial({
      token,
      status,
      createdAt: MADE_AT,
      updatedAt: MADE_AT,
      ...changes,
    })
    tokens.set(token, made)
    return made
  }
  const create = (request: CreateTokenRequest) => {
    asked.push(request)
    const { sellerId, cardType, cardBrand, card } = request
    refuseBrand(cardBrand)
    return add({ sellerId, cardType, cardBrand, lastFour: card?.card?.lastFour ?? '' })
  }
  const findPayable = (request: CreatePaymentRequest) => {
    refuseBrand(request.cardBrand)
    const found = tokens.get(request.token)
    if (found?.sellerId !== request.sellerId || found.status !== VoucherTokenStatus.ACTIVE) {
      throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The token is not usable.')
    }
    if (found.cardBrand === request.cardBrand && found.cardType === request.cardType) return found
    throw new DomainError('failed_precondition', 'VOUCHER_CARD_MISMATCH', 'The token is of another card.')
  }
  const answers = {
    createToken: async (request: CreateTokenRequest) =>
      marks.once(request.sellerId, VoucherToken, () => create(request)),
    getToken: async (request: GetTokenRequest) => find(request),
    deleteToken: async (request: GetTokenRequest) => {
      tokens.delete(find(request).token)
      return {}
    },
  }
  return { answers, tokens, asked, add, findPayable }
}

function refuseBrand(brand: string): void {
  const known = BRANDS.find((each) => each.brand === brand)
  if (known?.availableFrom === '') return
  const extra = known ? { members: { availableFrom: known.availableFrom } } : {}
  throw new DomainError(
    'failed_precondition',
    'VOUCHER_BRAND_UNSUPPORTED',
    'This brand is not set up.',
    extra,
  )
}
