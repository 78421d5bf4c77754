import { callRpc } from '@cofre/platform/grpc/client'
import { Router, type RequestHandler, type Response } from 'express'
import { line } from '../pages/form'
import { keepFlash, readFlash } from './flash'
import { record } from './people/audit-store'
import type { Portal } from './portal-context'
import { runOnce } from './sent-once'
import { sessionOf } from './session'
import { wordsOf } from './words/language'

/** Settings, Integrations, Signing secret: the secret that signs deliveries to a notificationUrl. */
export function secretPages(portal: Portal): Router {
  const router = Router()
  router.get('/', (_req, res) => showPage(portal, res))
  router.post('/', showOrRotate(portal))
  return router
}

async function showPage(portal: Portal, res: Response, fault?: string): Promise<void> {
  portal.show(res, {
    view: 'secret',
    title: 'Signing secret',
    section: 'secret',
    status: fault === undefined ? 200 : 422,
    data: { fault, flash: await readFlash(portal, res) },
  })
}

/** Both ask for the password again: who has the secret can forge deliveries. */
function showOrRotate(portal: Portal): RequestHandler {
  const { notifier } = portal.services
  return async (req, res) => {
    const { sellerId, userId } = sessionOf(res)
    const rotates = line(req, 'deed') === 'rotate'
    const fault = await portal.confirm(req, res)
    if (fault) return showPage(portal, res, fault)
    await runOnce(portal, req, res, async () => {
      const { secret } = rotates
        ? await callRpc(notifier, notifier.rotateSigningSecret, { sellerId })
        : await callRpc(notifier, notifier.getSigningSecret, { sellerId })
      portal.log.info({ portalUserId: userId, rotates }, 'signing secret shown in the portal')
      await record(portal, req, res, { action: rotates ? 'SECRET_ROTATED' : 'SECRET_SHOWN' })
      const notice = rotates
        ? 'The secret was rotated. For 24 hours, Cofre also signs with the old secret.'
        : 'This is the secret now.'
      await keepFlash(portal, res, { notice: wordsOf(res).t(notice), secret })
    })
    res.redirect(303, `${portal.root}/settings/integrations/secret`)
  }
}
