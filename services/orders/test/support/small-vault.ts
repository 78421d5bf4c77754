import { DomainError } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '@cofre/testing/stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Partner } from '@cofre/platform/outbound/partner-call'
import { Outcome, VaultService, type ForwardRequest, type ForwardResponse } from '@cofre/proto/vault/v1/vault'

const NOTHING_KEPT = { handle: '', numberKept: false }

/** A vault that forwards, as the real one does, for handles that are the card numbers themselves, of a network token with its cryptogram. */
export function smallVault(log: Logger, partner: Partner): ServedService {
  return standIn(log, VaultService, {
    forward: (request: ForwardRequest) => forward(partner, request),
  })
}

async function forward(partner: Partner, request: ForwardRequest): Promise<ForwardResponse> {
  if (request.handle === 'deleted')
    throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The card is gone.')
  const body = fill(JSON.parse(request.body.toString()), request.handle)
  const called = await partner.call({
    method: 'POST',
    path: request.path,
    headers: request.headers,
    body: JSON.stringify(body),
    timeoutMs: request.timeoutMs,
  })
  if (called.outcome === 'answered')
    return { ...NOTHING_KEPT, outcome: Outcome.ANSWERED, answer: called.answer, reason: '' }
  const outcome = called.outcome === 'not_sent' ? Outcome.NOT_SENT : Outcome.UNKNOWN
  return { ...NOTHING_KEPT, outcome, answer: undefined, reason: called.reason }
}

function fill(value: unknown, handle: string): unknown {
  const [cardNumber = '', cryptogram] = handle.split('#')
  if (value === '{{cardNumber}}') return cardNumber
  if (value === '{{expiration:MM/YYYY}}') return '12/2031'
  if (value === '{{cvv}}') return undefined
  if (value === '{{tokenNumber}}') return `4895370000000${cardNumber.slice(-3)}`
  if (value === '{{tokenExpiration:MM/YYYY}}') return '11/2033'
  if (value === '{{cryptogram}}') return cryptogram
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, handle)]))
}
