import { currentCall } from '@cofre/platform/call-context'
import { DomainError } from '@cofre/platform/errors'
import { isBounded } from '@cofre/platform/json-bounds'
import type { PartnerCall, PartnerOutcome } from '@cofre/platform/partner-call'
import { isDatabaseDown } from '@cofre/platform/postgres'
import { Outcome, type ForwardRequest, type ForwardResponse } from '@cofre/proto/vault/v1/vault'
import type { Card } from '../card'
import type { Deps } from '../deps'
import { openHandle } from '../handle'
import { isJsonObject, parseJson, type JsonObject } from '../json'
import { maskAnswer } from '../partner-answer'
import { fillPlaceholders } from '../partner-body'
import type { OpenPartner, PartnerSetting } from '../partners'
import { revealCard } from '../stored-number'

/** Left of the call's deadline for the answer to travel back. */
const RETURN_MS = 200

export async function forward(deps: Deps, request: ForwardRequest): Promise<ForwardResponse> {
  const { setting, connection } = allowedPartner(deps, request)
  const body = readBody(request)
  const headers = outgoingHeaders(setting, request.headers)
  const card = await cardOf(deps, request).catch(unlessDatabaseDown)
  if (!card) return notSent('the database does not answer')
  const call = {
    method: request.method as PartnerCall['method'],
    path: request.path,
    headers,
    body: JSON.stringify(fillPlaceholders(body, setting.fields, card)),
    timeoutMs: timeoutOf(request),
  }
  const startedAt = Date.now()
  const outcome: PartnerOutcome =
    call.timeoutMs > 0 ? await connection.call(call) : { outcome: 'not_sent', reason: 'no time left' }
  logOutcome(deps, request, outcome, Date.now() - startedAt)
  return toResponse(setting, outcome, card)
}

function allowedPartner({ partners }: Deps, { partner, method, path }: ForwardRequest): OpenPartner {
  const open = partners.get(partner)
  if (open?.setting.routes.includes(`${method} ${path}`)) return open
  throw new DomainError('permission_denied', 'INTERNAL', 'The settings allow no such call to a partner.')
}

function readBody({ body, timeoutMs }: ForwardRequest): JsonObject {
  const parsed = parseJson(body)
  if (timeoutMs > 0 && parsed !== undefined && isBounded(parsed) && isJsonObject(parsed)) return parsed
  throw invalidCall()
}

/** A header that HTTP can't carry is refused here, where it is still certain that nothing was sent. */
function outgoingHeaders({ headers }: PartnerSetting, given: Record<string, string>): Record<string, string> {
  const allowed = Object.entries(given).filter(([name]) => headers.includes(name.toLowerCase()))
  if (allowed.some(([, value]) => !/^[\x20-\x7e]*$/.test(value))) throw invalidCall()
  return { ...Object.fromEntries(allowed), 'content-type': 'application/json' }
}

async function cardOf({ pool, keys, now }: Deps, { sellerId, handle }: ForwardRequest): Promise<Card> {
  const sealed = await openHandle(keys, sellerId, handle, now())
  if ('card' in sealed) return sealed.card
  const stored = await revealCard(pool, keys, sellerId, sealed.cardId)
  if (!stored) throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The card was deleted.')
  return sealed.cvv ? { ...stored, cvv: sealed.cvv } : stored
}

/** Without the number nothing can have been sent, and who asked may know that much. */
function unlessDatabaseDown(error: unknown): undefined {
  if (!isDatabaseDown(error)) throw error
}

function timeoutOf({ timeoutMs }: ForwardRequest): number {
  const deadline = currentCall()?.deadline ?? Infinity
  return Math.floor(Math.min(timeoutMs, deadline - Date.now() - RETURN_MS))
}

function notSent(reason: string): ForwardResponse {
  return { outcome: Outcome.NOT_SENT, answer: undefined, reason }
}

function toResponse(setting: PartnerSetting, result: PartnerOutcome, sent: Card): ForwardResponse {
  if (result.outcome === 'not_sent') return notSent(result.reason)
  if (result.outcome === 'unknown')
    return { outcome: Outcome.UNKNOWN, answer: undefined, reason: result.reason }
  const { status, headers, body } = result.answer
  const kept = Object.entries(headers).filter(([name]) => setting.answerHeaders.includes(name))
  const masked = maskAnswer(body, sent.number, setting.identifiers)
  return {
    outcome: Outcome.ANSWERED,
    answer: { status, headers: Object.fromEntries(kept), body: masked },
    reason: '',
  }
}

function logOutcome(
  { log }: Deps,
  { sellerId, partner, method, path }: ForwardRequest,
  result: PartnerOutcome,
  ms: number,
): void {
  const { outcome } = result
  const detail = outcome === 'answered' ? { status: result.answer.status } : { reason: result.reason }
  log.info({ sellerId, partner, route: `${method} ${path}`, outcome, ms, ...detail }, 'partner called')
}

function invalidCall(): DomainError {
  return new DomainError('invalid_argument', 'INTERNAL', 'The call to the partner is not well formed.')
}
