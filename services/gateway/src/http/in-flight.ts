import { unavailable } from '@cofre/platform/errors'
import type { Route } from './route'

export type InFlight = {
  /** Takes a place for a request; answers the function that gives it back. Throws SERVICE_UNAVAILABLE when full. */
  enter(route: Pick<Route, 'uncounted' | 'callsPartner'>): () => void
}

/**
 * Bounds the requests that run at once: what can't be done soon is refused at once, before it costs anything, rather
 * than kept until nobody waits for it. Routes that wait for another company share half of the places, so that a
 * company that hangs leaves the other half to the routes that do not need it.
 */
export function createInFlight(max: number): InFlight {
  const running = { all: 0, atPartners: 0 }
  return {
    enter: ({ uncounted, callsPartner }) => {
      if (uncounted) return () => {}
      if (running.all >= max || (callsPartner && running.atPartners >= Math.ceil(max / 2))) {
        throw unavailable('Too many requests are running. Nothing was done.')
      }
      const atPartners = callsPartner ? 1 : 0
      running.all += 1
      running.atPartners += atPartners
      return () => {
        running.all -= 1
        running.atPartners -= atPartners
      }
    },
  }
}
