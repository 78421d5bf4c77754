import { callRpc } from '@cofre/platform/grpc/client'
import { Router, type RequestHandler } from 'express'
import { keepFlash, readFlash } from './flash'
import type { Portal } from './portal-context'
import { runOnce } from './sent-once'
import { sessionOf } from './session'

/** Settings, Integrations, Webhooks: the secret that signs what goes to the seller's notification URLs. */
export function webhookPages(portal: Portal): Router {
  const router = Router()
  router.get('/', showSecret(portal))
  router.get('/rotate', (_req, res) => {
    portal.show(res, { view: 'rotate-secret', title: 'Rotate the signing secret', section: 'webhooks' })
  })
  router.post('/rotate', rotateSecret(portal))
  return router
}

function showSecret(portal: Portal): RequestHandler {
  const { notifier } = portal.services
  return async (_req, res) => {
    const { sellerId } = sessionOf(res)
    const { secret } = await callRpc(notifier, notifier.getSigningSecret, { sellerId })
    const data = { secret, flash: await readFlash(portal, res) }
    portal.show(res, { view: 'webhooks', title: 'Webhooks', section: 'webhooks', data })
  }
}

function rotateSecret(portal: Portal): RequestHandler {
  const { notifier } = portal.services
  return async (req, res) => {
    const { sellerId, userId } = sessionOf(res)
    await runOnce(portal, req, res, async () => {
      await callRpc(notifier, notifier.rotateSigningSecret, { sellerId })
      portal.log.info({ portalUserId: userId }, 'signing secret rotated in the portal')
      await keepFlash(portal, res, {
        notice: 'The secret was rotated. The old secret also signs for 24 hours.',
      })
    })
    res.redirect(303, `${portal.root}/settings/integrations/webhooks`)
  }
}
