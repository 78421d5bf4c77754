import { DomainError, unavailable } from '@cofre/platform/errors'
import { addressKey } from '@cofre/platform/outbound/address-key'
import type { Request, Response } from 'express'
import type { Token } from '../api-tokens/token'
import type { Route } from './route'

/** The sender of a request. Each is counted by itself, so that none takes every place. */
export type Caller = { kind: 'token' | 'seller' | 'address'; key: string }

export type InFlight = {
  /**
   * Counts a request of a caller from its reading to its end; returns the function that ends it. Throws RATE_LIMITED
   * when the caller has as many as it may.
   */
  admit(caller: Caller): () => void
  /** Takes a place for a request; returns the function that gives it back. Throws SERVICE_UNAVAILABLE when full. */
  enter(route: Pick<Route, 'uncounted' | 'placeless' | 'callsPartner'>): () => void
}

/** A seller may make any number of tokens: all of them together leave a tenth of the places to other sellers. */
export type InFlightLimits = { places: number; ofToken: number; ofAddress: number }

/**
 * Bounds the requests that run at once. A request that can't be done soon is refused at once, before it costs anything,
 * rather than kept until nobody waits for it. Routes that wait for another company share half of the places: a company
 * that hangs leaves the other half to the other routes. A request takes a place once it has arrived in full: a slow
 * sender holds none.
 */
export function createInFlight({ places, ofToken, ofAddress }: InFlightLimits): InFlight {
  const running = { all: 0, atPartners: 0 }
  const byCaller = new Map<string, number>()
  const most = { token: ofToken, seller: places - Math.ceil(places / 10), address: ofAddress }
  return {
    admit: ({ kind, key }) => {
      const name = `${kind} ${key}`
      const held = byCaller.get(name) ?? 0
      if (held >= most[kind]) throw tooMany(kind)
      byCaller.set(name, held + 1)
      return () => {
        const left = (byCaller.get(name) ?? 0) - 1
        if (left > 0) byCaller.set(name, left)
        else byCaller.delete(name)
      }
    },
    enter: ({ uncounted, placeless, callsPartner }) => {
      if (uncounted || placeless) return () => {}
      if (running.all >= places || (callsPartner && running.atPartners >= Math.ceil(places / 2))) {
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

function tooMany(kind: Caller['kind']): DomainError {
  const message = `Too many requests from this ${kind} are running at once. Nothing was done.`
  return new DomainError('rate_limited', 'RATE_LIMITED', message, { retryAfterSeconds: 1 })
}

/** Counts a request from its reading to its end, by token and seller, else by address. Throws RATE_LIMITED. */
export function countRunning(inFlight: InFlight, req: Request, res: Response, token?: Token): void {
  const callers: Caller[] = token
    ? [
        { kind: 'token', key: token.id },
        { kind: 'seller', key: String(token.sellerId) },
      ]
    : [{ kind: 'address', key: addressKey(req.ip) }]
  for (const caller of callers) untilClosed(res, inFlight.admit(caller))
}

/**
 * Calls `leave` when the answer ends, or at once when it has ended already because its client left. Returns a function
 * that calls it earlier.
 */
export function untilClosed(res: Response, leave: () => void): () => void {
  let isLeft = false
  const once = () => {
    if (!isLeft) leave()
    isLeft = true
  }
  if (res.closed) once()
  else res.once('close', once)
  return once
}
