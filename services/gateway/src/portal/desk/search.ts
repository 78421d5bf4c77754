import { DomainError } from '@cofre/platform/errors'
import type { RequestHandler, Response } from 'express'
import { parameter } from '../../pages/form'
import type { Portal } from '../portal-context'
import { wordsOf, type Words } from '../words/language'
import { askApi, askOf, maySee } from './api'
import { requestedBy } from './requested'
import { idOf, rowsOf, type Entry } from './rows'
import { wantedOf, waysOf, type Way } from './search-ways'
import type { Resource } from '../things/resource-link'
import { paramsOf, type Thing } from './thing'

const MOST = 5

/** What a filter found: its first entries, and how many there are. */
type Found = { way?: Way; entries: Entry[]; total: number; isMore: boolean }

/**
 * Finds what a person typed: in every list whose filters take it, by the id of each thing, and by the request that made
 * it. A word before it, as in "invoice 14", names the only list to look in.
 */
export function search(portal: Portal, things: readonly Thing[]): RequestHandler {
  return async (req, res) => {
    const q = parameter(req, 'q').trim().slice(0, 255)
    const words = wordsOf(res)
    const readable = q === '' ? [] : things.filter((thing) => maySee(res, thing))
    const { wanted, text } = wantedOf(readable, q, words)
    const requested = readable.length > 0 ? requestedBy(askOf(portal, res), q) : Promise.resolve([])
    const found = await Promise.all(
      wanted.map(async (thing) => ({ thing, found: await find(portal, res, thing, text, requested) })),
    )
    const groups = found.map(({ thing, found: each }) => groupOf(portal, words, thing, each))
    portal.show(res, {
      view: 'search',
      title: 'Search',
      section: 'search',
      data: { q, groups: groups.filter(({ rows }) => rows.length > 0) },
    })
  }
}

/** The first things found, and where the rest of them stand. */
function groupOf(portal: Portal, words: Words, thing: Thing, found: readonly Found[]) {
  const all = found.flatMap(({ entries }) => entries)
  const shown = [...new Map(all.map((each) => [idOf(thing, each), each])).values()].slice(0, MOST)
  return {
    name: words.t(thing.many),
    columns: thing.columns,
    rows: rowsOf(portal, words, thing, shown),
    rest: found.flatMap(({ way, entries, total, isMore }) => {
      const filter = thing.filters.find(({ name }) => name === way?.name)
      const count = shown.filter((each) => entries.includes(each)).length
      if (!way || !filter || total <= count) return []
      const query = new URLSearchParams({ [way.name]: way.typed })
      return [
        {
          says: words.t(isMore ? '{count} of more than {total}' : '{count} of {total}', { count, total }),
          filter: words.t(filter.label),
          href: `${portal.root}/${thing.name}?${query.toString()}`,
        },
      ]
    }),
  }
}

async function find(
  portal: Portal,
  res: Response,
  thing: Thing,
  q: string,
  requested: Promise<readonly Resource[]>,
): Promise<Found[]> {
  const byId = /^[1-9]\d{0,14}$/.test(q) ? [readOne(portal, res, thing, q)] : []
  const byRequest = requested.then(async (resources) => {
    const ids = resources.filter(({ page }) => page === thing.name).map(({ id }) => String(id))
    return (await Promise.all(ids.map((id) => readOne(portal, res, thing, id)))).flat()
  })
  const listed = waysOf(thing, q).map((way) => matching(portal, res, thing.list, way))
  return (await Promise.all([...byId, byRequest, ...listed])).flat()
}

async function readOne(portal: Portal, res: Response, thing: Thing, id: string): Promise<Found[]> {
  const { read } = thing
  if (!read) return []
  return none(async () => {
    const entry = (await askApi(portal, res, read, { params: paramsOf(thing, id) })).body as Entry
    return { entries: [entry], total: 1, isMore: false }
  })
}

async function matching(portal: Portal, res: Response, operation: string, way: Way): Promise<Found[]> {
  return none(async () => {
    const query = { [way.name]: way.value, size: String(MOST) }
    const body = await askOf(portal, res)(operation, query)
    const listed = body as { content: Entry[]; totalElements: number; totalIsLowerBound: boolean }
    const { content: entries, totalElements: total, totalIsLowerBound: isMore } = listed
    return { way, entries, total, isMore }
  })
}

/** A text that a filter does not take, such as a name where a CPF is looked for, finds nothing there. */
async function none(ask: () => Promise<Found>): Promise<Found[]> {
  try {
    return [await ask()]
  } catch (error) {
    if (error instanceof DomainError && (error.kind === 'not_found' || error.kind === 'invalid_argument'))
      return []
    throw error
  }
}
