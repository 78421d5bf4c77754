import { randomUUID } from 'node:crypto'
import { isDone, isRefused } from '@cofre/platform/outbound/partner-answers'
import { callPartner, type Forwarded } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type {
  CloseOutcome,
  CryptogramOutcome,
  Found,
  RequestOutcome,
  TokenCall,
  TokenService,
} from './token-service'
import { readRefusal, readToken, reasonOf } from './token-service-messages'

const TOKENS = '/v1/network-tokens'

type Answered = Extract<Forwarded, { result: 'answered' }>

/** The acquirer's token service: JSON over https, by the vault, which adds card and credentials and keeps numbers. */
export function openTokenService(vault: VaultClient, callbackUrl: string | undefined): TokenService {
  const call = async <Outcome>(asked: Asked, about: TokenCall, outcomeOf: (answer: Answered) => Outcome) => {
    const sent = await send(vault, asked, about)
    if (sent.result === 'unknown') return sent
    if (sent.result === 'not_sent') return { ...sent, gone: sent.refusal?.reason === 'CARD_TOKEN_UNUSABLE' }
    return outcomeOf(sent)
  }
  return {
    request: ({ reference, card, handle }, about) => {
      const { expirationMonth, expirationYear } = card
      const given = { number: '{{cardNumber}}', holder: '{{holderName}}', securityCode: '{{cvv}}' }
      const body = { reference, card: { ...given, expirationMonth, expirationYear }, callbackUrl }
      return call({ method: 'POST', path: TOKENS, body, handle }, about, requestOutcome)
    },
    find: ({ partnerId, reference }, about) => {
      const path = partnerId === null ? `${TOKENS}?reference=${reference}` : `${TOKENS}/${partnerId}`
      return call({ method: 'GET', path }, about, foundToken)
    },
    cryptogram: ({ partnerId, ...body }, about) =>
      call({ method: 'POST', path: `${TOKENS}/${partnerId}/cryptograms`, body }, about, cryptogramOutcome),
    close: (partnerId, about) =>
      call({ method: 'POST', path: `${TOKENS}/${partnerId}/deactivate`, body: {} }, about, closeOutcome),
  }
}

type Asked = { method: string; path: string; body?: object; handle?: string }

function send(
  vault: VaultClient,
  asked: Asked,
  { sellerId, token, merchantId, deadline }: TokenCall,
): Promise<Forwarded> {
  const about = { sellerId, networkToken: token, account: merchantId, requestId: randomUUID() }
  return callPartner(vault, { partner: 'token-service', ...about, ...asked }, deadline)
}

function requestOutcome({ answer: { status, body } }: Answered): RequestOutcome {
  if (isRefused(status)) return { result: 'refused', reason: reasonOf(readRefusal(body)) }
  const token = isDone(status) ? readToken(body) : undefined
  return token ? { result: 'accepted', partnerId: token.id } : { result: 'unknown' }
}

function foundToken({ answer: { status, body }, numberKept }: Answered): Found {
  if (saysNotFound(status, body)) return { result: 'absent' }
  const token = isDone(status) ? readToken(body) : undefined
  if (!token) return { result: 'unknown' }
  return {
    result: 'found',
    partnerId: token.id,
    state: token.status,
    reason: token.reason ?? 'ACQUIRER_REJECTED',
    numberKept,
    cardLastFour: token.card?.lastFour,
  }
}

function cryptogramOutcome({ answer: { status, body }, handle }: Answered): CryptogramOutcome {
  if (isDone(status) && handle !== '') return { result: 'sealed', handle }
  return saysOver(status, body) ? { result: 'not_active' } : { result: 'unknown' }
}

function closeOutcome({ answer: { status, body } }: Answered): CloseOutcome {
  if (isDone(status)) return { result: 'closed' }
  return saysOver(status, body) ? { result: 'over' } : { result: 'unknown' }
}

/** True when the token service does not know the token. Any other 404 comes from a proxy or a wrong address. */
function saysNotFound(status: number, body: Uint8Array): boolean {
  return status === 404 && readRefusal(body) === 'NOT_FOUND'
}

/** True when the token service has no active token to use or to close. */
function saysOver(status: number, body: Uint8Array): boolean {
  return saysNotFound(status, body) || (status === 422 && readRefusal(body) === 'TOKEN_NOT_ACTIVE')
}
