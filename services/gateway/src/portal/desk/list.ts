import { DomainError } from '@cofre/platform/errors'
import { COUNTED_MAX } from '@cofre/platform/list-page'
import type { RequestHandler, Response } from 'express'
import { sendText } from '../../http/answer'
import { parameter } from '../../pages/form'
import { readFlash } from '../flash'
import { leaveOf } from '../pages'
import type { Portal } from '../portal-context'
import { todayOf } from '../sandbox/clock'
import { textOf, wordsOf } from '../words/language'
import { allows, askApi } from './api'
import type { Word } from '../words/portuguese'
import { queryOf, readFilters } from './filters'
import { monthLinks } from './months'
import { beginningOf, nextPageOf } from './next-page'
import { rowsOf, type Entry } from './rows'
import type { Thing } from './thing'
import { viewsOf } from './views'

const PAGE_SIZE = 25
/** Page numbers reach no further. */
const MAX_PAGE = COUNTED_MAX / PAGE_SIZE

/** A page of the API. */
type Listed = {
  content: Entry[]
  totalElements: number
  totalIsLowerBound: boolean
  totalPages: number
}

/** The list of a thing. Its filters stand in its address. */
export function showList(portal: Portal, thing: Thing): RequestHandler {
  return async (req, res) => {
    const filters = readFilters(req, thing.filters)
    const page = Math.min(MAX_PAGE, Math.max(1, Math.trunc(Number(parameter(req, 'page'))) || 1))
    const beginning = beginningOf((name) => parameter(req, name), thing.ids)
    const { after } = beginning
    const asked = {
      ...queryOf(thing, filters),
      page: String(page - 1),
      size: String(PAGE_SIZE),
      ...beginning,
    }
    const { listed, faults, next } = await ask(portal, res, thing, asked)
    const pages = Math.max(1, listed.totalPages)
    const addressOf = (to: Record<string, string>) => pathOf(portal, thing, { ...filters, ...to })
    const before = (number: number) => addressOf(number > 1 ? { page: String(number) } : {})
    if (page > pages && !after) return res.redirect(303, before(pages))
    const words = wordsOf(res)
    const { t } = words
    portal.show(res, {
      view: 'list',
      title: t(thing.many),
      section: thing.name,
      status: Object.keys(faults).length > 0 ? 422 : 200,
      data: {
        thing,
        shownFilters: thing.filters.map(({ options = [], ...filter }) => ({
          ...filter,
          options: options.map(([value, text]) => [value, textOf(text, t)]),
        })),
        creations: (thing.creations ?? [])
          .filter(({ operation }) => allows(res, operation))
          .map(({ label, name }) => ({ label, href: `${portal.root}/${thing.name}/${name}` })),
        path: pathOf(portal, thing, {}),
        months: thing.filters.some(({ name }) => name === 'from')
          ? monthLinks(pathOf(portal, thing, {}), words, todayOf(res), withoutDays(filters))
          : [],
        rows: rowsOf(portal, words, thing, listed.content),
        filters,
        faults,
        isFiltered: Object.keys(filters).length > 0,
        views: await viewsOf(portal, res, thing, filters),
        query: new URLSearchParams(filters).toString(),
        total: listed.totalElements,
        isMore: listed.totalIsLowerBound,
        page,
        pages,
        csv: thing.csv && pathOf(portal, { name: `${thing.name}.csv` }, filters),
        newest: after && page === 1 ? addressOf({}) : undefined,
        previous: page > 1 ? before(page - 1) : undefined,
        next: next && addressOf({ page: String(page + 1), ...next }),
        flash: await readFlash(portal, res),
      },
    })
  }
}

/** The list as CSV, with the filters of its page. */
export function exportList(portal: Portal, { csv, filters }: Thing): RequestHandler {
  return async (req, res) => {
    const query = queryOf({ filters }, readFilters(req, filters))
    const answer = await askApi(portal, res, csv ?? '', { query })
    leaveOf(res)()
    await sendText(res, answer)
  }
}

const NOTHING: Listed = { content: [], totalElements: 0, totalIsLowerBound: false, totalPages: 1 }

/** Filters that name nothing possible, such as a CPF of ten digits, find nothing and are explained. */
async function ask(portal: Portal, res: Response, { list }: Thing, query: Record<string, string>) {
  try {
    const answer = await askApi(portal, res, list, { query })
    return { listed: answer.body as Listed, faults: {}, next: nextPageOf(answer) }
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== 'VALIDATION_FAILED') throw error
    return { listed: NOTHING, faults: faultsOf(error), next: undefined }
  }
}

/** What is wrong with each filter that the API refuses, by its name. */
export function faultsOf({ extra: { errors = [] } }: DomainError): Record<string, Word> {
  return Object.fromEntries(
    errors.map(({ pointer }) => [pointer.split('/')[1] ?? '', 'Enter a valid value.']),
  )
}

function withoutDays({ from: _from, to: _to, ...others }: Record<string, string>): Record<string, string> {
  return others
}

function pathOf({ root }: Portal, { name }: Pick<Thing, 'name'>, query: Record<string, string>): string {
  const search = new URLSearchParams(query)
  return `${root}/${name}${search.size > 0 ? `?${search.toString()}` : ''}`
}
