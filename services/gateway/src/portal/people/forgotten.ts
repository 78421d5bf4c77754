import { addressKey } from '@cofre/platform/outbound/address-key'
import { Router, type RequestHandler } from 'express'
import { createRateLimit } from '../../http/rate-limit'
import { line } from '../../pages/form'
import { findPortalUser } from '../../sellers/portal-user-store'
import { countAttempts } from '../attempts'
import type { Portal } from '../portal-context'
import { wordsOf } from '../words/language'
import { insertDeed } from './audit-store'
import { mailLink } from './mail-link'

/** How many links a person gets in an hour, whoever asks: strangers fill no mailbox. */
const LETTERS = 3

/** The page for people who forgot their password: they get a link by e-mail. */
export function forgottenPages(portal: Portal): Router {
  const router = Router()
  router.get('/', (_req, res) => portal.show(res, { view: 'forgotten', title: 'Forgotten password' }))
  router.post('/', askForLink(portal))
  return router
}

/** Says the same, and takes as long, whoever asks: nobody learns from it who has an account. */
function askForLink(portal: Portal): RequestHandler {
  const attempts = countAttempts()
  const letters = createRateLimit({ burst: LETTERS, perSecond: LETTERS / 3_600 })
  return async (req, res) => {
    const [email, address] = [line(req, 'email'), addressKey(req.ip)]
    const wait = attempts.begin(email, address)
    if (wait) throw wait
    const { language } = wordsOf(res)
    portal.show(res, { view: 'forgotten', title: 'Forgotten password', data: { isSent: true } })
    try {
      const user = await findPortalUser(portal.pool, email)
      if (!user || user.disabledAt !== null || !letters.take(String(user.id)).allowed) return
      const isInvitation = user.passwordHash === null
      await mailLink(portal, user, { isInvitation, language })
      const by = { sellerId: user.sellerId, email: user.email, address }
      await insertDeed(portal.pool, by, { action: 'PASSWORD_LINK_ASKED' })
    } catch (err) {
      portal.log.error({ err }, 'a link for a new password was not made')
    }
  }
}
