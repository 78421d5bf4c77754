import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import { Refusal } from '../acquirer/refusal'
import type { CallKind } from '../faults'
import { type Answer, withFaults } from '../partner-call'
import { answerOf, wrongMethod, wrongRoute } from '../partner-routes'
import { bodyErrorStatus, reportBug } from '../problem'
import { issueToken } from './issue'
import { Refused } from './refused'
import { move, type NetworkToken } from './token'
import { presentToken } from './token-answer'
import { readCryptogramRequest } from './token-request'
import type { TokenService } from './token-service'

const BODY_MAX = '64kb'
const ECI = { VISA: '07', MASTERCARD: '06' }

type Call = (merchantId: string, request: Request) => Answer

/** The token service's API, over https. */
export function tokenHost(service: TokenService): Express {
  const app = express().disable('x-powered-by').disable('etag')
  const json = express.json({ type: () => true, limit: BODY_MAX })
  // One listener serves changes and queries, so it refuses connections only when both must fail.
  const call = (kind: CallKind, made: Call) =>
    withFaults({ faults: service.faults, partner: 'TOKEN_SERVICE', kind, door: 'QUERY' }, (request) =>
      answerOf(Refused, () => made(identify(service, request), request)),
    )

  app
    .route('/v1/network-tokens')
    .get(call('QUERY', (merchantId, { query }) => findByReference(service, merchantId, query['reference'])))
    .post(
      json,
      call('CHANGE', (merchantId, { body }) => issueToken(service, merchantId, body)),
    )
    .all(wrongMethod('GET, POST'))
  app
    .route('/v1/network-tokens/:id')
    .get(call('QUERY', (merchantId, request) => ok(find(service, merchantId, request))))
    .all(wrongMethod('GET'))
  app
    .route('/v1/network-tokens/:id/cryptograms')
    .post(
      json,
      call('CHANGE', (merchantId, request) => giveCryptogram(service, merchantId, request)),
    )
    .all(wrongMethod('POST'))
  app
    .route('/v1/network-tokens/:id/deactivate')
    .post(call('CHANGE', (merchantId, request) => deactivate(service, find(service, merchantId, request))))
    .all(wrongMethod('POST'))

  app.use(wrongRoute, sendFailure)
  return app
}

function giveCryptogram(service: TokenService, merchantId: string, request: Request): Answer {
  const token = find(service, merchantId, request)
  const { reference, amount } = readCryptogramRequest(request.body)
  if (token.status !== 'ACTIVE') throw notActive()
  const { value, cryptogram } = service.cryptograms.make({ tokenId: token.id, reference, amount }, Date.now())
  const { expiresAt } = cryptogram
  return { status: 201, body: { cryptogram: value, eci: ECI[token.network], expiresAt } }
}

function deactivate({ lifeCycle }: TokenService, token: NetworkToken): Answer {
  if (token.status === 'DELETED') return ok(token)
  const deleted = move(token, 'DELETED', Date.now())
  if (!deleted) throw notActive()
  lifeCycle.keep(deleted)
  return ok(deleted)
}

function findByReference({ tokens }: TokenService, merchantId: string, reference: unknown): Answer {
  if (typeof reference !== 'string') throw new Refused(400, 'INVALID_REQUEST', 'Invalid: reference')
  const token = tokens.findByReference(merchantId, reference)
  if (!token) throw notFound()
  return ok(token)
}

function find({ tokens }: TokenService, merchantId: string, { params }: Request): NetworkToken {
  const token = tokens.find(merchantId, String(params['id']))
  if (!token) throw notFound()
  return token
}

/** Returns the seller. The acquirer checks the credentials, and refuses them in its own words. */
function identify({ merchants }: TokenService, { headers }: Request): string {
  try {
    return merchants.identify(headers)
  } catch (error) {
    if (error instanceof Refusal) throw new Refused(401, 'UNAUTHORIZED', 'Unknown MerchantId or MerchantKey')
    throw error
  }
}

function ok(token: NetworkToken): Answer {
  return { status: 200, body: presentToken(token) }
}

function notFound(): Refused {
  return new Refused(404, 'NOT_FOUND', 'There is no such token')
}

function notActive(): Refused {
  return new Refused(422, 'TOKEN_NOT_ACTIVE', 'The token is not active')
}

const sendFailure: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = bodyErrorStatus(error)
  if (!status) reportBug(error)
  if (status) response.status(status).json({ code: 'INVALID_REQUEST', message: 'The body cannot be read' })
  else response.status(500).end()
}
