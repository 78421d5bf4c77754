import { DomainError } from '@cofre/platform/errors'
import { addressKey } from '@cofre/platform/outbound/address-key'
import type { Request, RequestHandler, Response } from 'express'
import type { Deps } from '../deps'
import { countRunning } from './in-flight'
import type { Allowance, RateLimit } from './rate-limit'
import type { Route } from './route'
import { mayUse, type UsedToken } from '../sellers/api-tokens/token'

/**
 * Returns the token of a request, once it is counted against its limit and found to allow the route. A public route has
 * no token: there, and where the token is not good, the request counts against the caller's address.
 */
export async function authenticate(
  deps: Deps,
  route: Route,
  req: Request,
  res: Response,
): Promise<UsedToken | undefined> {
  const address = addressKey(req.ip)
  if (route.scope === 'public') {
    if (!route.uncounted) countStranger(deps, req, res)
    return undefined
  }
  const token = await verify(deps, req, res, address)
  count(deps.rateLimit, 'token', token.id, res)
  deps.lastUses.note(token.id)
  // For the log and the history, also when the request is refused from here on.
  Object.assign(res.locals, { sellerId: token.sellerId, tokenId: token.id })
  if (route.scope !== 'any' && !mayUse(token, route.scope)) {
    res.setHeader('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${route.scope}"`)
    throw new DomainError(
      'permission_denied',
      'SCOPE_MISSING',
      `This operation needs the scope ${route.scope}.`,
    )
  }
  return token
}

/** RFC 6750: a caller without a token gets no error code, only the scheme `Bearer`. */
async function verify(deps: Deps, req: Request, res: Response, address: string): Promise<UsedToken> {
  const jwt = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(req.headers.authorization ?? '')?.[1]
  try {
    if (jwt === undefined) {
      throw new DomainError('unauthenticated', 'TOKEN_INVALID', noToken(req.headers.authorization))
    }
    // Each failed guess counts against its address. Only tokens known to be good skip this check.
    if (!deps.verifier.isKnown(jwt)) refuseUnlessAllowed(deps.anonymousLimit.look(address))
    return await deps.verifier.verify(jwt)
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unauthenticated') {
      countStranger(deps, req, res)
      const fault = jwt === undefined ? '' : ` error="invalid_token", error_description="${error.message}"`
      res.setHeader('WWW-Authenticate', `Bearer${fault}`)
    }
    throw error
  }
}

function noToken(authorization: string | undefined): string {
  if (authorization === undefined)
    return 'The Authorization header is missing. Send "Bearer", a space and a token.'
  return 'The Authorization header must be "Bearer", a space and a token as the portal showed it.'
}

/** Counts a request without a good token against its address. Throws RATE_LIMITED. */
export function countStranger(deps: Pick<Deps, 'anonymousLimit'>, req: Request, res: Response): void {
  count(deps.anonymousLimit, 'address', addressKey(req.ip), res)
}

/** Counts a request to a public page, and the requests of its address that run at once. Throws RATE_LIMITED. */
export function takeStranger(deps: Pick<Deps, 'anonymousLimit' | 'inFlight'>): RequestHandler {
  return (req, res, next) => {
    countStranger(deps, req, res)
    countRunning(deps.inFlight, req, res)
    next()
  }
}

/** Refuses a stranger whose address has used its limit, without counting. Throws RATE_LIMITED. */
export function refuseCounted(deps: Deps, req: Request): void {
  refuseUnlessAllowed(deps.anonymousLimit.look(addressKey(req.ip)))
}

/** Takes one request from a bucket and sets its RateLimit headers (draft-ietf-httpapi-ratelimit-headers). */
function count(limit: RateLimit, name: 'token' | 'address', key: string, res: Response): void {
  const allowance = limit.take(key)
  const { quota, windowSeconds } = limit.policy
  res.setHeader('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`)
  res.setHeader('RateLimit', `"${name}";r=${allowance.remaining};t=${allowance.fullInSeconds}`)
  refuseUnlessAllowed(allowance)
}

function refuseUnlessAllowed({ allowed, retryAfterSeconds }: Allowance): void {
  if (allowed) return
  throw new DomainError('rate_limited', 'RATE_LIMITED', 'Too many requests.', { retryAfterSeconds })
}
