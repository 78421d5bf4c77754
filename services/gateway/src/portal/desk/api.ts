import { currentCall, runCall } from '@cofre/platform/grpc/call-context'
import { notFound } from '@cofre/platform/errors'
import { toReplayable } from '@cofre/platform/grpc/replayable'
import type { Request, Response } from 'express'
import { routes } from '../../api/all-routes'
import type { Answer } from '../../http/answer'
import { faultsOf, mergeFaults, refuseFaults, tooLongIn } from '../../http/faults'
import { fingerprintsOf } from '../../http/fingerprint'
import { misplacedCards } from '../../http/misplaced-cards'
import { checkedBody } from '../../http/read-request'
import type { Route } from '../../http/route'
import { hasRight, mayDo } from '../../sellers/roles'
import type { Portal } from '../portal-context'
import { notAllowed } from '../portal-fault'
import { callerOf, sessionOf } from '../session'
import { wordsOf } from '../words/language'
import type { Ask, Thing } from './thing'

const byOperation = new Map(routes.map((route) => [route.operationId, route]))

export function routeOf(operation: string): Route {
  const route = byOperation.get(operation)
  if (!route) throw new Error(`the API has no operation ${operation}`)
  return route
}

/** True when the role of the signed-in person allows an operation of the API. */
export function allows(res: Response, operation: string): boolean {
  return mayDo(sessionOf(res).role, routeOf(operation))
}

/** True when the signed-in person may see a kind of things. */
export function maySee(res: Response, { list, right }: Thing): boolean {
  return allows(res, list) && (right === undefined || hasRight(sessionOf(res).role, right))
}

type Asked = { params?: object; query?: Record<string, string> }

/** Asks the API for the signed-in seller, as a token of it would. Throws what the API answers as a problem. */
export async function askApi(
  portal: Portal,
  res: Response,
  operation: string,
  { params = {}, query = {} }: Asked = {},
): Promise<Answer> {
  const route = permitted(res, operation)
  const checked = route.query?.safeParse(query, { reportInput: true })
  const misplaced = misplacedCards(query, tooLongIn(checked?.error))
  const faults = mergeFaults(misplaced, checked?.error ? faultsOf(checked.error) : [])
  if (faults.length > 0) throw refuseFaults(faults, 'query')
  return run(portal, res, route, { params, query: checked?.data, body: undefined })
}

/** Asks the API for what a form offers or looks up: for one page, the same thing once. */
export function askOf(portal: Portal, res: Response): Ask {
  const asked = (res.locals.asked ??= new Map()) as Map<string, Promise<unknown>>
  return (operation, query, params = {}) => {
    const name = JSON.stringify([operation, query, params])
    const asking =
      asked.get(name) ?? askApi(portal, res, operation, { query, params }).then(({ body }) => body)
    asked.set(name, asking)
    return asking
  }
}

type Sent = { params: Record<string, string | number>; body: Record<string, unknown>; key: string }

/**
 * Sends a request that changes something. `key`: its Idempotency-Key, one for each shown form, so that a double click
 * does one thing. Throws what the API answers as a problem.
 */
export async function sendApi(
  portal: Portal,
  req: Request,
  res: Response,
  operation: string,
  { params, body: given, key }: Sent,
): Promise<Answer> {
  const route = permitted(res, operation)
  const call = currentCall()
  if (!call) throw new Error('a form outside a call')
  const body = route.body ? checkedBody(portal, route, req, given) : undefined
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'sellerId' ? String(sessionOf(res).sellerId) : String(params[name]),
  )
  // The service compares a file by itself.
  const { file: _file, ...compared } = given
  const prints = fingerprintsOf(portal.fingerprintKeys, compared)
  const idempotency = { key, method: route.method, path, ...prints }
  return runCall(route.message ? { ...call, idempotency } : call, () =>
    run(portal, res, route, { params, body }),
  )
}

function permitted(res: Response, operation: string): Route {
  const route = routeOf(operation)
  if (mayDo(sessionOf(res).role, route)) return route
  throw notAllowed()
}

async function run(
  portal: Portal,
  res: Response,
  route: Route,
  { params: given, query, body }: { params: object; query?: unknown; body: unknown },
): Promise<Answer> {
  const { id, sellerId } = sessionOf(res)
  portal.rateLimit.spend(callerOf(id))
  const params = route.params?.safeParse(textsOf(given))
  if (params && !params.success) throw notFound()
  const { callsPartner: partner } = route
  const asked = { sellerId, params: params?.data }
  const callsPartner = typeof partner === 'function' ? await partner(asked, portal) : partner
  const leave = callsPartner ? portal.inFlight.enter({ callsPartner }) : () => {}
  try {
    const request = { ...asked, scopes: [], query, body, cards: [] }
    const { response } = toReplayable(await route.handle(request, portal))
    const { baseUrl } = portal
    return route.present(response, { baseUrl, sellerId, query, language: wordsOf(res).language })
  } finally {
    leave()
  }
}

/** Parameters as a path holds them. */
function textsOf(given: object): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
}
