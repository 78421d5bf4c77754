import { DomainError, unavailable } from '@cofre/platform/errors'
import { addressKey } from '@cofre/platform/outbound/address-key'
import { observe } from '@cofre/platform/telemetry/metrics'
import type { Request, Response } from 'express'
import type { Token } from '../sellers/api-tokens/token'
import type { Route } from './route'

/** `disputes`: the acquirer's other address, and the sellers whose files come slowly. `pix`: the sellers' banks again. */
const PARTNERS = ['acquirer', 'disputes', 'issuers', 'bank', 'pix', 'token-service', 'listeners'] as const
/** Whom requests wait for: one that hangs holds places of its own only. */
export type PartnerKind = (typeof PARTNERS)[number]

/** The sender of a request. Each is counted by itself, so that none takes every place. `files`: a seller's, as they come. */
export type Caller = { kind: 'token' | 'seller' | 'address' | 'files'; key: string }

export type InFlight = {
  /**
   * Counts a request of a caller from its reading to its end; returns the function that ends it. Throws RATE_LIMITED
   * when the caller has as many as it may.
   */
  admit(caller: Caller): () => void
  /** Takes a place for a request; returns the function that gives it back. Throws SERVICE_UNAVAILABLE when full. */
  enter(
    place: Pick<Route, 'uncounted' | 'placeless'> & { callsPartner?: PartnerKind | undefined },
  ): () => void
}

/** A seller may make any number of tokens: all of them together leave a tenth of the places to other sellers. */
export type InFlightLimits = { places: number; ofToken: number; ofAddress: number }

/**
 * Bounds the requests that run at once. A request that can't be done soon is refused at once, before it costs anything,
 * rather than kept until nobody waits for it. Routes that wait for another company share half of the places, and those
 * that wait for the same one have half of these: a bank that hangs leaves the charges of cards alone. A request takes a
 * place once it has arrived in full: a slow sender holds none.
 */
export function createInFlight({ places, ofToken, ofAddress }: InFlightLimits): InFlight {
  const running = { all: 0, atPartners: 0 }
  const atPartner = new Map<PartnerKind, number>()
  const mostAtPartners = Math.ceil(places / 2)
  const mostAtOne = Math.ceil(mostAtPartners / 2)
  observePlaces(places, running, atPartner)
  const byCaller = new Map<string, number>()
  const most = {
    token: ofToken,
    seller: places - Math.ceil(places / 10),
    address: ofAddress,
    // A file holds its place while it comes.
    files: Math.ceil(mostAtOne / 4),
  }
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
      const move = (by: 1 | -1) => {
        running.all += by
        if (!callsPartner) return
        running.atPartners += by
        atPartner.set(callsPartner, (atPartner.get(callsPartner) ?? 0) + by)
      }
      const isFull =
        callsPartner &&
        (running.atPartners >= mostAtPartners || (atPartner.get(callsPartner) ?? 0) >= mostAtOne)
      if (running.all >= places || isFull) {
        throw unavailable('Too many requests are running. Nothing was done.')
      }
      move(1)
      return () => move(-1)
    },
  }
}

function observePlaces(places: number, running: { all: number }, atPartner: Map<PartnerKind, number>): void {
  observe('http_places', 'Requests that may run at once.', () => places)
  observe('http_places_taken', 'Requests that run.', () => running.all)
  for (const partner of PARTNERS) {
    const read = () => atPartner.get(partner) ?? 0
    observe('http_places_at_partner', 'Requests that wait for another company.', read, { partner })
  }
}

function tooMany(kind: Caller['kind']): DomainError {
  const what = kind === 'files' ? 'files of this seller are coming' : `requests from this ${kind} are running`
  const message = `Too many ${what} at once. Nothing was done.`
  return new DomainError('rate_limited', 'RATE_LIMITED', message, { retryAfterSeconds: 1 })
}

/** Counts a request from its reading to its end, by token and seller, else by address. Throws RATE_LIMITED. */
export function countRunning(
  inFlight: InFlight,
  req: Request,
  res: Response,
  {
    token,
    sendsFile = false,
  }: { token?: Pick<Token, 'id' | 'sellerId'> | undefined; sendsFile?: boolean } = {},
): void {
  const callers: Caller[] = token
    ? [
        { kind: 'token', key: token.id },
        { kind: 'seller', key: String(token.sellerId) },
        ...(sendsFile ? [{ kind: 'files' as const, key: String(token.sellerId) }] : []),
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
