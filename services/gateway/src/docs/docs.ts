import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { listNoAnswers } from '@cofre/api/webhooks/no-answer'
import { Eta } from 'eta'
import { Router, type Request } from 'express'
import helmet from 'helmet'
import { PROBLEM_CODES } from '../http/problem-codes'
import { refuseMethod } from '../http/serve-route'
import { readAssets } from '../pages/assets'
import { fixedAnswer, type FixedAnswer } from '../pages/fixed-answer'
import { ADVICE, declineRows, refusalRows } from './manual/decline-rows'
import { GUIDES } from './manual/guides'
import { inlineProseOf, proseOf } from './manual/prose'
import { createSamples } from './manual/samples'
import { FAULT_CODES } from './fault-codes'
import { GROWING_ENUMS } from './growing-enums'
import { exampleProblem } from './openapi-examples'
import { createSchemaBook } from './openapi-schemas'
import { eventExamples } from './event-examples'
import { viewOf, type ApiDocument } from './reference/reference-view'

const VIEWS = join(__dirname, '../../views/docs')

/** Serves the manual: guides, error codes and the reference, with everything that they show. */
export function docsRoutes(baseUrl: string, readDocument: () => object): Router {
  const assets = readAssets(VIEWS, [
    { path: '/docs.css', type: 'css', files: ['frame.css', 'text.css', 'reference.css'] },
    { path: '/search.js', type: 'js', files: ['search.js'] },
    { path: '/pages.js', type: 'js', files: ['pages.js'] },
    { path: '/fill.js', type: 'js', files: ['fill.js'] },
    { path: '/icon.svg', type: 'svg', files: ['icon.svg'] },
  ])
  const eta = new Eta({ views: VIEWS, cache: true })
  // BASE_URL may have a path of its own.
  const root = new URL(`${baseUrl}/docs`).pathname
  const frame = {
    root,
    baseUrl,
    openapi: new URL(`${baseUrl}/openapi.json`).pathname,
    portal: new URL(`${baseUrl}/portal`).pathname,
    version: assets.version,
    guides: GUIDES,
    prose: proseOf,
    inline: inlineProseOf,
    json: (value: unknown) => JSON.stringify(value, null, 2),
    sample: createSamples(join(VIEWS, 'samples'), baseUrl),
  }
  const render = (view: string, page: object) => eta.render(`./${view}`, { ...frame, ...page })
  const router = Router()
  router.use(assets.routes, pageHeaders(baseUrl))
  for (const { path, view, title } of GUIDES) {
    const page = pageOf(render(view, { title, current: path, ...dataOf(view, baseUrl) }))
    router
      .route(path || '/')
      .get((_req, res) => page(res))
      .all(refuseMethod(['GET']))
  }
  router.use('/reference', referenceRoutes(baseUrl, readDocument, render))
  return router
}

/** Made at the first request: the document holds every route, and all routes exist by then. */
function referenceRoutes(
  baseUrl: string,
  readDocument: () => object,
  render: (view: string, page: object) => string,
): Router {
  let groups: ReturnType<typeof viewOf> | undefined
  const all = () => (groups ??= viewOf(readDocument() as ApiDocument, baseUrl))
  const pages = new Map<string, FixedAnswer>()
  const once = (path: string, make: () => string) => {
    const page = pages.get(path) ?? pageOf(make())
    pages.set(path, page)
    return page
  }
  const router = Router()
  router
    .route('/')
    .get((_req, res) => {
      const page = { title: 'API reference', current: '/reference', groups: all() }
      return once('/', () => render('reference', page))(res)
    })
    .all(refuseMethod(['GET']))
  const groupOf = ({ params }: Request<{ slug: string }>) => all().find(({ slug }) => slug === params.slug)
  router
    .route('/:slug')
    .all((req, _res, next) => (groupOf(req) ? next() : next('route')))
    .get((req, res, next) => {
      const group = groupOf(req)
      if (!group) return next('route')
      const page = { title: group.name, current: '/reference', groups: all(), group }
      return once(group.slug, () => render('reference-group', page))(res)
    })
    .all(refuseMethod(['GET']))
  return router
}

function dataOf(view: string, baseUrl: string): object {
  if (view === 'errors') {
    const example = exampleProblem('UNKNOWN_FIELD', baseUrl)
    return { example: JSON.stringify(example, null, 2), groups: groupCodes(), faults: FAULT_CODES }
  }
  if (view === 'declines') return { declines: declineRows(), advice: ADVICE, refusals: refusalRows() }
  if (view === 'compatibility') return { growing: GROWING_ENUMS }
  if (view === 'webhooks')
    return { events: eventExamples(createSchemaBook(), baseUrl), noAnswers: listNoAnswers() }
  return {}
}

function pageOf(html: string): FixedAnswer {
  return fixedAnswer(Buffer.from(html), 'text/html; charset=utf-8')
}

/** Scripts, styles and pictures come from here alone; nothing is inline. */
function pageHeaders(baseUrl: string) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    strictTransportSecurity: baseUrl.startsWith('https:'),
  })
}

function groupCodes() {
  const all = Object.entries(PROBLEM_CODES).map(([code, entry]) => ({ code, ...entry }))
  const statuses = [...new Set(all.map(({ status }) => status))].sort((one, other) => one - other)
  return statuses.map((status) => {
    return { status, name: STATUS_CODES[status] ?? '', codes: all.filter((each) => each.status === status) }
  })
}
