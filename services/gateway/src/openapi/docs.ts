import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { dirname, join } from 'node:path'
import { Eta } from 'eta'
import { Router, type Response } from 'express'
import helmet from 'helmet'
import { PROBLEM_CODES } from '../http/problem-codes'
import { refuseMethod } from '../http/serve-route'

const VIEWS = join(__dirname, '../../views/docs')
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'))
const VERSION = (JSON.parse(readFileSync(join(SWAGGER_UI, 'package.json'), 'utf8')) as { version: string })
  .version

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': join(SWAGGER_UI, 'swagger-ui.css'),
  'swagger-ui-bundle.js': join(SWAGGER_UI, 'swagger-ui-bundle.js'),
  'favicon.png': join(SWAGGER_UI, 'favicon-32x32.png'),
  'docs.css': join(VIEWS, 'docs.css'),
  'reference.js': join(VIEWS, 'reference.js'),
}

/** The API reference and the page of error codes: all of it from this machine. */
export function docsRoutes(baseUrl: string): Router {
  const eta = new Eta({ views: VIEWS, cache: true })
  // BASE_URL may carry a path of its own.
  const place = {
    root: new URL(`${baseUrl}/docs`).pathname,
    openapi: new URL(`${baseUrl}/openapi.json`).pathname,
    version: VERSION,
  }
  const reference = eta.render('./reference', place)
  const errors = eta.render('./errors', { ...place, example: exampleProblem(baseUrl), groups: groupCodes() })
  const router = Router()
  router.use(pageHeaders(baseUrl))
  router.get('/', (_req, res) => sendPage(res, reference))
  router.get('/errors', (_req, res) => sendPage(res, errors))
  router.all(['/', '/errors'], refuseMethod(['GET']))
  for (const [name, file] of Object.entries(ASSETS)) {
    router.get(`/${name}`, (_req, res) => res.sendFile(file, { maxAge: '1h' }))
  }
  return router
}

function sendPage(res: Response, html: string): void {
  res.setHeader('Cache-Control', 'no-cache')
  res.type('html').send(html)
}

/** Swagger UI styles its elements inline; nothing else may be, and nothing comes from elsewhere. */
function pageHeaders(baseUrl: string) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
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

function exampleProblem(baseUrl: string): string {
  const code = 'CAPTURE_EXCEEDS_AUTHORIZED'
  const problem = {
    type: `${baseUrl}/docs/errors#${code}`,
    title: PROBLEM_CODES[code].title,
    status: 422,
    detail: '6000 requested, 4000 still capturable.',
    instance: '/api/v2/charges/981/capture',
    code,
    requestId: 'req_5f0c9d2e8b7a4c1d9e3f6a2b',
    retryable: false,
    errors: [{ pointer: '#/amount', code: 'MAX', detail: 'must be at most 4000' }],
  }
  return JSON.stringify(problem, null, 2)
}
