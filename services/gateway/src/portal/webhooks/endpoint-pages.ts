import { EVENT_TYPES, type EventType } from '@cofre/api/events'
import { callRpc } from '@cofre/platform/grpc/client'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { sampleEvent } from '../../openapi/sample-events'
import { line } from '../../pages/form'
import { keepFlash, readFlash } from '../flash'
import type { Portal } from '../portal-context'
import { pageNotFound, PortalFault } from '../portal-fault'
import { runOnce } from '../sent-once'
import { sessionOf } from '../session'
import { deliveryRow, endpointRow } from './webhook-words'

type Target = { sellerId: number; endpointId: number }
/** The work of a button. Returns the notice that the page then shows. */
type Work = (target: Target, req: Request) => Promise<string>

const DAY_MS = 86_400_000
const NEWEST = 10

/** The page of one endpoint: its health, and the actions of its developer. */
export function endpointPages(portal: Portal): Router {
  const { notifier } = portal.services
  const router = Router()
  router.get('/:id', showEndpoint(portal))
  const button = (name: string, work: Work) => router.post(`/:id/${name}`, press(portal, name, work))
  button('ping', async (target) => {
    await callRpc(notifier, notifier.pingEndpoint, target)
    return 'A test.ping was sent.'
  })
  button('enable', async (target) => {
    await callRpc(notifier, notifier.enableEndpoint, target)
    return 'The endpoint is enabled. Cofre sends the waiting deliveries in order.'
  })
  button('recover', async (target, req) => {
    const since = instantOf(line(req, 'since'))
    const { deliveries } = await callRpc(notifier, notifier.recoverEndpoint, { ...target, since })
    if (deliveries === 0) return 'The endpoint has missed no deliveries since then.'
    return `${deliveries} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} sent again.`
  })
  button('test', async (target, req) => {
    const eventType = typeOf(line(req, 'type'))
    const { kind, id, path, data } = sampleEvent(eventType)
    const resource = { resourceKind: kind, resourceId: id, resourcePath: path, data: JSON.stringify(data) }
    await callRpc(notifier, notifier.sendTestEvent, { ...target, eventType, ...resource })
    return `A sample of ${eventType} was sent.`
  })
  return router
}

function showEndpoint(portal: Portal): RequestHandler<{ id: string }> {
  const { notifier } = portal.services
  return async (req, res) => {
    const target = targetOf(req.params.id, res)
    const { sellerId, endpointId } = target
    const page = { sellerId, endpointId, statuses: [], eventTypes: [], page: 0, size: NEWEST }
    const [endpoint, { endpoints }, { deliveries }] = await Promise.all([
      callRpc(notifier, notifier.getEndpoint, target),
      callRpc(notifier, notifier.getEndpointHealth, { sellerId, endpointIds: [endpointId] }),
      callRpc(notifier, notifier.listDeliveries, page),
    ])
    const data = {
      endpoint: endpointRow(endpoint, endpoints[0]),
      deliveries: deliveries.map(deliveryRow),
      types: EVENT_TYPES,
      since: localTime(Date.now() - DAY_MS),
      flash: await readFlash(portal, res),
    }
    portal.show(res, { view: 'webhook-endpoint', title: `Endpoint ${endpointId}`, section: 'webhooks', data })
  }
}

function press(portal: Portal, name: string, work: Work): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const target = targetOf(req.params.id, res)
    await runOnce(portal, req, res, async () => {
      const notice = await work(target, req)
      const { userId } = sessionOf(res)
      portal.log.info(
        { portalUserId: userId, endpointId: target.endpointId, button: name },
        'webhook action in the portal',
      )
      await keepFlash(portal, res, { notice })
    })
    res.redirect(303, `${portal.root}/settings/integrations/webhooks/endpoints/${target.endpointId}`)
  }
}

function targetOf(id: string, res: Response): Target {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw pageNotFound()
  return { sellerId: sessionOf(res).sellerId, endpointId: Number(id) }
}

function typeOf(text: string): EventType {
  const type = EVENT_TYPES.find((each) => each === text)
  if (!type) throw new PortalFault(422, 'Choose an event type', 'Go back and choose one from the list.')
  return type
}

/** Brazil has kept this offset all year since 2019. */
const OFFSET = '-03:00'
const OFFSET_MS = -3 * 3_600_000

/** Returns a time as a browser writes it into a field of date and time, in São Paulo time. */
function localTime(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().slice(0, 16)
}

function instantOf(text: string): number {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}${OFFSET}`) : Number.NaN
  if (Number.isNaN(at) || at < 0)
    throw new PortalFault(422, 'Enter a date and a time', 'Go back and choose the time to recover from.')
  return at
}
