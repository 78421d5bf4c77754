import { DomainError } from '@cofre/platform/errors'
import type { Partner, PartnerAnswer } from '@cofre/platform/outbound/partner-call'
import {
  Outcome,
  type DestroyVoucherRequest,
  type ForwardRequest,
  type ForwardResponse,
  type KeepAuthorizationCodeRequest,
  type KeepVoucherRequest,
} from '@cofre/proto/vault/v1/vault'
import { NO_ACCOUNT, noEstablishment } from './accounts'
import { fieldsOf, noAnswer, send, type Fields } from './forward'

/** The secrets kept with a voucher token. */
export type KeptVoucher = { number?: string; code?: string; accessToken?: string; refreshToken?: string }

/** The partner that takes the access token of a voucher token. */
const BEARER_PARTNER = 'ticket'

/** The vault's vouchers in memory. `kept`: by seller and voucher token, `9 <token>`. Every body is sent as JSON. */
export function createKeptVouchers() {
  const kept = new Map<string, KeptVoucher>()
  const nameOf = ({ sellerId, voucherToken }: DestroyVoucherRequest) => `${sellerId} ${voucherToken}`
  const keep = (of: DestroyVoucherRequest, more: KeptVoucher) =>
    void kept.set(nameOf(of), { ...more, ...kept.get(nameOf(of)) })
  const answers = {
    keepVoucher: async (request: KeepVoucherRequest) => {
      keep(request, { number: request.handle })
      return {}
    },
    keepAuthorizationCode: async (request: KeepAuthorizationCodeRequest) => {
      if (kept.get(nameOf(request))?.accessToken === undefined) keep(request, { code: request.code })
      return {}
    },
    destroyVoucher: async (request: DestroyVoucherRequest) => {
      kept.delete(nameOf(request))
      return {}
    },
  }
  return {
    kept,
    answers,
    forward: (partner: Partner, request: ForwardRequest) =>
      forwardVoucher(partner, request, {
        was: kept.get(nameOf(request)) ?? {},
        replace: (was, now) => {
          if (kept.get(nameOf(request)) !== was) return false
          kept.set(nameOf(request), now)
          return true
        },
      }),
  }
}

type Keeping = { was: KeptVoucher; replace(was: KeptVoucher, now: KeptVoucher): boolean }

async function forwardVoucher(
  partner: Partner,
  request: ForwardRequest,
  { was, replace }: Keeping,
): Promise<ForwardResponse> {
  if (request.account === NO_ACCOUNT) throw noEstablishment()
  const takesBearer = request.partner === BEARER_PARTNER
  if (takesBearer && was.accessToken === undefined) throw unusable()
  const bearer: Record<string, string> = takesBearer ? { authorization: `Bearer ${was.accessToken}` } : {}
  const called = await send(partner, request, fieldsOfVoucher(was, request), bearer)
  if (called.outcome !== 'answered') return noAnswer(called)
  const { tokens, body } = takeTokens(called.answer)
  if (tokens) {
    const { code: _, ...rest } = was
    if (!replace(was, { ...rest, ...tokens }))
      return noAnswer({ outcome: 'unknown', reason: 'there is a newer grant, or none' })
  }
  return {
    outcome: Outcome.ANSWERED,
    answer: { ...called.answer, body },
    reason: '',
    handle: '',
    numberKept: false,
    grantKept: tokens !== undefined,
  }
}

/** The value of each placeholder. Throws when the body asks for a value that is not kept. */
function fieldsOfVoucher({ number, code, refreshToken }: KeptVoucher, request: ForwardRequest): Fields {
  const [token, cvv] = request.handle.split('/')
  if (request.handle !== '' && token !== request.voucherToken) {
    throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The handle is of another voucher token.')
  }
  const needed: [string, string | undefined][] = [
    ['{{cardNumber}}', number],
    ['{{authorizationCode}}', code],
    ['{{refreshToken}}', refreshToken],
  ]
  const body = request.body.toString()
  if (needed.some(([place, value]) => body.includes(place) && value === undefined)) throw unusable()
  return new Map([
    ...fieldsOf(`${number ?? ''}${cvv ? `/${cvv}` : ''}`),
    ...needed,
    ['{{expiration:YYYYMM}}', '204912'],
  ])
}

/** The tokens of an identity provider's answer, and the answer without them. */
function takeTokens({ status, body }: PartnerAnswer): { tokens?: KeptVoucher; body: Buffer } {
  let answer: Record<string, unknown>
  try {
    answer = JSON.parse(body.toString()) as Record<string, unknown>
  } catch {
    return { body }
  }
  const { access_token: accessToken, refresh_token: refreshToken } = answer
  if (status >= 300 || typeof accessToken !== 'string') return { body }
  const isNew = typeof refreshToken === 'string'
  const masked = { ...answer, access_token: '***', ...(isNew ? { refresh_token: '***' } : {}) }
  return {
    tokens: { accessToken, ...(isNew ? { refreshToken } : {}) },
    body: Buffer.from(JSON.stringify(masked)),
  }
}

function unusable(): DomainError {
  return new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The voucher token cannot be used.')
}
