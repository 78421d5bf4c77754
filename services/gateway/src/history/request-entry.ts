import { holdsCardNumber } from '@cofre/platform/card/card-number'
import type { HistoryEntry } from '@cofre/platform/history/history'
import { randomHex } from '@cofre/platform/random-hex'
import type { Route } from '../http/route'
import { recordedPart } from './recorded-fields'
import type { RequestRecord, RequestRecordDetail } from './request-record'

/** A request that was answered, or whose caller left. */
export type EndedRequest = {
  /** When the request began, epoch milliseconds. */
  at: number
  durationMs: number
  requestId: string
  traceparent: string
  method: string
  /** The path, reduced to our own words and well-formed ids. */
  path: string
  address: string
  /** Undefined when the caller left before the answer. */
  status: number | undefined
  /** Undefined when no route of ours matched. */
  route: Route | undefined
  /** 0 without a good token. */
  sellerId: number
  tokenId: string | undefined
  /** The body after the route's schema; undefined when it was refused. */
  body: unknown
  /** The JSON of the answer. */
  answer: unknown
}

type Detail = Pick<RequestRecordDetail, 'body' | 'answer'> &
  Pick<RequestRecord, 'traceId' | 'path' | 'durationMs' | 'tokenId' | 'address'>

const MAX_BODY_CHARACTERS = 8_000
/** The resource of routes that ask for no scope of the token. */
const NO_RESOURCE = 'any'

/** Returns the entry that the history keeps of a request. */
export function requestEntry(request: EndedRequest): HistoryEntry {
  const { at, requestId, traceparent, route, status, sellerId } = request
  const answer = membersOf(request.answer)
  const detail: Detail = {
    traceId: traceparent.split('-')[1] ?? '',
    path: request.path,
    durationMs: request.durationMs,
    tokenId: request.tokenId ?? null,
    address: request.address,
    body: keptBody(request),
    answer: keptAnswer(answer),
  }
  return {
    id: newEntryId(at),
    at,
    sellerId,
    subject: requestId,
    facts: {
      method: request.method,
      route: route?.path ?? '',
      path: request.path,
      resource: route ? resourceOf(route) : NO_RESOURCE,
      status: status ?? 0,
      code: status !== undefined && status >= 400 && typeof answer.code === 'string' ? answer.code : '',
    },
    detail: JSON.stringify(detail),
  }
}

/** The resource that a token must be allowed to read to see requests to a route: `orders` of `orders:write`. */
export function resourceOf({ scope }: Pick<Route, 'scope'>): string {
  return scope.includes(':') ? (scope.split(':')[0] ?? NO_RESOURCE) : NO_RESOURCE
}

export function presentRequest({ id, at, subject, facts, detail }: HistoryEntry): RequestRecord {
  const { traceId, path, durationMs, tokenId, address } = JSON.parse(detail) as Detail
  return {
    id,
    requestId: subject,
    traceId,
    method: String(facts.method),
    route: String(facts.route) || null,
    path,
    status: Number(facts.status) || null,
    code: String(facts.code) || null,
    durationMs,
    tokenId,
    address,
    createdAt: at,
  }
}

export function presentRequestDetail(entry: HistoryEntry): RequestRecordDetail {
  const { body, answer } = JSON.parse(entry.detail) as Detail
  return { ...presentRequest(entry), body: body ?? null, answer }
}

/** Ids begin with the time, so that entries written together are stored together. */
function newEntryId(at: number): string {
  return `${at.toString(16).padStart(12, '0')}${randomHex(10)}`
}

function keptBody({ route, body }: EndedRequest): unknown {
  const part = recordedPart(route?.body?.recorded, body)
  if (part === undefined) return null
  const text = JSON.stringify(part)
  // A second check: a list of fields can't know the values that callers write into them.
  return text.length > MAX_BODY_CHARACTERS || holdsCardNumber(text) ? null : part
}

/** Keeps the id and state of the answered resource, or the faults. A problem's pointers quote no values. */
function keptAnswer({ id, status, errors }: Record<string, unknown>): Detail['answer'] {
  return {
    ...(typeof id === 'number' || typeof id === 'string' ? { id } : {}),
    ...(typeof status === 'string' ? { status } : {}),
    ...(Array.isArray(errors)
      ? {
          errors: (errors as { pointer: string; code: string }[]).map(({ pointer, code }) => ({
            pointer,
            code,
          })),
        }
      : {}),
  }
}

function membersOf(answer: unknown): Record<string, unknown> {
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
}
