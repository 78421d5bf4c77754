import { endOf, isDay, startOf } from '@cofre/platform/calendar-day'
import { Router, type Request, type RequestHandler } from 'express'
import { csvHeaders, csvOf, readPages, textCell, type Columns } from '../../api/csv/csv'
import { sendText } from '../../http/answer'
import { parameter } from '../../pages/form'
import { hasRight } from '../../sellers/roles'
import { leaveOf } from '../pages'
import type { Portal } from '../portal-context'
import { notAllowed } from '../portal-fault'
import { sessionOf } from '../session'
import { wordsOf, type Words } from '../words/language'
import { listDeeds, type AuditRow, type DeedFilter } from './audit-store'
import { detailsOf } from './deed-details'
import { allDeeds, linkedSentence, sentenceOf } from './deed-words'

const PAGE_SIZE = 50
const FILTERS = ['email', 'action', 'subject', 'from', 'to'] as const

const columnsIn = ({ show }: Words): Columns<AuditRow> => [
  ['at', ({ at }) => at.toISOString()],
  ['email', ({ email }) => textCell(email)],
  ['action', ({ action }) => textCell(action)],
  ['subject', ({ subject }) => textCell(subject)],
  ['detail', ({ detail }) => textCell(JSON.stringify(detail))],
  ['address', ({ address }) => textCell(address)],
  ['sentence', (deed) => textCell(show(sentenceOf(deed)).text)],
]

/** Settings, Team, Audit: who did what, newest first, and the same as CSV. */
export function auditPages(portal: Portal): Router {
  const router = Router()
  router.use((_req, res, next) => {
    if (hasRight(sessionOf(res).role, 'audit')) return next()
    throw notAllowed()
  })
  router.get('/', showAudit(portal))
  router.get('/csv', exportAudit(portal))
  return router
}

type Typed = Partial<Record<(typeof FILTERS)[number], string>>

function readTyped(req: Request): Typed {
  const given = FILTERS.map((name) => [name, parameter(req, name).slice(0, 255)] as const)
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}

/** Days are days of São Paulo. What is no day counts as absent. */
function filterOf({ email, action, subject, from = '', to = '' }: Typed): DeedFilter {
  return {
    ...(email && { email: email.toLowerCase() }),
    ...(action && { action }),
    ...(subject && { subject }),
    ...(isDay(from) && { from: startOf(from) }),
    ...(isDay(to) && { to: endOf(to) }),
  }
}

function showAudit(portal: Portal): RequestHandler {
  return async (req, res) => {
    const { show } = wordsOf(res)
    const typed = readTyped(req)
    const before = /^\d{1,15}$/.test(parameter(req, 'before')) ? Number(parameter(req, 'before')) : undefined
    const found = await listDeeds(portal.pool, sessionOf(res).sellerId, {
      ...filterOf(typed),
      ...(before !== undefined && { before }),
      size: PAGE_SIZE + 1,
    })
    const deeds = found.slice(0, PAGE_SIZE)
    const rows = deeds.map((deed) => ({
      time: show({ exactTime: deed.at.getTime() }).text,
      sentence: show(linkedSentence(deed)),
      details: detailsOf(deed).map(show),
      address: deed.address,
    }))
    const choices = allDeeds().map(({ action, text }) => ({
      value: action,
      text: show(text).text,
      isChosen: action === typed.action,
    }))
    const here = `${portal.root}/settings/audit`
    const query = new URLSearchParams({ ...typed, before: String(deeds.at(-1)?.id ?? '') })
    const next = found.length > PAGE_SIZE ? `${here}?${query.toString()}` : undefined
    const csv = `${here}/csv?${new URLSearchParams(typed).toString()}`
    const data = { rows, typed, next, csv, deeds: choices }
    portal.show(res, { view: 'audit', title: 'Audit', section: 'audit', data })
  }
}

function exportAudit({ pool }: Portal): RequestHandler {
  return async (req, res) => {
    const { sellerId } = sessionOf(res)
    const filter = filterOf(readTyped(req))
    const words = wordsOf(res)
    const { language } = words
    const pages = await readPages<{ deeds: AuditRow[]; more: boolean }>(async (size, last) => {
      const before = last?.deeds.at(-1)?.id
      const deeds = await listDeeds(pool, sellerId, {
        ...filter,
        ...(before !== undefined && { before }),
        size,
      })
      return { deeds, more: deeds.length === size }
    })
    leaveOf(res)()
    const text = csvOf(pages, columnsIn(words), ({ deeds }) => deeds, language)
    await sendText(res, { status: 200, headers: csvHeaders('audit', language), text })
  }
}
