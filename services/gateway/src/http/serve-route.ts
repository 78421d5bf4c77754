import { currentCall, runCall, type Call, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { DomainError } from '@cofre/platform/errors'
import { toReplayable } from '@cofre/platform/grpc/replayable'
import type { Express, RequestHandler } from 'express'
import { sendAnswer, sendRead, sendText } from './answer'
import { authenticate } from './authenticate'
import { countRunning, untilClosed } from './in-flight'
import type { Deps } from '../deps'
import { readBytes, readParams, readQuery, readRequestBody, type ReadBody } from './read-request'
import { turnOf } from './read-body'
import { LANGUAGES, pathsOf, type Language, type Method, type Route } from './route'

/** Serves every route at its paths. Another method on a known path gets 405, OPTIONS the list of methods. */
export function serveRoutes(app: Express, deps: Deps, routes: readonly Route[]): void {
  const byPath = new Map<string, Route[]>()
  for (const route of routes) {
    for (const path of pathsOf(route)) byPath.set(path, [...(byPath.get(path) ?? []), route])
  }
  for (const [path, ofPath] of byPath) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1')
    for (const route of ofPath) {
      const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
      app[method](pattern, serveRoute(deps, route))
    }
    app.all(pattern, refuseMethod(ofPath.map(({ method }) => method)))
  }
}

/** Handles a request, step by step from top to bottom. */
function serveRoute(deps: Deps, route: Route): RequestHandler {
  return async (req, res) => {
    res.locals.route = route
    const token = await authenticate(deps, route, req, res)
    const sendsFile = route.body?.kind === 'form'
    if (!route.uncounted) countRunning(deps.inFlight, req, res, { token, sendsFile })
    const sellerId = token?.sellerId ?? 0
    const params = readParams(route, req, sellerId)
    const query = readQuery(route, req)
    const bytes = await readBytes(route, req, res)
    // Takes a place only after the body has come: a body that trickles in holds none. A file alone comes while it holds one
    // of its own kind.
    const { callsPartner: partner } = route
    const callsPartner = typeof partner === 'function' ? await partner({ sellerId, params }, deps) : partner
    const leave = untilClosed(res, deps.inFlight.enter({ ...route, callsPartner }))
    await turnOf(bytes)
    const named = { sellerId, lenient: token?.lenient ?? false, params, bytes }
    const { body, cards, kept, ...keys } = await readRequestBody(deps, route, req, named)
    res.locals.body = body
    const request = { sellerId, scopes: token?.scopes ?? [], params, query, body, cards }
    const answered = kept
      ? { response: route.message?.decode(kept), replayed: true }
      : await underKey(keys, () => route.handle(request, deps))
    const { response, replayed } = toReplayable(answered)
    if (replayed) res.setHeader('Idempotency-Replayed', 'true')
    const language = (req.acceptsLanguages([...LANGUAGES]) || 'en') as Language
    const answer = route.present(response, { baseUrl: deps.baseUrl, sellerId, query, language })
    // The work is done: a caller that takes the answer slowly holds no place.
    leave()
    if (route.translated) res.vary('Accept-Language')
    if (answer.fixed) await answer.fixed(res)
    else if (answer.text) await sendText(res, answer)
    else if (route.method === 'GET') await sendRead(res, answer)
    else sendAnswer(res, answer)
  }
}

/** Retries with the vault's fingerprint when the key was used with another one: it may be the same request. */
async function underKey<Answer>(
  { idempotency, sealedKey }: Pick<ReadBody, 'idempotency' | 'sealedKey'>,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await runCall(callWith(idempotency), handle)
  } catch (error) {
    if (!sealedKey || !(error instanceof DomainError) || error.reason !== 'IDEMPOTENCY_KEY_REUSED')
      throw error
    return runCall(callWith(await sealedKey()), handle)
  }
}

/** The call of this request, with its Idempotency-Key. */
function callWith(idempotency: IdempotencyKey | undefined): Call {
  const call = currentCall()
  if (!call) throw new Error('a route outside a call')
  return idempotency ? { ...call, idempotency } : call
}

/** Answers 405 with `Allow`, and OPTIONS with `Allow` alone. */
export function refuseMethod(methods: readonly Method[]): RequestHandler {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const allow = [...allowed, 'OPTIONS'].join(', ')
  return (req, res) => {
    res.setHeader('Allow', allow)
    if (req.method === 'OPTIONS') return sendAnswer(res, { status: 204 })
    throw new DomainError('invalid_argument', 'METHOD_NOT_ALLOWED', `Allowed here: ${allow}.`)
  }
}
