import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { Eta } from 'eta'
import { Router, type Request, type Response } from 'express'
import helmet from 'helmet'
import { PROBLEM_CODES } from '../http/problem-codes'
import { refuseMethod } from '../http/serve-route'
import { readAssets } from '../pages/assets'
import { ADVICE, declineRows } from './manual/decline-rows'
import { GUIDES } from './manual/guides'
import { inlineProseOf, proseOf } from './manual/prose'
import { createSamples } from './manual/samples'
import { exampleProblem } from './openapi-examples'
import { createSchemaBook } from './openapi-schemas'
import { eventExamples } from './openapi-webhooks'
import { viewOf, type ApiDocument } from './reference/reference-view'

const VIEWS = join(__dirname, '../../views/docs')

/** Serves the manual: guides, error codes and the reference, with everything that they show. */
export function docsRoutes(baseUrl: string, readDocument: () => object): Router {
  const assets = readAssets(VIEWS, [
    { path: '/docs.css', type: 'css', files: ['frame.css', 'text.css', 'reference.css'] },
    { path: '/search.js', type: 'js', files: ['search.js'] },
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
    const page = Buffer.from(render(view, { title, current: path, ...dataOf(view, baseUrl) }))
    router
      .route(path || '/')
      .get((_req, res) => sendPage(res, page))
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
  const pages = new Map<string, Buffer>()
  const once = (path: string, make: () => string) => {
    const page = pages.get(path) ?? Buffer.from(make())
    pages.set(path, page)
    return page
  }
  const router = Router()
  router
    .route('/')
    .get((_req, res) => {
      const page = { title: 'API reference', current: '/reference', groups: all() }
      sendPage(
        res,
        once('/', () => render('reference', page)),
      )
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
      sendPage(
        res,
        once(group.slug, () => render('reference-group', page)),
      )
    })
    .all(refuseMethod(['GET']))
  return router
}

function dataOf(view: string, baseUrl: string): object {
  if (view === 'errors') {
    const example = exampleProblem('UNKNOWN_FIELD', baseUrl)
    return { example: JSON.stringify(example, null, 2), groups: groupCodes() }
  }
  if (view === 'declines') return { declines: declineRows(), advice: ADVICE }
  if (view === 'webhooks') return { events: eventExamples(createSchemaBook(), baseUrl) }
  return {}
}

/** Sends the same bytes to everybody: a slow reader keeps no copy of its own. */
function sendPage(res: Response, page: Buffer): void {
  res.setHeader('Cache-Control', 'no-cache')
  res.type('html').send(page)
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
