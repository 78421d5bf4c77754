import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { addressKey } from '@cofre/platform/outbound/address-key'
import {
  ChallengeRefusal,
  ChallengeStatus,
  type FinishAuthenticationResponse,
} from '@cofre/proto/invoices/v1/three_d_secure'
import { Router, type Request, type Response } from 'express'
import { countStranger } from '../../http/authenticate'
import { countRunning, untilClosed } from '../../http/in-flight'
import type { Checkout } from './checkout-context'
import { spokenTo } from './languages'
import { notFoundFault, PageFault, toFault } from './page-fault'
import { queryOfPayer } from './payer-back'

/** The path to which the issuer's page returns the payer's browser. */
const CHALLENGE_RETURNS = '/:publicId/three-d-secure/:challengeId'

const ID = /^[\w-]{22}$/
/** The service asks the 3-D Secure server and charges a card in this time. */
const FINISHING = { timeoutMs: 28_000, writes: true }

type Ids = { publicId: string; challengeId: string }

/**
 * Ends a challenge of 3-D Secure and leads the payer to the page of the invoice, which shows the outcome. It reads only
 * the two ids from the browser: the service asks the issuer for the outcome.
 */
export function challengeReturn(checkout: Checkout): Router {
  const router = Router({ caseSensitive: true })
  router.all(CHALLENGE_RETURNS, async (req, res) => {
    // Some issuers send a form.
    if (req.method !== 'GET' && req.method !== 'POST') throw onlyGetAndPost(res)
    const { publicId, challengeId } = req.params
    if (!ID.test(publicId) || !ID.test(challengeId)) throw notFoundFault()
    const ids = { publicId, challengeId }
    admit(checkout, req, res, ids)
    const finished = await finish(checkout, req, ids)
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    res.redirect(303, `${checkout.root}/${publicId}${queryOfPayer(finished)}`)
  })
  return router
}

/** Counts the request. Throws a page that leads here again when too many requests run at once. */
function admit({ root, ...checkout }: Checkout, req: Request, res: Response, ids: Ids): void {
  try {
    countStranger(checkout, req, res)
    countRunning(checkout.inFlight, req, res)
    untilClosed(res, checkout.inFlight.enter({ callsPartner: 'acquirer' }))
  } catch (error) {
    const { status, extra } = toFault(error)
    const again = `${root}/${ids.publicId}/three-d-secure/${ids.challengeId}${spokenTo(req).query}`
    throw new PageFault(status, ({ busy }) => busy, { ...extra, again })
  }
}

/** Finishes the challenge and logs a failure. The payer still returns; the sweeper and the page find the outcome. */
async function finish(
  deps: Checkout,
  req: Request,
  ids: Ids,
): Promise<FinishAuthenticationResponse | undefined> {
  const { threeDSecure } = deps.services
  try {
    const finished = await callRpc(threeDSecure, threeDSecure.finishAuthentication, ids, FINISHING)
    const { status, refusal } = finished
    deps.log.info({ status, refusal }, 'payer returned from a challenge')
    // A tester of stolen cards passes no challenge, or does not come back.
    const isRejected = status === ChallengeStatus.REFUSED && refusal === ChallengeRefusal.UNSPECIFIED
    if (isOver(status) && !isRejected) {
      deps.tries.passed(ids.challengeId, ids.publicId, addressKey(req.ip))
    }
    return finished
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') throw notFoundFault()
    if (error instanceof DomainError) deps.log.warn({ reason: error.reason }, 'challenge not finished')
    else deps.log.error({ err: error }, 'finishing a challenge failed')
    return undefined
  }
}

/** True when a challenge was charged or refused. An expired challenge is over too, but its payer may be anybody. */
function isOver(status: ChallengeStatus): boolean {
  return status === ChallengeStatus.CHARGED || status === ChallengeStatus.REFUSED
}

function onlyGetAndPost(res: Response): PageFault {
  res.setHeader('Allow', 'GET, POST')
  return new PageFault(405, ({ notFound }) => notFound)
}
