import { randomUUID } from 'node:crypto'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { line } from '../../pages/form'
import { allows, askApi, sendApi } from '../desk/api'
import { explained, onceOf, shownFaults } from '../desk/form'
import { keepFlash, readFlash } from '../flash'
import { record } from '../people/audit-store'
import type { Portal } from '../portal-context'
import { notAllowed } from '../portal-fault'
import { wordsOf } from '../words/language'
import type { Word } from '../words/portuguese'

type Contact = { email: string | null; phone: string | null }
/** The settings that this page leaves as they are stand beside it. */
type Settings = { contact: Contact | null } & Record<string, unknown>

/** As typed, by the names of the API’s body. */
type Values = { 'contact.email': string; 'contact.phone': string }

const FIELDS = [
  {
    name: 'contact.email',
    label: 'E-mail',
    hint: 'Answers to letters go there.',
    kind: 'text',
  },
  {
    name: 'contact.phone',
    label: 'Phone',
    hint: 'As your customers dial it.',
    kind: 'text',
  },
] as const satisfies { name: keyof Values; label: Word; hint: Word; kind: string }[]

/** Settings, Shop, Questions: whom payers ask, in the letters to them. */
export function contactPages(portal: Portal): Router {
  const router = Router()
  router.use((_req, res, next) => {
    if (!allows(res, 'getBillingSettings')) throw notAllowed()
    next()
  })
  router.get('/', async (_req, res) => {
    const { contact } = await readSettings(portal, res)
    await showContact(portal, res, {
      'contact.email': contact?.email ?? '',
      'contact.phone': contact?.phone ?? '',
    })
  })
  router.post('/', changeContact(portal))
  return router
}

async function readSettings(portal: Portal, res: Response): Promise<Settings> {
  return (await askApi(portal, res, 'getBillingSettings')).body as Settings
}

type Shown = { faults?: Record<string, string | undefined>; fault?: string; status?: number; once?: string }

async function showContact(portal: Portal, res: Response, values: Values, shown: Shown = {}): Promise<void> {
  const { faults = {}, fault, status = 200, once = randomUUID() } = shown
  const { t } = wordsOf(res)
  const data = {
    fields: FIELDS.map(({ hint, ...field }) => ({
      ...field,
      hint: t(hint),
      value: values[field.name],
      fault: faults[field.name],
    })),
    isOffered: allows(res, 'replaceBillingSettings'),
    flash: await readFlash(portal, res),
    fault,
    once,
  }
  portal.show(res, { view: 'contact', title: 'Questions of payers', section: 'contact', status, data })
}

/** Saves whom payers ask, or shows the page with what was typed. */
function changeContact(portal: Portal): RequestHandler {
  return async (req: Request, res) => {
    if (!allows(res, 'replaceBillingSettings')) throw notAllowed()
    const once = onceOf(req)
    const values = {
      'contact.email': line(req, 'contact.email'),
      'contact.phone': line(req, 'contact.phone'),
    }
    const contact = { email: values['contact.email'] || null, phone: values['contact.phone'] || null }
    const isNamed = contact.email !== null || contact.phone !== null
    const body = { ...(await readSettings(portal, res)), contact: isNamed ? contact : null }
    try {
      await sendApi(portal, req, res, 'replaceBillingSettings', { params: {}, body, key: once })
      await record(portal, req, res, { action: 'replaceBillingSettings', detail: contact })
      await keepFlash(portal, res, { notice: wordsOf(res).t('Saved. The next letters say it.') })
      res.redirect(303, `${portal.root}/settings/contact`)
    } catch (error) {
      const { typed, ...sent } = explained(error, { body, values, faults: {} }, once, wordsOf(res))
      await showContact(portal, res, values, { ...sent, faults: shownFaults(typed?.faults, wordsOf(res)) })
    }
  }
}
