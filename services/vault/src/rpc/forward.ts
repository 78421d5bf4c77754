import { currentCall } from '@cofre/platform/grpc/call-context'
import { DomainError } from '@cofre/platform/errors'
import { isBounded } from '@cofre/platform/json'
import type { PartnerAnswer, PartnerCall, PartnerOutcome } from '@cofre/platform/outbound/partner-call'
import { isDatabaseDown } from '@cofre/platform/postgres/postgres'
import { Outcome, type ForwardRequest, type ForwardResponse } from '@cofre/proto/vault/v1/vault'
import { noEstablishment } from '../accounts/account'
import type { Card } from '../cards/card'
import { readCaptured, type Captured } from '../partners/captured'
import type { Deps } from '../deps'
import { sealHandle } from '../cards/handle'
import { cardOfHandle, cardOfNetworkToken, storedCard } from '../cards/handle-card'
import { isJsonObject, parseJson, type JsonObject } from '../body/json'
import { keepTokenNumber, useNetworkToken } from '../cards/network-token'
import { maskAnswer } from '../partners/partner-answer'
import { fillPlaceholders, invalidCall } from '../partners/partner-body'
import { allowsRoute, type OpenPartner, type PartnerSetting } from '../partners/partners'

/** Left of the call's deadline for the answer to travel back. */
const RETURN_MS = 200

export async function forward(deps: Deps, request: ForwardRequest): Promise<ForwardResponse> {
  const { setting, connection } = allowedPartner(deps, request)
  const body = readBody(request)
  const given = outgoingHeaders(setting, request.headers)
  const needed = Promise.all([cardOf(deps, request), credentialHeaders(deps, setting, request)])
  const found = await needed.catch(unlessDatabaseDown)
  if (!found) return notSent('the database does not answer')
  const [card, credentials] = found
  const call = {
    method: request.method as PartnerCall['method'],
    path: request.path,
    headers: { ...given, ...credentials },
    ...(body ? { body: JSON.stringify(fillPlaceholders(body, setting.fields, card)) } : {}),
    timeoutMs: timeoutOf(request),
  }
  const startedAt = Date.now()
  const outcome: PartnerOutcome =
    call.timeoutMs > 0 ? await connection.call(call) : { outcome: 'not_sent', reason: 'no time left' }
  logOutcome(deps, request, outcome, Date.now() - startedAt)
  if (outcome.outcome !== 'answered') return noAnswer(outcome)
  const captured = readCaptured(outcome.answer.body, setting)
  const kept = await keep(deps, request, captured).catch(unlessDatabaseDown)
  // What the partner gave is lost: who asked must ask for it again.
  if (!kept) return noAnswer({ outcome: 'unknown', reason: 'the database does not answer' })
  return { ...kept, ...answerOf(setting, outcome.answer, card) }
}

function allowedPartner({ partners }: Deps, { partner, method, path }: ForwardRequest): OpenPartner {
  const open = partners.get(partner)
  const isCaller = open?.setting.callers.includes(currentCall()?.caller ?? '')
  if (open && isCaller && allowsRoute(open.setting, method, path)) return open
  throw new DomainError('permission_denied', 'INTERNAL', 'The settings allow no such call to a partner.')
}

function readBody({ body, method, timeoutMs }: ForwardRequest): JsonObject | undefined {
  if (timeoutMs > 0 && body.length === 0) return undefined
  const parsed = parseJson(body)
  if (method !== 'GET' && timeoutMs > 0 && parsed !== undefined && isBounded(parsed) && isJsonObject(parsed))
    return parsed
  throw invalidCall()
}

/**
 * A header that HTTP can't carry is refused here, where it is still certain that nothing was sent. Where a credential
 * stands, a caller's header does not go out.
 */
function outgoingHeaders(
  { headers, credentials }: PartnerSetting,
  given: Record<string, string>,
): Record<string, string> {
  const names = headers.filter((name) => !(name in credentials))
  const allowed = Object.entries(given).filter(([name]) => names.includes(name.toLowerCase()))
  if (allowed.some(([, value]) => !/^[\x20-\x7e]*$/.test(value))) throw invalidCall()
  return { ...Object.fromEntries(allowed), 'content-type': 'application/json' }
}

/** The credentials of the seller's account, in the headers that the settings name. */
async function credentialHeaders(
  { accounts }: Deps,
  { credentials: wanted, accountsOf }: PartnerSetting,
  { sellerId, partner, account }: ForwardRequest,
): Promise<Record<string, string>> {
  const headers = Object.entries(wanted)
  if (headers.length === 0) return {}
  const kept = await accounts.credentials({ sellerId, partner: accountsOf ?? partner, name: account })
  const filled = headers.map(([header, credential]) => [header, kept[credential]])
  if (filled.some(([, value]) => value === undefined)) throw noEstablishment()
  return Object.fromEntries(filled)
}

/**
 * The card that a call is made with: undefined when the call names neither a card nor a network token. A network token
 * that is named is in use from now on.
 */
async function cardOf(
  deps: Deps,
  { sellerId, handle, cardToken, networkToken }: ForwardRequest,
): Promise<Card | undefined> {
  if (networkToken !== '') await useNetworkToken(deps, sellerId, networkToken)
  if (handle !== '') return cardOfHandle(deps, sellerId, handle)
  if (cardToken !== '') return storedCard(deps, sellerId, { token: cardToken })
  return networkToken === '' ? undefined : cardOfNetworkToken(deps, sellerId, networkToken)
}

/** Keeps what must not leave: a number with its network token, a cryptogram in a handle alone. */
async function keep(
  deps: Deps,
  { sellerId, networkToken }: ForwardRequest,
  { number, cryptogram }: Captured,
): Promise<Pick<ForwardResponse, 'handle' | 'numberKept'>> {
  if (networkToken === '') return { handle: '', numberKept: false }
  if (number) await keepTokenNumber(deps, sellerId, networkToken, number)
  const handle = cryptogram ? sealHandle(deps.keys, sellerId, { networkToken, cryptogram }, deps.now()) : ''
  return { handle, numberKept: number !== undefined }
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
  return noAnswer({ outcome: 'not_sent', reason })
}

function noAnswer({ outcome, reason }: Exclude<PartnerOutcome, { outcome: 'answered' }>): ForwardResponse {
  const words = { not_sent: Outcome.NOT_SENT, unknown: Outcome.UNKNOWN }
  return { outcome: words[outcome], answer: undefined, reason, handle: '', numberKept: false }
}

function answerOf(
  setting: PartnerSetting,
  { status, headers, body }: PartnerAnswer,
  sent: Card | undefined,
): Pick<ForwardResponse, 'outcome' | 'answer' | 'reason'> {
  const kept = Object.entries(headers).filter(([name]) => setting.answerHeaders.includes(name))
  const numbers = [sent?.number, sent?.token?.number].filter((number) => number !== undefined)
  const masked = maskAnswer(body, numbers, setting)
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
