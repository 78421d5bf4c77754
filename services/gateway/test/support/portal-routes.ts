import type { Router } from 'express'
import type { Deps } from '../../src/deps'
import { portalRoutes } from '../../src/portal/portal'

export type PortalRoute = { method: 'GET' | 'POST'; path: string }

type Listed = { path: string; methods?: string[]; router?: Listing }
type Listing = Router & { listRoutes(): Listed[] }

/** Every page, file and form of the portal, as its router serves them: none is forgotten. Paths begin after `/portal`. */
export function routesOfPortal(): PortalRoute[] {
  // Only a request needs the other dependencies.
  const deps = { baseUrl: 'http://portal.test', services: {} } as Deps
  const all = routesIn(portalRoutes(deps) as Listing, '')
  return all.filter(({ path }) => !/\.(css|js|svg)$/.test(path))
}

function routesIn(router: Listing, before: string): PortalRoute[] {
  return router.listRoutes().flatMap(({ path, methods = [], router: within }) => {
    const at = `${before}${path}`.replace(/\/+$/, '')
    if (within) return routesIn(within, at)
    return (['GET', 'POST'] as const)
      .filter((method) => methods.includes(method))
      .map((method) => ({ method, path: at }))
  })
}

/** Before the sign-in a browser gets these alone. */
export function isOpen({ path }: PortalRoute): boolean {
  return /^\/(login|join)(\/|$)/.test(path)
}
