import type { TLSSocket } from 'node:tls'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import type { CallKind } from '../faults'
import { type Answer, withFaults } from '../partner-call'
import { wrongMethod, wrongRoute } from '../partner-routes'
import { bodyErrorStatus, reportBug } from '../problem'
import { acceptAll, refuse } from './answer-case'
import { isTreated } from './chargeback'
import { establishmentOf, presentCase } from './chargeback-answer'
import { ChargebackRefusal, coded, refused } from './chargeback-refusal'
import { current, paymentOf, type Chargebacks } from './chargebacks'
import { matches, pageOf, readList } from './list-request'

const BODY_MAX = '256kb'
/** A file of 8 MB in base64, and what is around it. */
const FILE_BODY_MAX = '12mb'

type Call = (merchantId: string, request: Request) => Answer | Promise<Answer>

/**
 * The acquirer's chargeback API: a client certificate and an access token on every call. `isTrusting`: the certificate
 * must be of the authority that the listener knows.
 */
export function chargebackHost(chargebacks: Chargebacks, isTrusting: boolean): Express {
  const app = express().disable('x-powered-by').disable('etag')
  const json = express.json({ type: () => true, limit: BODY_MAX })
  const call = (kind: CallKind, made: Call) =>
    // One listener serves changes and queries, so it refuses connections only when both must fail.
    withFaults({ faults: chargebacks.faults, partner: 'CHARGEBACKS', kind, door: 'QUERY' }, (request) =>
      answerOf(() => made(chargebacks.clients.identify(request.get('authorization'), Date.now()), request)),
    )
  app.use(certificateOnly(isTrusting))
  app
    .route('/oauth/token')
    .post(express.urlencoded({ limit: BODY_MAX }), async (request, response) => {
      const form = (request.body ?? {}) as Record<string, unknown>
      const given = await answerOf(() => ({
        status: 200,
        body: chargebacks.clients.giveToken(form, Date.now()),
      }))
      response.status(given.status).json(given.body)
    })
    .all(wrongMethod('POST'))
  for (const list of ['PENDING', 'DONE'] as const) {
    app
      .route(`/chargeback/v1/${list}`)
      .post(
        json,
        call('QUERY', (merchantId, request) => listCases(chargebacks, merchantId, request, list)),
      )
      .all(wrongMethod('POST'))
  }
  app
    .route('/chargeback/v1/lifecycle/:idCase')
    .get(
      call('QUERY', (merchantId, { params }) => lifeCycle(chargebacks, merchantId, String(params['idCase']))),
    )
    .all(wrongMethod('GET'))
  app
    .route('/chargeback/v1/accept')
    .put(
      json,
      call('CHANGE', (merchantId, { body }) => acceptAll(chargebacks, merchantId, body)),
    )
    .all(wrongMethod('PUT'))
  app
    .route('/chargeback/v1/refuse')
    .put(
      express.raw({ type: () => true, limit: FILE_BODY_MAX }),
      call('CHANGE', (merchantId, request) =>
        refuse(chargebacks, merchantId, request.body as Buffer, request.get('content-type') ?? ''),
      ),
    )
    .all(wrongMethod('PUT'))
  app
    .route('/chargeback/v1/supportDocument/:ec/:idChargeback')
    .get(call('QUERY', (merchantId, { params }) => ownDocument(chargebacks, merchantId, params)))
    .all(wrongMethod('GET'))
  app.use(wrongRoute, sendFailure)
  return app
}

function certificateOnly(isTrusting: boolean): RequestHandler {
  return (request, response, next) => {
    const socket = request.socket as TLSSocket
    const isShown = Object.keys(socket.getPeerCertificate()).length > 0
    if (isShown && (socket.authorized || !isTrusting)) next()
    else response.status(403).json({ error: 'client_certificate_required' })
  }
}

/** A defence is read asynchronously, so a refusal may come late. */
async function answerOf(call: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ChargebackRefusal) return { status: error.status, body: error.body }
    throw error
  }
}

function listCases(
  chargebacks: Chargebacks,
  merchantId: string,
  { body, query }: Request,
  list: 'PENDING' | 'DONE',
): Answer {
  const isDone = list === 'DONE'
  const asked = readList(body, query, isDone)
  const found = current(chargebacks, chargebacks.book.list())
    .filter((chargeback) => chargeback.merchantId === merchantId && isTreated(chargeback) === isDone)
    .flatMap((chargeback) => {
      const payment = paymentOf(chargebacks, chargeback)
      return payment ? [{ chargeback, payment }] : []
    })
    .filter((each) => matches(asked, each))
  const page = pageOf(asked, found).map(({ chargeback, payment }) =>
    presentCase(chargeback, payment, Date.now()),
  )
  if (page.length === 0) return { status: 200, body: coded('103') }
  return { status: 200, body: isDone ? page : { content: page } }
}

function lifeCycle(chargebacks: Chargebacks, merchantId: string, idCase: string): Answer {
  const stages = current(chargebacks, chargebacks.book.ofCase(idCase)).filter(
    (each) => each.merchantId === merchantId,
  )
  if (stages.length === 0) return { status: 200, body: coded('103') }
  const steps = stages.flatMap(({ steps: own }) => own)
  return {
    status: 200,
    body: steps.map(({ action, at }) => ({ action, actionDate: new Date(at).toISOString() })),
  }
}

function ownDocument({ book }: Chargebacks, merchantId: string, params: Record<string, unknown>): Answer {
  const chargeback = book.get(String(params['idChargeback']))
  const isOwn = chargeback?.merchantId === merchantId && String(establishmentOf(merchantId)) === params['ec']
  if (!chargeback || !isOwn) throw refused('902')
  const { document } = chargeback
  if (!document) throw refused('927')
  const file = [book.readFile(chargeback).toString('base64')]
  const dateInclusion = new Date(document.at).toISOString()
  return { status: 200, body: { dateInclusion, nameFile: document.name, codigo: '104', mensagem: '', file } }
}

const sendFailure: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = bodyErrorStatus(error)
  if (status) {
    response.status(status).json(coded(status === 413 ? '903' : '900'))
    return
  }
  reportBug(error)
  response.status(500).end()
}
