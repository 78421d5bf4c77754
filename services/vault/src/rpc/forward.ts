import { databaseNow } from '@cofre/platform/service/database-clock'
import { isBounded } from '@cofre/platform/json'
import type { PartnerCall } from '@cofre/platform/outbound/partner-call'
import type { ForwardRequest, ForwardResponse } from '@cofre/proto/vault/v1/vault'
import { allowedPartner, timeoutOf } from '../partners/allowed-partner'
import { answerOf, noAnswer, notSent, unlessDatabaseDown } from '../partners/call-outcome'
import { readCaptured, type Captured } from '../partners/captured'
import type { Deps } from '../deps'
import { sealHandle } from '../cards/handle'
import { isJsonObject, parseJson, type JsonObject } from '../body/json'
import { keepTokenNumber } from '../cards/network-token'
import { renewCard } from '../cards/renew-card'
import { saveGrant } from '../grants/grants'
import { findFilling, secretsOf, type Filling } from '../partners/filling'
import { readGranted, type Granted } from '../partners/granted'
import { callersHeaders, outgoingBody, secretHeaders } from '../partners/outgoing-call'
import { invalidCall, placeholdersIn } from '../partners/partner-body'
import { sendCall } from '../partners/send-call'

const WITHOUT_BODY = ['GET', 'DELETE']

export async function forward(deps: Deps, request: ForwardRequest): Promise<ForwardResponse> {
  const partner = allowedPartner(deps, request, ({ routes }) => routes)
  const { setting, pathOf } = partner
  const body = readBody(request)
  const headers = callersHeaders(setting, request.headers)
  const wanted = placeholdersIn(body ?? {}, setting.fields)
  const filling = await findFilling(deps, setting, request, wanted).catch(unlessDatabaseDown)
  if (!filling) return noAnswer(notSent('the database does not answer'))
  const until = databaseNow() + timeoutOf(request)
  const path = await pathOf(request.path, until - databaseNow())
  if (path === undefined) return noAnswer(notSent('the endpoint is not known'))
  const call = {
    method: request.method as PartnerCall['method'],
    path,
    route: partner.route,
    headers: { ...headers, ...secretHeaders(setting, filling) },
    ...(body ? { body: outgoingBody(setting, body, filling) } : {}),
  }
  const { outcome, tokens } = await sendCall(deps, partner, filling.account, { call, until, request })
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
    ...answerOf(setting, answer, [
      ...secretsOf(setting, filling),
      ...tokens,
      ...Object.values(granted ?? {}),
    ]),
  }
}

function readBody({ body, method, timeoutMs }: ForwardRequest): JsonObject | undefined {
  if (timeoutMs > 0 && body.length === 0) return undefined
  const parsed = parseJson(body)
  if (
    !WITHOUT_BODY.includes(method) &&
    timeoutMs > 0 &&
    parsed !== undefined &&
    isBounded(parsed) &&
    isJsonObject(parsed)
  )
    return parsed
  throw invalidCall()
}

/** Keeps a number with its network token or stored card, or a grant with its voucher token. A cryptogram goes only into a handle. */
async function keep(
  deps: Deps,
  { sellerId, networkToken, voucherToken }: ForwardRequest,
  filling: Filling,
  { number, cryptogram, renewed, granted }: Captured & { granted: Granted | undefined },
): Promise<Pick<ForwardResponse, 'handle' | 'numberKept' | 'grantKept'> | 'outdated'> {
  if (filling.kept && granted) {
    const { grant, version } = filling.kept
    // The code is spent. An answer without a new refresh token leaves the old one.
    const { code: _, ...tokens } = { ...grant, ...granted }
    const saved = await saveGrant(deps, { sellerId, voucherToken }, tokens, version)
    return saved ? { handle: '', numberKept: false, grantKept: true } : 'outdated'
  }
  if (networkToken === '') {
    const { card } = filling
    const numberKept = card && renewed ? await renewCard(deps, sellerId, { ...card, ...renewed }) : false
    return { handle: '', numberKept, grantKept: false }
  }
  const numberKept = number !== undefined && (await keepTokenNumber(deps, sellerId, networkToken, number))
  const handle = cryptogram ? sealHandle(deps.keys, sellerId, { networkToken, cryptogram }, deps.now()) : ''
  return { handle, numberKept, grantKept: false }
}
