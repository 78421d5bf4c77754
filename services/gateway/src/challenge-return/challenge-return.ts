import { DomainError, notFound } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { addressKey } from '@cofre/platform/outbound/address-key'
import { ChallengeStatus } from '@cofre/proto/invoices/v1/three_d_secure'
import { Router, type Request, type Response } from 'express'
import type { CardTries } from '../checkout/card-tries'
import { NOT_AUTHENTICATED, PAYER } from '../checkout/payer-back'
import type { Deps } from '../deps'
import { countStranger } from '../http/authenticate'
import { callerOf, untilClosed } from '../http/in-flight'

/** Where the issuer's page sends the payer's browser back to. */
export const CHALLENGE_RETURNS = '/checkout/:publicId/three-d-secure/:challengeId'

const ID = /^[\w-]{22}$/
/** The service asks the 3-D Secure server, and charges a card. */
const FINISHING = { timeoutMs: 28_000, movesMoney: true }

/** `tries`: what the checkout counts of declined cards. */
type ReturnDeps = Deps & { tries: CardTries }

/**
 * Ends a challenge of 3-D Secure, and leads the payer to the page of the invoice, which says how it went. What the browser
 * brings beside the two ids is not read: the issuer is asked.
 */
export function challengeReturn(deps: ReturnDeps): Router {
  const router = Router({ caseSensitive: true })
  router.all(CHALLENGE_RETURNS, async (req, res) => {
    // Some issuers send a form.
    if (req.method !== 'GET' && req.method !== 'POST') throw onlyGetAndPost(res)
    const publicId = req.params.publicId
    const status = await finish(deps, req, res, { publicId, challengeId: req.params.challengeId })
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    const query = status === ChallengeStatus.REFUSED ? `?${PAYER}=${NOT_AUTHENTICATED}` : ''
    res.redirect(303, `${new URL(deps.baseUrl).pathname.replace(/\/$/, '')}/checkout/${publicId}${query}`)
  })
  return router
}

/** Whatever happens, a person is to be led back: the sweeper and the page find out the rest. */
async function finish(
  deps: ReturnDeps,
  req: Request,
  res: Response,
  ids: { publicId: string; challengeId: string },
): Promise<ChallengeStatus | undefined> {
  if (!ID.test(ids.publicId) || !ID.test(ids.challengeId)) throw notFound()
  countStranger(deps, req, res)
  untilClosed(res, deps.inFlight.admit(callerOf(req)))
  untilClosed(res, deps.inFlight.enter({ callsPartner: true }))
  const { threeDSecure } = deps.services
  try {
    const { status } = await callRpc(threeDSecure, threeDSecure.finishAuthentication, ids, FINISHING)
    deps.log.info({ status }, 'payer returned from a challenge')
    // Who tests stolen cards has them rejected here, and goes on at the checkout.
    if (status === ChallengeStatus.REFUSED) {
      deps.tries.reject(ids.challengeId, ids.publicId, addressKey(req.ip))
    }
    return status
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') throw notFound()
    if (error instanceof DomainError) deps.log.warn({ reason: error.reason }, 'challenge not finished')
    else deps.log.error({ err: error }, 'finishing a challenge failed')
    return undefined
  }
}

function onlyGetAndPost(res: Response): DomainError {
  res.setHeader('Allow', 'GET, POST')
  return new DomainError('invalid_argument', 'METHOD_NOT_ALLOWED', 'Allowed here: GET, POST.')
}
