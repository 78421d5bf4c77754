import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import { type Answer, withFaults } from '../partner-call'
import { answerOf } from '../partner-routes'
import { bodyErrorStatus, reportBug } from '../problem'
import type { PixRoute } from './call'
import type { PixBank } from './pix-bank'
import { PixRefusal } from './pix-refusal'
import { ROUTES } from './pix-routes'

const BODY_MAX = '256kb'

/** The API Pix 2.9.0 of a bank, over https, and its token endpoint. Callers show a client certificate. */
export function pixHost(bank: PixBank): Express {
  const app = express().disable('x-powered-by').disable('etag')
  // A call for a token changes nothing at the bank: a fault of changes hits the call that needs the token.
  const faulty = { faults: bank.faults, partner: 'PIX_BANK', door: 'QUERY' } as const
  app.post(
    '/oauth/token',
    express.urlencoded({ limit: BODY_MAX }),
    withFaults({ ...faulty, kind: 'QUERY' }, (request) => bank.clients.grant(request)),
  )
  app.use(express.json({ type: () => true, limit: BODY_MAX }))
  for (const route of ROUTES) {
    const [method, path, scope] = route
    const kind = scope.endsWith('.read') ? 'QUERY' : 'CHANGE'
    app[method](
      path,
      withFaults({ ...faulty, kind }, async (request) => {
        const now = kind === 'CHANGE' ? await bank.now() : Date.now()
        return asProblem(
          request,
          answerOf(PixRefusal, () => callOf(bank, route, request, now)),
        )
      }),
    )
  }
  app.use((request: Request, response: Response) => {
    const { status, body } = new PixRefusal('NaoEncontrado')
    response.status(status).type('application/problem+json').send(JSON.stringify(body))
    request.resume()
  }, sendFailure)
  return app
}

function callOf(bank: PixBank, [, , scope, made]: PixRoute, request: Request, now: number): Answer {
  const client = bank.clients.identify(request, scope)
  const { query, body } = request
  // No path of this API repeats a parameter.
  const params = request.params as Record<string, string>
  return made(bank, { client, params, query, body, now })
}

/** The body of a refusal has a content type of its own. */
function asProblem({ res }: Request, answer: Answer): Answer {
  if (answer.status >= 400) res?.type('application/problem+json')
  if (answer.status === 401) res?.set('WWW-Authenticate', 'Bearer error="invalid_token"')
  return answer
}

const sendFailure: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = bodyErrorStatus(error)
  if (!status) {
    reportBug(error)
    response.status(500).end()
    return
  }
  const { body } = new PixRefusal('RequisicaoInvalida')
  response.status(400).type('application/problem+json').send(JSON.stringify(body))
}
