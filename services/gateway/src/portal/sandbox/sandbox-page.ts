import type { advancedSchema } from '@cofre/api/recurring/billing-clock'
import { localTimeOf } from '@cofre/platform/calendar-day'
import { Router, type RequestHandler, type Response } from 'express'
import type { z } from 'zod'
import { allows, sendApi } from '../desk/api'
import { readFields, type Field, type Typed } from '../desk/fields'
import { explained, faultText, onceOf, type Sent } from '../desk/form'
import { keepFlash, readFlash } from '../flash'
import { record } from '../people/audit-store'
import type { Portal } from '../portal-context'
import { notAllowed, pageNotFound } from '../portal-fault'
import { wordsOf } from '../words/language'
import type { Word } from '../words/portuguese'
import { sandboxNow } from './clock'

const DAY_MS = 86_400_000

const FIELDS: readonly Field[] = [{ name: 'to', label: 'Move it to', kind: 'moment', required: true }]

/** The cards that the sandbox's acquirer knows, and what it does with each. */
const CARDS: readonly (readonly [number: string, brand: string, outcome: Word])[] = [
  ['4111 1111 1111 1111', 'Visa', 'Approved'],
  ['5555 5555 5555 4444', 'Mastercard', 'Approved'],
  ['4111 1111 1111 1152', 'Visa', 'Declined by the issuer'],
  ['4111 1111 1111 1129', 'Visa', 'Approved, but the answer is lost for some seconds'],
]

/** What helps to try the product: a clock that moves, and cards. Only a sandbox has this page. */
export function sandboxPages(portal: Portal): Router {
  const router = Router()
  router.use((_req, res, next) => {
    if (sandboxNow(res) === undefined) throw pageNotFound()
    next()
  })
  router.get('/', (_req, res) => showSandbox(portal, res))
  router.post('/', moveClock(portal))
  return router
}

async function showSandbox(portal: Portal, res: Response, sent: Sent = {}): Promise<void> {
  const { show, t } = wordsOf(res)
  const now = sandboxNow(res) ?? 0
  portal.show(res, {
    view: 'sandbox',
    title: 'Sandbox',
    section: 'sandbox',
    status: sent.status ?? 200,
    data: {
      clock: show({ time: now }).text,
      to: sent.typed?.values['to'] ?? localTimeOf(now + DAY_MS),
      fault: faultText(sent.typed?.faults['to'], wordsOf(res)) ?? (sent.fault && t(sent.fault)),
      isOffered: allows(res, 'advanceBillingClock'),
      cards: CARDS.map(([number, brand, outcome]) => ({ number, brand, outcome: t(outcome) })),
      flash: await readFlash(portal, res),
      ...(sent.once && { once: sent.once }),
    },
  })
}

function moveClock(portal: Portal): RequestHandler {
  return async (req, res) => {
    if (!allows(res, 'advanceBillingClock')) throw notAllowed()
    const typed: Typed = readFields(req, FIELDS)
    if (Object.keys(typed.faults).length > 0) return showSandbox(portal, res, { typed, status: 422 })
    const once = onceOf(req)
    try {
      const sent = { params: {}, body: typed.body, key: once }
      const { body } = await sendApi(portal, req, res, 'advanceBillingClock', sent)
      const { invoicesBilled, chargesTried, emailsSent } = body as z.output<typeof advancedSchema>
      await record(portal, req, res, { action: 'advanceBillingClock', detail: typed.body })
      const notice = wordsOf(res).t(
        'The clock was moved. Invoices made: {invoicesBilled}. Cards tried: {chargesTried}. E-mails sent: {emailsSent}.',
        { invoicesBilled, chargesTried, emailsSent },
      )
      await keepFlash(portal, res, { notice })
      res.redirect(303, `${portal.root}/sandbox`)
    } catch (error) {
      return showSandbox(portal, res, explained(error, typed, once, wordsOf(res)))
    }
  }
}
