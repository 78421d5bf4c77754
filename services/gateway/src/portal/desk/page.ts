import { DomainError } from '@cofre/platform/errors'
import type { RequestHandler, Response } from 'express'
import { slugOf } from '../../docs/openapi-tags'
import { sendText } from '../../http/answer'
import { hasRight } from '../../sellers/roles'
import { readFlash } from '../flash'
import { leaveOf } from '../pages'
import type { Portal } from '../portal-context'
import { pageNotFound } from '../portal-fault'
import { sessionOf } from '../session'
import { wordsOf, type Words } from '../words/language'
import type { Value } from '../words/value'
import { allows, askApi, askOf, routeOf } from './api'
import { deedsOf } from './deeds'
import { paramsOf, type Block, type Listing, type Thing } from './thing'

const NUMBERS = /^[1-9]\d{0,14}$/

export type ById = { id: string }

/** The page of one thing, with what may be done to it. */
export function showThing(portal: Portal, thing: Thing): RequestHandler<ById> {
  return async (req, res) => {
    const full = await readThing(portal, res, thing, req.params.id)
    const [beside, deeds, around] = await Promise.all([
      readBeside(portal, res, thing, req.params.id, full),
      deedsOf(portal, res, thing, req.params.id),
      thing.around?.(full, askOf(portal, res)),
    ])
    const words = wordsOf(res)
    const {
      badge,
      total = null,
      blocks,
    } = thing.page(full, { ...beside, ...around, sandboxUrl: portal.config.sandboxUrl })
    const actions = thing.actions.filter(({ operation, applies }) => allows(res, operation) && applies(full))
    const isLed = actions.some(({ leads }) => leads)
    const ways = (thing.ways?.(full) ?? []).filter(({ operation }) => allows(res, operation))
    portal.show(res, {
      view: 'thing',
      title: words.show(thing.heading(full)).text,
      section: thing.name,
      data: {
        thing,
        badge,
        total: words.show(total).text,
        blocks: [...blocks, ...deeds].map((block) => shownBlock(block, words)),
        actions: [
          ...actions.map(({ name, label, danger, leads, immediate }) => ({
            label,
            look: leads ? '' : danger && !isLed ? 'danger' : 'plain',
            immediate,
            href: `${portal.root}/${thing.name}/${req.params.id}/${name}`,
          })),
          ...ways.map(({ label, to }) => ({ label, look: 'danger', href: `${portal.root}${to}` })),
        ],
        documents: (thing.documents ?? [])
          .filter(({ operation, applies }) => allows(res, operation) && applies(full))
          .map(({ name, label }) => ({
            label,
            href: `${portal.root}/${thing.name}/${req.params.id}/${name}`,
          })),
        reference: referenceOf(res, thing, req.params.id),
        flash: await readFlash(portal, res),
      },
    })
  }
}

/** Where the reference reads this thing, with its ids for the commands (`views/docs/fill.js`). */
function referenceOf(res: Response, { read, key }: Thing, id: string): string | undefined {
  const { sellerId, role } = sessionOf(res)
  if (!read || !hasRight(role, 'developers')) return undefined
  const { tag, path, operationId } = routeOf(read)
  const ids: Record<string, string> = { sellerId: String(sellerId), ...paramsOf({ key }, id) }
  const at = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '')
  return `/reference/${slugOf(tag)}?${new URLSearchParams({ seller: String(sellerId), at }).toString()}#${operationId}`
}

/** A document of a thing, as the API answers it. */
export function sendDocument(
  portal: Portal,
  { key, ids = NUMBERS }: Thing,
  operation: string,
): RequestHandler<ById> {
  return async (req, res) => {
    const { id } = req.params
    if (!ids.test(id)) throw pageNotFound()
    const answer = await askApi(portal, res, operation, { params: paramsOf({ key }, id) })
    leaveOf(res)()
    await sendText(res, answer)
  }
}

/** Reads a thing as the API shows it. An id that is none, or another seller's, is not found. */
export async function readThing(
  portal: Portal,
  res: Response,
  { read, key, ids = NUMBERS }: Thing,
  id: string,
): Promise<unknown> {
  if (!read || !ids.test(id)) throw pageNotFound()
  const { body } = await askApi(portal, res, read, { params: paramsOf({ key }, id) })
  return body
}

async function readBeside(
  portal: Portal,
  res: Response,
  { beside = {} }: Thing,
  id: string,
  full: unknown,
): Promise<object> {
  const listings = Object.entries(beside as Record<string, string | Listing<unknown>>)
  const read = listings.map(async ([name, listing]) => {
    const { operation, of, query }: Listing<unknown> =
      typeof listing === 'string' ? { operation: listing } : listing
    if (!allows(res, operation)) return [name, []]
    const asked = query ? { query: query(full) } : { params: { id: of ? String(of(full)) : id } }
    const { body } = await askApi(portal, res, operation, asked).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'not_found') return { body: [] }
      throw error
    })
    return [name, isPage(body) ? body.content : body]
  })
  return Object.fromEntries(await Promise.all(read)) as object
}

function isPage(body: unknown): body is { content: unknown[] } {
  return typeof body === 'object' && body !== null && 'content' in body
}

/** Facts that are unknown are left out. */
function shownBlock(block: Block, { show, t }: Words) {
  const { title, line, alert, facts = [], table, timeline = [], ...rest } = block
  return {
    ...rest,
    title: title === undefined ? undefined : show(title).text,
    line: line?.map((each) => show(each).text),
    alert: alert && {
      ...alert,
      title: show(alert.title).text,
      text: show(alert.text).text,
      warning: show(alert.warning ?? null).text,
      link: show(alert.link ?? null),
    },
    facts: facts
      .filter(([, value]) => isKnown(value))
      .map(([name, value]) => ({ name: typeof name === 'string' ? t(name) : name.text, ...show(value) })),
    table: table && { columns: table.columns, rows: table.rows.map((row) => row.map(show)) },
    timeline: timeline.map(({ what, amount = null, badge, at, note = null }) => ({
      what: show(what).text,
      amount: show(amount).text,
      badge,
      at: show(at).text,
      note: show(note).text,
    })),
  }
}

function isKnown(value: Value): boolean {
  return value !== null && value !== ''
}
