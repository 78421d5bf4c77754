import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Eta } from 'eta'
import type { Response } from 'express'
import { formTokenOf } from './csrf'
import { findSessionOf } from './session'

/** tsc copies no templates: they are read from the folder beside src and dist. */
export const VIEWS_DIR = join(__dirname, '../../views/portal')

/** A page: its template, its title, its section in the navigation, and the template's data (`it`). */
export type Page = {
  view: string
  title: string
  section?: 'charges' | 'api' | 'webhooks' | 'account'
  status?: number
  data?: object
}

export type Show = (res: Response, page: Page) => void

/** Renders pages into the portal's frame. Every value is escaped by the templates. */
export function createPages({ root, version }: { root: string; version: string }): Show {
  const eta = new Eta({ views: VIEWS_DIR, cache: true })
  return (res, { view, title, section, status = 200, data = {} }) => {
    const session = findSessionOf(res)
    const frame = { root, version, title, section, session, formToken: formTokenOf(res), once: randomUUID() }
    res
      .status(status)
      .type('html')
      .send(eta.render(`./${view}`, { ...data, ...frame }))
  }
}
