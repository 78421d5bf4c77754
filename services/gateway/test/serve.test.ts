import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { services, type Half } from '@cofre/platform/service/services'
import express, { type Express } from 'express'
import { routes } from '../src/api/all-routes'
import { healthRoutes } from '../src/api/service'
import { createApp } from '../src/app'
import { servedOverGrpc } from '../src/server'
import { startGateway, type Gateway } from './support/gateway'

type Layer = {
  handle: { stack?: Layer[] }
  route?: { path: string | string[]; stack: { method?: string }[] }
}
type Listed = { method: string; path: string }

/** A route for all methods has each that Node knows: these are enough. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const HEALTH = healthRoutes.map(({ path }) => path)

let gateway: Gateway
let mounts: Map<unknown, string>
let apps: Record<Half | 'all', Express>
let servers: Server[]
const urls = new Map<Express, string>()

beforeAll(async () => {
  gateway = await startGateway()
  const use = jest.spyOn(express.Router.prototype as { use: (...given: unknown[]) => unknown }, 'use')
  const appOf = (serve: Half | 'all') =>
    createApp({ ...gateway.deps, config: { ...gateway.deps.config, serve } })
  apps = { all: appOf('all'), api: appOf('api'), pages: appOf('pages') }
  // A router does not know where it is mounted: the calls that mounted it do.
  mounts = new Map(
    use.mock.calls.flatMap(([path, ...handlers]) =>
      typeof path === 'string' ? handlers.flat().map((handler) => [handler, path] as const) : [],
    ),
  )
  use.mockRestore()
  servers = await Promise.all(
    Object.values(apps).map(async (app) => {
      const server = app.listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      urls.set(app, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      return server
    }),
  )
})
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections()
  await gateway.stop()
})

/** Lists what the routers of an app answer, each with its whole path. */
function listRoutes(app: Express): Listed[] {
  const within = (stack: readonly Layer[], at: string): Listed[] =>
    stack.flatMap(({ route, handle }) => {
      if (!route) return within(handle.stack ?? [], join(at, mounts.get(handle) ?? '/'))
      const paths = [route.path].flat().map((path) => join(at, path))
      const methods = route.stack
        .map(({ method = 'get' }) => method.toUpperCase())
        .filter((method) => METHODS.includes(method))
      return paths.flatMap((path) => methods.map((method) => ({ method, path })))
    })
  return within((app.router as unknown as { stack: Layer[] }).stack, '/')
}

const join = (at: string, path: string) => `${at}/${path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')

const isHealth = ({ path }: { path: string }) => HEALTH.includes(path)

/** The routes of an app, each once, without the health checks. */
const namesOf = (app: Express) =>
  [
    ...new Set(
      listRoutes(app)
        .filter((listed) => !isHealth(listed))
        .map(({ method, path }) => `${method} ${path}`),
    ),
  ].sort()

/** The half that the table of services names for a path. */
function halfOf(path: string): Half | undefined {
  const below = Object.entries(services.gateway.http ?? {}).filter(
    ([prefix]) => prefix === '/' || path === prefix || path.startsWith(`${prefix}/`),
  )
  return below.toSorted(([one], [other]) => other.length - one.length)[0]?.[1]
}

/** Fills parameters with what an id may be. */
const addressOf = (path: string) => path.replaceAll(/[:*{](\w+)\}?/g, '7')

async function ask(app: Express, method: string, path: string) {
  const headers = { authorization: `Bearer ${gateway.token}` }
  const response = await fetch(`${urls.get(app)}${path}`, { method, headers, redirect: 'manual' })
  const type = response.headers.get('content-type') ?? ''
  const body: unknown = type.includes('json') ? await response.json() : await response.text()
  return { status: response.status, type, body }
}

/** The answer to a path that nobody serves. */
const NOTHING_HERE = {
  status: 404,
  type: expect.stringContaining('application/problem+json') as string,
  body: expect.objectContaining({
    code: 'NOT_FOUND',
    status: 404,
    detail: 'There is no operation at this path. See /docs for all of them.',
  }) as object,
}

test('both halves together serve what one gateway serves, and share only the health checks', () => {
  const [api, pages] = [namesOf(apps.api), namesOf(apps.pages)]
  expect([...api, ...pages].sort()).toEqual(namesOf(apps.all))
  const healthIn = (app: Express) => listRoutes(app).filter(isHealth)
  expect(healthIn(apps.pages)).toEqual(healthIn(apps.all))
  expect(healthIn(apps.api)).toEqual(healthIn(apps.all))
  expect(api.length).toBeGreaterThan(routes.length)
  expect(pages).toContain('GET /portal/deliveries/:id')
})

test('each path belongs to the half that the table of services names, which is where the chart routes it', () => {
  const listed = (['api', 'pages'] as const).flatMap((half) =>
    listRoutes(apps[half]).map(({ path }) => ({ half, path })),
  )
  const others = listed.filter((each) => !isHealth(each))
  expect(others.filter(({ half, path }) => half !== halfOf(path))).toEqual([])
})

test('a gateway of the API serves no page', async () => {
  const listed = listRoutes(apps.pages).filter((each) => !isHealth(each))
  expect(listed.length).toBeGreaterThan(30)
  for (const { method, path } of listed) {
    const asked = await ask(apps.api, method, addressOf(path))
    expect({ path, ...asked }).toEqual({ path, ...NOTHING_HERE })
  }
})

test('a gateway of pages serves no route of the API, and so none that takes a raw card', async () => {
  const listed = listRoutes(apps.api).filter((each) => !isHealth(each))
  expect(routes.filter(({ body }) => body?.kind === 'card').length).toBeGreaterThan(5)
  for (const { method, path } of listed) {
    const asked = await ask(apps.pages, method, addressOf(path))
    expect({ path, ...asked }).toEqual({ path, ...NOTHING_HERE })
  }
})

test('both halves answer health checks', async () => {
  for (const half of ['api', 'pages'] as const) {
    expect(await ask(apps[half], 'GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'UP' } })
    expect((await ask(apps[half], 'GET', '/readyz')).body).toHaveProperty('dependencies.orders')
  }
})

test('a gateway of pages administers nothing', () => {
  const servedBy = (serve: Half | 'all') =>
    servedOverGrpc({ ...gateway.deps, config: { ...gateway.deps.config, serve } }).length
  expect([servedBy('all'), servedBy('api'), servedBy('pages')]).toEqual([1, 1, 0])
})
