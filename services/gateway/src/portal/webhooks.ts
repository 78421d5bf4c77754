import { callRpc } from '@cofre/platform/grpc/client'
import { Router, type RequestHandler } from 'express'
import { keepFlash, readFlash } from './flash'
import type { Portal } from './portal-context'
import { runOnce } from './sent-once'
import { sessionOf } from './session'
import { deliveryPages } from './webhooks/delivery-pages'
import { endpointPages } from './webhooks/endpoint-pages'
import { endpointRow } from './webhooks/webhook-words'

/** Settings, Integrations, Webhooks: endpoints, deliveries, and the signing secret of notification URLs. */
export function webhookPages(portal: Portal): Router {
  const router = Router()
  router.get('/', showWebhooks(portal))
  router.use('/endpoints', endpointPages(portal))
  router.use('/deliveries', deliveryPages(portal))
  router.get('/rotate', (_req, res) => {
    portal.show(res, { view: 'rotate-secret', title: 'Rotate the signing secret', section: 'webhooks' })
  })
  router.post('/rotate', rotateSecret(portal))
  return router
}

/** The most endpoints that a seller may have. */
const ENDPOINTS_MAX = 50

function showWebhooks(portal: Portal): RequestHandler {
  const { notifier } = portal.services
  return async (_req, res) => {
    const { sellerId } = sessionOf(res)
    const [{ secret }, { endpoints }] = await Promise.all([
      callRpc(notifier, notifier.getSigningSecret, { sellerId }),
      callRpc(notifier, notifier.listEndpoints, { sellerId, page: 0, size: ENDPOINTS_MAX }),
    ])
    const endpointIds = endpoints.map(({ id }) => id)
    const health = await callRpc(notifier, notifier.getEndpointHealth, { sellerId, endpointIds })
    const healthOf = new Map(health.endpoints.map((each) => [each.endpointId, each]))
    const rows = endpoints.map((each) => endpointRow(each, healthOf.get(each.id)))
    const data = { secret, rows, flash: await readFlash(portal, res) }
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
        notice: 'The secret was rotated. For 24 hours, Cofre also signs with the old secret.',
      })
    })
    res.redirect(303, `${portal.root}/settings/integrations/webhooks`)
  }
}
