import { currentCall } from '@cofre/platform/grpc/call-context'
import { DomainError } from '@cofre/platform/errors'
import { isBounded } from '@cofre/platform/json'
import type { PartnerAnswer, PartnerCall, PartnerOutcome } from '@cofre/platform/outbound/partner-call'
import { isDatabaseDown } from '@cofre/platform/postgres/postgres'
import { Outcome, type ForwardRequest, type ForwardResponse } from '@cofre/proto/vault/v1/vault'
import { readCaptured, type Captured } from '../partners/captured'
import type { Deps } from '../deps'
import { sealHandle } from '../cards/handle'
import { isJsonObject, parseJson, type JsonObject } from '../body/json'
import { keepTokenNumber } from '../cards/network-token'
import { saveGrant } from '../grants/grants'
import { findFilling, secretsOf, type Filling } from '../partners/filling'
import { readGranted, type Granted } from '../partners/granted'
import { callersHeaders, outgoingBody, secretHeaders } from '../partners/outgoing-call'
import { maskAnswer, maskHeader } from '../partners/partner-answer'
import { invalidCall, placeholdersIn } from '../partners/partner-body'
import { allowsRoute, type OpenPartner, type PartnerSetting } from '../partners/partners'

/** The time before the call's deadline that is left for the answer to travel back. */
const RETURN_MS = 200

export async function forward(deps: Deps, request: ForwardRequest): Promise<ForwardResponse> {
  const { setting, connection } = allowedPartner(deps, request)
  const body = readBody(request)
  const headers = callersHeaders(setting, request.headers)
  const wanted = placeholdersIn(body ?? {}, setting.fields)
  const filling = await findFilling(deps, setting, request, wanted).catch(unlessDatabaseDown)
  if (!filling) return notSent('the database does not answer')
  const call = {
    method: request.method as PartnerCall['method'],
    path: request.path,
    headers: { ...headers, ...secretHeaders(setting, filling) },
    ...(body ? { body: outgoingBody(setting, body, filling) } : {}),
    timeoutMs: timeoutOf(request),
  }
  const startedAt = Date.now()
  const outcome: PartnerOutcome =
    call.timeoutMs > 0 ? await connection.call(call) : { outcome: 'not_sent', reason: 'no time left' }
  const { sellerId, partner, method, path } = request
  const facts = { sellerId, partner, route: `${method} ${path}`, ms: Date.now() - startedAt }
  deps.tellOutcome(facts, outcome, setting.bearer)
  if (outcome.outcome !== 'answered') return noAnswer(outcome)
  const { answer } = outcome
  const granted = readGranted(answer, setting)
  const kept = await keep(deps, request, filling, { ...readCaptured(answer.body, setting), granted }).catch(
    unlessDatabaseDown,
  )
  // The numbers or tokens of this answer are lost: the caller must request them again.
  if (!kept) return noAnswer({ outcome: 'unknown', reason: 'the database does not answer' })
  if (kept === 'outdated') return noAnswer({ outcome: 'unknown', reason: 'there is a newer grant, or none' })
  return {
    ...kept,
    ...answerOf(setting, answer, [...secretsOf(setting, filling), ...Object.values(granted ?? {})]),
  }
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

/** Keeps a number with its network token, or a grant with its voucher token. A cryptogram goes only into a handle. */
async function keep(
  deps: Deps,
  { sellerId, networkToken, voucherToken }: ForwardRequest,
  filling: Filling,
  { number, cryptogram, granted }: Captured & { granted: Granted | undefined },
): Promise<Pick<ForwardResponse, 'handle' | 'numberKept' | 'grantKept'> | 'outdated'> {
  if (filling.kept && granted) {
    const { grant, version } = filling.kept
    // The code is spent. An answer without a new refresh token leaves the old one.
    const { code: _, ...tokens } = { ...grant, ...granted }
    const saved = await saveGrant(deps, { sellerId, voucherToken }, tokens, version)
    return saved ? { handle: '', numberKept: false, grantKept: true } : 'outdated'
  }
  if (networkToken === '') return { handle: '', numberKept: false, grantKept: false }
  const numberKept = number !== undefined && (await keepTokenNumber(deps, sellerId, networkToken, number))
  const handle = cryptogram ? sealHandle(deps.keys, sellerId, { networkToken, cryptogram }, deps.now()) : ''
  return { handle, numberKept, grantKept: false }
}

/** Returns undefined when the database is down, and throws every other error. */
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
  return {
    outcome: words[outcome],
    answer: undefined,
    reason,
    handle: '',
    numberKept: false,
    grantKept: false,
  }
}

function answerOf(
  setting: PartnerSetting,
  { status, headers, body }: PartnerAnswer,
  secrets: readonly string[],
): Pick<ForwardResponse, 'outcome' | 'answer' | 'reason'> {
  const shown = Object.entries(headers)
    .filter(([name]) => setting.answerHeaders.includes(name))
    .map(([name, value]) => [name, maskHeader(value, secrets)])
  return {
    outcome: Outcome.ANSWERED,
    answer: { status, headers: Object.fromEntries(shown), body: maskAnswer(body, secrets, setting) },
    reason: '',
  }
}
