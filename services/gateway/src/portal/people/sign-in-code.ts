import { addressKey } from '@cofre/platform/outbound/address-key'
import { Router, type RequestHandler } from 'express'
import { line, parameter } from '../../pages/form'
import { countAttempts } from '../attempts'
import { rememberBrowser } from '../known-browser'
import type { Portal } from '../portal-context'
import { findAwaiting, hashOfId, pageAfterSignIn } from '../session'
import { completeSession } from '../session-store'
import { insertDeed } from './audit-store'
import { isSecondStep } from './second-step'

const WRONG = 'This code is wrong, or was used already.'

/** The second step of a sign-in: the password was right, and the session waits for a code. */
export function codePages(portal: Portal): Router {
  const router = Router()
  router.get('/', (req, res) => {
    if (!findAwaiting(res)) return res.redirect(303, `${portal.root}/login`)
    portal.show(res, {
      view: 'sign-in-code',
      title: 'Enter your code',
      data: { next: parameter(req, 'next') },
    })
  })
  router.post('/', takeCode(portal))
  return router
}

/** Wrong codes count as wrong passwords do. */
function takeCode(portal: Portal): RequestHandler {
  const attempts = countAttempts()
  return async (req, res) => {
    const { pool, root, log } = portal
    const session = findAwaiting(res)
    if (!session) return res.redirect(303, `${root}/login`)
    const { email, sellerId, userId, id } = session
    const address = addressKey(req.ip)
    const wait = attempts.begin(email, address)
    if (wait) throw wait
    if (!(await isSecondStep(portal, pool, userId, line(req, 'code')))) {
      log.info({ portalUserId: userId, address: req.ip }, 'portal code refused')
      const data = { next: line(req, 'next'), fault: WRONG }
      return portal.show(res, { view: 'sign-in-code', title: 'Enter your code', status: 401, data })
    }
    attempts.succeed(email, address)
    await completeSession(pool, hashOfId(id))
    await rememberBrowser(portal, req, res, userId)
    await insertDeed(pool, { sellerId, email, address }, { action: 'SIGNED_IN', detail: { steps: 2 } })
    log.info({ portalUserId: userId }, 'portal sign-in')
    res.redirect(303, pageAfterSignIn(line(req, 'next'), root))
  }
}
