import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import { z } from 'zod'
import type { CallKind } from '../faults'
import { type Answer, withFaults } from '../partner-call'
import { answerOf, wrongMethod, wrongRoute } from '../partner-routes'
import { bodyErrorStatus, reportBug } from '../problem'
import { asOf, type Authentication, begin } from './authentication'
import { brandOf, planFor } from './authentication-cards'
import { ServerRefusal } from './server-refusal'
import type { ThreeDSecure } from './three-d-secure'

const BODY_MAX = '64kb'
const VERSION = '2.2.0'

const authenticationRequest = z.object({
  card: z.object({
    number: z.string().regex(/^\d{13,19}$/),
    expiration: z.string().regex(/^(0[1-9]|1[0-2])\/\d{4}$/),
  }),
  amount: z
    .int()
    .min(1)
    .max(10 ** 12),
  currency: z.literal('BRL'),
  merchantName: z.string().min(1).max(255),
  returnUrl: z.url({ protocol: /^https?$/ }).max(2_048),
})

type Call = (merchantId: string, request: Request) => Answer

/** The API of the 3-D Secure server (an MPI), over https. */
export function threeDSecureHost(server: ThreeDSecure): Express {
  const app = express().disable('x-powered-by').disable('etag')
  const json = express.json({ type: () => true, limit: BODY_MAX })
  // One listener serves changes and queries, so it refuses connections only when both must fail.
  const call = (kind: CallKind, made: Call) =>
    withFaults({ faults: server.faults, partner: 'ACS', kind, door: 'QUERY' }, (request) =>
      answerOf(ServerRefusal, () => made(server.keys.identify(request.headers), request)),
    )

  app
    .route('/authentications')
    .post(
      json,
      call('CHANGE', (merchantId, { body }) => authenticate(server, merchantId, body)),
    )
    .all(wrongMethod('POST'))
  app
    .route('/authentications/:id')
    .get(
      call('QUERY', (merchantId, { params }) => {
        const found = server.book.find(merchantId, String(params['id']))
        if (!found) throw new ServerRefusal(404, 'NOT_FOUND')
        return { status: 200, body: present(server, asOf(found, Date.now())) }
      }),
    )
    .all(wrongMethod('GET'))

  app.use(wrongRoute, sendFailure)
  return app
}

/** Drops the card number from memory, keeping only its last four digits. */
function authenticate(server: ThreeDSecure, merchantId: string, body: unknown): Answer {
  const { card, amount, merchantName, returnUrl } = read(body)
  const { number } = card
  const asked = {
    merchantId,
    merchantName,
    brand: brandOf(number) ?? 'OTHER',
    cardLastFour: number.slice(-4),
    amount,
    returnUrl,
  }
  const authentication = begin(asked, planFor(number), Date.now())
  server.book.save(authentication)
  return { status: 201, body: present(server, authentication) }
}

function read(body: unknown): z.output<typeof authenticationRequest> {
  const { success, data, error } = authenticationRequest.safeParse(body)
  if (success) return data
  const fields = new Set(error.issues.map(({ path }) => path.join('.') || 'the body'))
  throw new ServerRefusal(400, 'INVALID_REQUEST', [...fields])
}

/** Returns the answer to the seller. Only its value proves that the payer was authenticated. */
function present({ pageUrl }: ThreeDSecure, authentication: Authentication) {
  const { id, status, reason, eci, authenticationValue, dsTransactionId, challengeId } = authentication
  const challengeUrl = status === 'CHALLENGE' ? `${pageUrl}/acs/challenges/${challengeId}` : null
  return { id, status, reason, eci, authenticationValue, dsTransactionId, version: VERSION, challengeUrl }
}

const sendFailure: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = bodyErrorStatus(error)
  if (!status) reportBug(error)
  if (status) response.status(status).json({ code: 'INVALID_REQUEST', fields: ['the body'] })
  else response.status(500).end()
}
