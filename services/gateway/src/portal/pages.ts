import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Eta } from 'eta'
import type { Response } from 'express'
import { formTokenOf } from './csrf'
import { maySee } from './desk/api'
import { hasRight, type Right } from '../sellers/roles'
import { sandboxNow } from './sandbox/clock'
import { findSessionOf } from './session'
import { THINGS } from './things/all-things'
import { wordsOf } from './words/language'

/** tsc copies no templates: they are read from the folder beside src and dist. */
export const VIEWS_DIR = join(__dirname, '../../views/portal')

/** A page: its template, its title, its section in the navigation, and the template's data (`it`). */
export type Page = {
  view: string
  title: string
  section?: string
  status?: number
  data?: object
}

export type Show = (res: Response, page: Page) => void

/** The pages under Settings, by section. */
const SETTINGS: ReadonlySet<string> = new Set([
  'api',
  'secret',
  'theme',
  'contact',
  'account',
  'two-step',
  'people',
  'audit',
  ...THINGS.filter(({ under }) => under !== undefined).map(({ name }) => name),
])

/** Gives the place of a page back: its work is done, and a browser that reads slowly holds none. */
export function leaveOf(res: Response): () => void {
  return (res.locals.leave as (() => void) | undefined) ?? (() => {})
}

/** Renders pages into the portal's frame. Every value is escaped by the templates. */
export function createPages({ root, version }: { root: string; version: string }): Show {
  const eta = new Eta({ views: VIEWS_DIR, cache: true })
  return (res, { view, title, section, status = 200, data = {} }) => {
    const session = findSessionOf(res)
    const { t, show: shownTime, language } = wordsOf(res)
    const sandbox = sandboxNow(res)
    const seen = session ? THINGS.filter((thing) => maySee(res, thing)) : []
    const frame = {
      root,
      version,
      title: t(title),
      section,
      inSettings: section !== undefined && SETTINGS.has(section),
      session,
      sandbox: session && sandbox !== undefined ? shownTime({ time: sandbox }).text : undefined,
      printed: shownTime({ time: sandbox ?? Date.now() }).text,
      docs: root.replace(/\/portal$/, '/docs'),
      things: seen.filter(({ under }) => under === undefined),
      integrations: seen.filter(({ under }) => under === 'integrations'),
      has: (right: Right) => session !== undefined && hasRight(session.role, right),
      t,
      language,
      formToken: formTokenOf(res),
      once: randomUUID(),
    }
    leaveOf(res)()
    res
      .status(status)
      .type('html')
      .set('Content-Language', language)
      .send(eta.render(`./${view}`, { ...frame, ...data, title: frame.title }))
  }
}
