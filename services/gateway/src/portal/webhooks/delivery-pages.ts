import { deliveryStatus, presentDeliveryDetail } from '@cofre/api/delivery'
import { EVENT_PREFIXES, EVENT_TYPES } from '@cofre/api/events'
import { callRpc } from '@cofre/platform/grpc/client'
import { COUNTED_MAX } from '@cofre/platform/list-page'
import { Router, type Request, type RequestHandler } from 'express'
import { parameter } from '../../pages/form'
import { formatExactTime } from '../brazilian-format'
import { keepFlash, readFlash } from '../flash'
import type { Portal } from '../portal-context'
import { pageNotFound } from '../portal-fault'
import { runOnce } from '../sent-once'
import { sessionOf } from '../session'
import { answerWords, DELIVERY_BADGES, deliveryRow } from './webhook-words'

const PAGE_SIZE = 25
const MAX_PAGE = COUNTED_MAX / PAGE_SIZE
const TYPES = [...EVENT_PREFIXES, ...EVENT_TYPES]
const STATUSES = deliveryStatus.schema.options
const HERE = '/settings/integrations/webhooks/deliveries'

/** The filter as typed. A field is empty when it is absent or makes no sense. */
type Filter = { status: string; type: string; endpoint: string; resource: string; from: string; to: string }

/** The list of a seller's deliveries, and the page of one delivery with its attempts. */
export function deliveryPages(portal: Portal): Router {
  const router = Router()
  router.get('/', showDeliveries(portal))
  router.get('/:id', showDelivery(portal))
  router.post('/:id/resend', resend(portal))
  return router
}

function showDeliveries({ services: { notifier }, show, root }: Portal): RequestHandler {
  return async (req, res) => {
    const filter = readFilter(req)
    const page = Math.min(MAX_PAGE, Math.max(1, Math.trunc(Number(parameter(req, 'page'))) || 1))
    const { deliveries, total, totalIsLowerBound } = await callRpc(notifier, notifier.listDeliveries, {
      sellerId: sessionOf(res).sellerId,
      page: page - 1,
      size: PAGE_SIZE,
      ...requestOf(filter),
    })
    const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
    const at = (number: number) => addressOf(`${root}${HERE}`, filter, number)
    if (page > pages) return res.redirect(303, at(pages))
    const data = {
      rows: deliveries.map(deliveryRow),
      total,
      totalIsLowerBound,
      page,
      pages,
      filter,
      filtered: Object.values(filter).some((value) => value !== ''),
      statuses: STATUSES.map((name) => ({ name, text: DELIVERY_BADGES[name].text })),
      types: TYPES,
      previous: page > 1 ? at(page - 1) : undefined,
      next: page < pages ? at(page + 1) : undefined,
    }
    show(res, { view: 'webhook-deliveries', title: 'Webhook deliveries', section: 'webhooks', data })
  }
}

function showDelivery(portal: Portal): RequestHandler<{ id: string }> {
  const { notifier } = portal.services
  return async (req, res) => {
    const request = { sellerId: sessionOf(res).sellerId, deliveryId: idOf(req.params.id) }
    const detail = await callRpc(notifier, notifier.getDelivery, request)
    if (!detail.delivery) throw pageNotFound()
    const { body, attemptHistory, webhookId } = presentDeliveryDetail(detail)
    const data = {
      delivery: deliveryRow(detail.delivery),
      webhookId,
      sent: prettyJson(body),
      attempts: attemptHistory.map(({ number, at, durationMs, status, error, response }) => ({
        number,
        time: formatExactTime(at),
        answer: answerWords(status, error),
        isGood: status !== null && status >= 200 && status < 300,
        took: `${durationMs} ms`,
        response: response ?? '',
      })),
      flash: await readFlash(portal, res),
    }
    const title = `Delivery ${request.deliveryId}`
    portal.show(res, { view: 'webhook-delivery', title, section: 'webhooks', data })
  }
}

function resend(portal: Portal): RequestHandler<{ id: string }> {
  const { notifier } = portal.services
  return async (req, res) => {
    const { sellerId, userId } = sessionOf(res)
    const deliveryId = idOf(req.params.id)
    await runOnce(portal, req, res, async () => {
      await callRpc(notifier, notifier.resendDelivery, { sellerId, deliveryId })
      portal.log.info({ portalUserId: userId, deliveryId }, 'delivery resent in the portal')
      await keepFlash(portal, res, { notice: 'Cofre sends the delivery again, with the same id and body.' })
    })
    res.redirect(303, `${portal.root}${HERE}/${deliveryId}`)
  }
}

function idOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw pageNotFound()
  return Number(text)
}

function readFilter(req: Request): Filter {
  const given = (name: string, isGood: (text: string) => boolean) => {
    const text = parameter(req, name)
    return isGood(text) ? text : ''
  }
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  return {
    status: given('status', (text) => STATUSES.some((each) => each === text)),
    type: given('type', (text) => TYPES.includes(text)),
    endpoint: given('endpoint', (text) => /^[1-9]\d{0,14}$/.test(text)),
    resource: given('resource', (text) => /^[a-z_]{1,30} \S{1,100}$/.test(text)),
    from: given('from', isDay),
    to: given('to', isDay),
  }
}

const LAST_MS = 86_399_999

/** Days are days of São Paulo. */
function requestOf({ status, type, endpoint, resource, from, to }: Filter) {
  const dayAt = (day: string) => Date.parse(`${day}T00:00:00-03:00`)
  const [resourceKind = '', resourceId = ''] = resource.split(' ')
  return {
    statuses: STATUSES.filter((each) => each === status).map(deliveryStatus.valueOf),
    eventTypes: type ? [type] : [],
    endpointId: endpoint ? Number(endpoint) : undefined,
    ...(resource ? { resourceKind, resourceId } : {}),
    ...(from ? { createdFrom: dayAt(from) } : {}),
    ...(to ? { createdTo: dayAt(to) + LAST_MS } : {}),
  }
}

function addressOf(path: string, filter: Filter, page: number): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(name, value)
  if (page > 1) query.set('page', String(page))
  return query.size > 0 ? `${path}?${query.toString()}` : path
}

function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
