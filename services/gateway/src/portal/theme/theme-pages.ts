import { randomUUID } from 'node:crypto'
import type { themeSchema } from '@cofre/api/theme'
import type { ThemeFields } from '@cofre/proto/invoices/v1/themes'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { z } from 'zod'
import { line, parameter } from '../../pages/form'
import { allows, askApi, sendApi } from '../desk/api'
import { explained, onceOf, shownFaults } from '../desk/form'
import { keepFlash, readFlash } from '../flash'
import { record } from '../people/audit-store'
import type { Portal } from '../portal-context'
import { notAllowed } from '../portal-fault'
import { sessionOf } from '../session'
import { wordsOf } from '../words/language'
import type { Word } from '../words/portuguese'
import { createSample } from './sample'
import { takeLogo } from './upload-logo'

type ThemeJson = z.output<typeof themeSchema>

const COLORS = {
  primaryColor: 'Buttons',
  secondaryColor: 'Secondary text',
  'colors.headerBackground': 'Header',
  'colors.headerText': 'Text on the header',
  'colors.bodyBackground': 'Page',
  'colors.bodyText': 'Text on the page',
} as const satisfies Record<string, Word>

type Name = keyof typeof COLORS | 'logoUrl'
/** As typed, by the names of the API’s body. */
type Typed = Record<Name, string>

const NAMES = [...(Object.keys(COLORS) as (keyof typeof COLORS)[]), 'logoUrl'] as const

/** Settings, Shop, Theme: the colors of the payment page and of letters, with the page as payers see it. */
export function themePages(portal: Portal): Router {
  const { showTheme: showSample } = createSample(portal)
  const router = Router()
  router.use((_req, res, next) => {
    if (!allows(res, 'getInvoiceTheme')) throw notAllowed()
    next()
  })
  router.get('/', async (_req, res) => showTheme(portal, res, typedOf(await readTheme(portal, res))))
  router.get('/preview', (req, res) =>
    showSample(req, res, fieldsOf(readTyped((name) => parameter(req, name))), sessionOf(res).sellerName),
  )
  router.post('/', changeTheme(portal))
  router.post('/logo', uploadLogo(portal))
  return router
}

async function readTheme(portal: Portal, res: Response): Promise<ThemeJson> {
  return (await askApi(portal, res, 'getInvoiceTheme')).body as ThemeJson
}

function typedOf({ primaryColor, secondaryColor, logoUrl, colors }: ThemeJson): Typed {
  const nested = Object.entries(colors).map(([name, color]) => [`colors.${name}`, color])
  return { primaryColor, secondaryColor, ...Object.fromEntries(nested), logoUrl: logoUrl ?? '' } as Typed
}

function colorsOf(typed: Typed) {
  return {
    headerBackground: typed['colors.headerBackground'],
    headerText: typed['colors.headerText'],
    bodyBackground: typed['colors.bodyBackground'],
    bodyText: typed['colors.bodyText'],
  }
}

function fieldsOf(typed: Typed): ThemeFields {
  const { primaryColor, secondaryColor, logoUrl } = typed
  return { primaryColor, secondaryColor, logoUrl, ...colorsOf(typed) }
}

function readTyped(valueOf: (name: Name) => string): Typed {
  return Object.fromEntries(NAMES.map((name) => [name, valueOf(name).slice(0, 2_048)])) as Typed
}

type Shown = { faults?: Record<string, string | undefined>; fault?: string; status?: number; once?: string }

async function showTheme(portal: Portal, res: Response, typed: Typed, shown: Shown = {}): Promise<void> {
  const { faults = {}, fault, status = 200, once = randomUUID() } = shown
  const flash = await readFlash(portal, res)
  const { language } = wordsOf(res)
  const data = {
    colors: Object.entries(COLORS).map(([name, label]) => ({
      name,
      label,
      value: typed[name as Name],
      fault: faults[name],
    })),
    logoUrl: typed.logoUrl,
    preview: `${portal.root}/settings/theme/preview?${new URLSearchParams({ ...typed, lang: language }).toString()}`,
    isOffered: allows(res, 'replaceInvoiceTheme'),
    faults,
    fault,
    flash,
    once,
  }
  portal.show(res, { view: 'theme', title: 'Theme', section: 'theme', status, data })
}

/** Saves the theme, or shows the page with what was typed. */
function changeTheme(portal: Portal): RequestHandler {
  return async (req: Request, res) => {
    if (!allows(res, 'replaceInvoiceTheme')) throw notAllowed()
    const values = readTyped((name) => line(req, name))
    if (line(req, 'deed') === 'preview') return showTheme(portal, res, values)
    await saveTheme(portal, req, res, values)
  }
}

/** Makes the uploaded picture the logo of the theme as it stands. */
function uploadLogo(portal: Portal): RequestHandler {
  return async (req: Request, res) => {
    if (!allows(res, 'replaceInvoiceTheme')) throw notAllowed()
    const values = typedOf(await readTheme(portal, res))
    const taken = await takeLogo(portal, req, sessionOf(res).sellerId)
    if ('fault' in taken) {
      return showTheme(portal, res, values, { faults: { file: taken.fault }, status: 422 })
    }
    await saveTheme(portal, req, res, { ...values, logoUrl: taken.logoUrl })
  }
}

async function saveTheme(portal: Portal, req: Request, res: Response, values: Typed): Promise<void> {
  const once = onceOf(req)
  const { primaryColor, secondaryColor, logoUrl } = values
  const body = { primaryColor, secondaryColor, colors: colorsOf(values), ...(logoUrl && { logoUrl }) }
  try {
    const answer = await sendApi(portal, req, res, 'replaceInvoiceTheme', { params: {}, body, key: once })
    await record(portal, req, res, { action: 'replaceInvoiceTheme', detail: body })
    const { t } = wordsOf(res)
    const isHard = (answer.body as ThemeJson).warnings.length > 0
    const notice = isHard
      ? 'The theme was saved. Some of its text is hard to read on its background.'
      : 'The theme was saved.'
    await keepFlash(portal, res, { notice: t(notice) })
    res.redirect(303, `${portal.root}/settings/theme`)
  } catch (error) {
    const { typed, ...sent } = explained(error, { body, values, faults: {} }, once, wordsOf(res))
    await showTheme(portal, res, values, { ...sent, faults: shownFaults(typed?.faults, wordsOf(res)) })
  }
}
