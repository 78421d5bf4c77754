import { chargeStatus, type ChargeJson } from '@cofre/api/charge'
import { callRpc } from '@cofre/platform/grpc/client'
import { COUNTED_MAX } from '@cofre/platform/list-page'
import { Router, type Request, type RequestHandler } from 'express'
import { STATUS_BADGES } from './charge-words'
import { chargePage, chargeRow } from './charge-view'
import { parameter } from '../pages/form'
import type { Portal } from './portal-context'
import { pageNotFound } from './portal-fault'
import { sessionOf } from './session'

const PAGE_SIZE = 25
/** Page numbers reach no further. */
const MAX_PAGE = COUNTED_MAX / PAGE_SIZE

type Filter = { status?: ChargeJson['status']; reference: string }

export function chargePages(portal: Portal): Router {
  const router = Router()
  router.get('/', showCharges(portal))
  router.get('/charges/:id', showCharge(portal))
  router.get('/charges', (_req, res) => res.redirect(303, portal.root))
  return router
}

function showCharges({ services: { orders }, show, root }: Portal): RequestHandler {
  return async (req, res) => {
    const filter = readFilter(req)
    const page = Math.min(MAX_PAGE, Math.max(1, Math.trunc(Number(parameter(req, 'page'))) || 1))
    const { charges, total, totalIsLowerBound } = await callRpc(orders, orders.listCharges, {
      sellerId: sessionOf(res).sellerId,
      page: page - 1,
      size: PAGE_SIZE,
      statuses: filter.status ? [chargeStatus.valueOf(filter.status)] : [],
      ...(filter.reference ? { orderReference: filter.reference } : {}),
    })
    const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
    if (page > pages) return res.redirect(303, addressOf(root, filter, pages))
    const data = {
      rows: charges.map(chargeRow),
      total,
      totalIsLowerBound,
      page,
      pages,
      filter,
      filtered: filter.status !== undefined || filter.reference !== '',
      statuses: Object.entries(STATUS_BADGES).map(([name, { text }]) => ({ name, text })),
      previous: page > 1 ? addressOf(root, filter, page - 1) : undefined,
      next: page < pages ? addressOf(root, filter, page + 1) : undefined,
    }
    show(res, { view: 'charges', title: 'Charges', section: 'charges', data })
  }
}

function showCharge({ services: { orders }, show }: Portal): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const chargeId = /^\d{1,15}$/.test(req.params.id) ? Number(req.params.id) : 0
    if (chargeId === 0) throw pageNotFound()
    const charge = await callRpc(orders, orders.getCharge, { sellerId: sessionOf(res).sellerId, chargeId })
    const data = { charge: chargePage(charge) }
    show(res, { view: 'charge', title: `Charge ${chargeId}`, section: 'charges', data })
  }
}

function readFilter(req: Request): Filter {
  const status = chargeStatus.schema.safeParse(parameter(req, 'status'))
  return {
    reference: parameter(req, 'reference').slice(0, 255),
    ...(status.success ? { status: status.data } : {}),
  }
}

function addressOf(root: string, { status, reference }: Filter, page: number): string {
  const query = new URLSearchParams()
  if (status) query.set('status', status)
  if (reference) query.set('reference', reference)
  if (page > 1) query.set('page', String(page))
  return query.size > 0 ? `${root}?${query.toString()}` : root
}
