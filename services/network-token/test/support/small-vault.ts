import { DomainError } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '@cofre/testing/stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Partner } from '@cofre/platform/outbound/partner-call'
import {
  Outcome,
  VaultService,
  type DestroyNetworkTokenRequest,
  type ForwardRequest,
  type ForwardResponse,
  type KeepNetworkTokenRequest,
} from '@cofre/proto/vault/v1/vault'

/** Of each token: its card's number, and the network's once an answer held it. */
export type Kept = Map<string, { card: string; number?: string }>

/**
 * A vault that keeps and forwards as the real one does, for handles that are the card number, with `/` and the CVV. A
 * cryptogram's handle is the cryptogram itself, so that a test can see which it was.
 */
export function smallVault(log: Logger, partner: Partner, kept: Kept): ServedService {
  return standIn(log, VaultService, {
    forward: (request: ForwardRequest) => forward(partner, kept, request),
    keepNetworkToken: async ({ handle, networkToken }: KeepNetworkTokenRequest) => {
      if (handle === 'deleted') throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'gone')
      const [card = ''] = handle.split('/')
      kept.set(networkToken, { card })
      return {}
    },
    destroyNetworkToken: async ({ networkToken }: DestroyNetworkTokenRequest) => {
      kept.delete(networkToken)
      return {}
    },
  })
}

async function forward(partner: Partner, kept: Kept, request: ForwardRequest): Promise<ForwardResponse> {
  const numbers = kept.get(request.networkToken)
  if (!numbers)
    throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The network token is gone.')
  const [number = numbers.card, cvv] = request.handle ? request.handle.split('/') : []
  const fields: Record<string, string | undefined> = {
    '{{cardNumber}}': number,
    '{{holderName}}': 'ANA SOUZA',
    '{{cvv}}': cvv,
  }
  const called = await partner.call({
    method: request.method as 'GET' | 'POST',
    path: request.path,
    headers: { ...request.headers, 'content-type': 'application/json' },
    ...(request.body.length > 0 ? { body: fill(request.body.toString(), fields) } : {}),
    timeoutMs: request.timeoutMs,
  })
  if (called.outcome !== 'answered') {
    const outcome = called.outcome === 'not_sent' ? Outcome.NOT_SENT : Outcome.UNKNOWN
    return { outcome, answer: undefined, reason: called.reason, handle: '', numberKept: false }
  }
  const answer = JSON.parse(called.answer.body.toString()) as Answered
  if (answer.token) Object.assign(numbers, { number: answer.token.number })
  const { token, cryptogram = '', ...masked } = answer
  return {
    outcome: Outcome.ANSWERED,
    answer: { ...called.answer, body: Buffer.from(JSON.stringify(masked)) },
    reason: '',
    handle: cryptogram,
    numberKept: token !== undefined,
  }
}

type Answered = { token?: { number: string }; cryptogram?: string }

function fill(body: string, fields: Record<string, string | undefined>): string {
  return JSON.stringify(JSON.parse(body), (_name, value: unknown) =>
    typeof value === 'string' && value in fields ? fields[value] : value,
  )
}
