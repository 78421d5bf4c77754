import type { RequestHandler, Response } from 'express'
import { field, line } from '../../pages/form'
import { keepFlash } from '../flash'
import type { Portal } from '../portal-context'
import { sessionOf } from '../session'
import { wordsOf } from '../words/language'
import type { Word } from '../words/portuguese'
import { offered } from './filters'
import type { Thing } from './thing'
import { deleteView, listViews, saveView, VIEWS_MAX, type SavedView } from './view-store'

/** The longest name, as the database takes it. */
const NAME_MAX = 60

/** The views that the reader keeps of a list: each with its address, and whether it is the one that is shown. */
export async function viewsOf(
  { pool, root }: Portal,
  res: Response,
  { name: list }: Pick<Thing, 'name'>,
  filters: Record<string, string>,
): Promise<(SavedView & { href: string; isShown: boolean })[]> {
  const shown = searchOf(filters)
  const views = await listViews(pool, { userId: sessionOf(res).userId, list })
  return views.map((view) => ({
    ...view,
    href: `${root}/${list}?${view.query}`,
    isShown: view.query === shown,
  }))
}

/** Keeps the filters of the list from which the form came, under a name. */
export function keepView(portal: Portal, { name: list, filters }: Thing): RequestHandler {
  return async (req, res) => {
    const { t } = wordsOf(res)
    const given = new URLSearchParams(field(req, 'query').slice(0, 4_000))
    const query = searchOf(offered(filters, (name) => given.get(name) ?? ''))
    const name = line(req, 'name').slice(0, NAME_MAX)
    const say = async (notice: Word, values: Record<string, string | number> = {}) => {
      await keepFlash(portal, res, { notice: t(notice, values) })
      res.redirect(303, `${portal.root}/${list}${query && `?${query}`}`)
    }
    if (name === '' || query === '') return say('Choose filters and a name for the view.')
    const isKept = await saveView(portal.pool, { userId: sessionOf(res).userId, list, name, query })
    return isKept
      ? say('The view was saved.')
      : say('You keep {most} views of this list: remove one first.', { most: VIEWS_MAX })
  }
}

/** Forgets a view; the list is shown without filters. */
export function forgetView(portal: Portal, { name: list }: Thing): RequestHandler {
  return async (req, res) => {
    await deleteView(portal.pool, { userId: sessionOf(res).userId, list, name: line(req, 'name') })
    await keepFlash(portal, res, { notice: wordsOf(res).t('The view was removed.') })
    res.redirect(303, `${portal.root}/${list}`)
  }
}

function searchOf(filters: Record<string, string>): string {
  return new URLSearchParams(filters).toString()
}
