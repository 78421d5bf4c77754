import { DomainError } from '@cofre/platform/errors'
import type { Partner, PartnerAnswer, PartnerOutcome } from '@cofre/platform/outbound/partner-call'
import { Outcome, type ForwardRequest, type ForwardResponse } from '@cofre/proto/vault/v1/vault'
import { NO_ACCOUNT, noEstablishment } from './accounts'

/** For each network token: its card's number, and the network's number once an answer held it. */
export type Kept = Map<string, { card: string; number?: string }>

/** Reads a handle: the card's number, `/` and its CVV, `#` and a cryptogram. `deleted`: the card is gone. */
export function numbersOf(handle: string): { number: string; cvv?: string; cryptogram?: string } {
  if (handle === 'deleted')
    throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The card is gone.')
  const [, number = '', cvv, cryptogram] = /^([^/#]*)(?:\/([^#]*))?(?:#(.*))?$/.exec(handle) ?? []
  return { number, ...(cvv ? { cvv } : {}), ...(cryptogram ? { cryptogram } : {}) }
}

/**
 * Forwards as the vault does, with the header `merchantid` as the only credential of the account. Captures the answer
 * of the token service: the number is kept, and the handle of a cryptogram is the cryptogram itself, so that a test
 * sees it. `card`: the number or handle of the card that the request names.
 */
export async function forward(
  partner: Partner,
  kept: Kept,
  request: ForwardRequest,
  card: string,
): Promise<ForwardResponse> {
  if (request.account === NO_ACCOUNT) throw noEstablishment()
  const ofToken = request.networkToken === '' ? undefined : kept.get(request.networkToken)
  if (request.networkToken !== '' && !ofToken)
    throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The network token no longer exists.')
  const called = await send(partner, request, fieldsOf(card === '' && ofToken ? ofToken.card : card))
  if (called.outcome !== 'answered') return noAnswer(called)
  const captured = ofToken
    ? capture(ofToken, called.answer)
    : { answer: called.answer, handle: '', numberKept: false }
  return { outcome: Outcome.ANSWERED, reason: '', grantKept: false, ...captured }
}

/**
 * Makes the call of a request with its body filled in. `secret`: headers that only the vault knows. A path such as
 * `{token_endpoint}` is looked up in the partner's discovery document.
 */
export async function send(
  partner: Partner,
  { method, path, headers, account, body, timeoutMs }: ForwardRequest,
  fields: Fields,
  secret: Record<string, string> = {},
): Promise<PartnerOutcome> {
  const [, endpoint] = /^\{(\w+)\}$/.exec(path) ?? []
  const found = endpoint === undefined ? path : await pathOf(partner, endpoint)
  if (found === undefined) return { outcome: 'not_sent', reason: 'the endpoint is not known' }
  return partner.call({
    method: method as 'GET' | 'POST' | 'PUT',
    path: found,
    headers: { 'content-type': 'application/json', ...headers, merchantid: account, ...secret },
    ...(body.length > 0 ? { body: fill(body.toString(), fields) } : {}),
    timeoutMs,
  })
}

async function pathOf(partner: Partner, endpoint: string): Promise<string | undefined> {
  const path = '/.well-known/openid-configuration'
  const called = await partner.call({ method: 'GET', path, timeoutMs: 3_000 })
  if (called.outcome !== 'answered' || called.answer.status !== 200) return undefined
  const address = (JSON.parse(called.answer.body.toString()) as Record<string, string>)[endpoint]
  return address === undefined ? undefined : new URL(address).pathname
}

export function noAnswer(called: Exclude<PartnerOutcome, { outcome: 'answered' }>): ForwardResponse {
  const outcome = called.outcome === 'not_sent' ? Outcome.NOT_SENT : Outcome.UNKNOWN
  const kept = { handle: '', numberKept: false, grantKept: false }
  return { outcome, answer: undefined, reason: called.reason, ...kept }
}

function capture(kept: { number?: string }, answer: PartnerAnswer) {
  const {
    token,
    cryptogram = '',
    ...masked
  } = JSON.parse(answer.body.toString()) as {
    token?: { number: string }
    cryptogram?: string
  }
  if (token) kept.number = token.number
  const body = Buffer.from(JSON.stringify(masked))
  return { answer: { ...answer, body }, handle: cryptogram, numberKept: token !== undefined }
}

export type Fields = Map<unknown, string | undefined>

/** The value of each placeholder. A placeholder without a value takes its member out of the body. */
export function fieldsOf(handle: string): Fields {
  const { number, cvv, cryptogram } = numbersOf(handle)
  return new Map([
    ['{{cardNumber}}', number],
    ['{{holderName}}', 'ANA SOUZA'],
    ['{{expiration:MM/YYYY}}', '12/2049'],
    ['{{cvv}}', cvv],
    ['{{tokenNumber}}', `4895370000000${number.slice(-3)}`],
    ['{{tokenExpiration:MM/YYYY}}', '11/2049'],
    ['{{cryptogram}}', cryptogram],
  ])
}

function fill(body: string, fields: Fields): string {
  return JSON.stringify(JSON.parse(body), (_name, value: unknown) =>
    fields.has(value) ? fields.get(value) : value,
  )
}
