import { holdsCardNumber } from '@cofre/platform/card/card-number'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { CookieOptions, Request, RequestHandler, Response } from 'express'
import { readCookie } from '../pages/cookies'
import type { Portal } from './portal-context'
import { findSession, type SessionRow } from './session-store'

/** A browser that has signed in. `id`: the value of its cookie, which is in no table, no page and no log. */
export type Session = SessionRow & { id: string }

const ID = /^[\w-]{43}$/

export function newSessionId(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOfId(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}

/** The name under which the requests of a session are counted and limited. */
export function callerOf(id: string): string {
  return `session ${hashOfId(id).toString('base64')}`
}

/** Returns a key that only the holder of the cookie can make. */
export function keyOf(id: string, purpose: 'form' | 'flash' | 'offer'): Buffer {
  return createHmac('sha256', id).update(purpose).digest()
}

/**
 * `session`: signed in. `visit`: a browser on the sign-in page, whose form is bound to it too. `known`: a browser in
 * which somebody has signed in before.
 */
export type CookieName = 'session' | 'visit' | 'known'

export type Cookies = {
  read(req: Request, name: CookieName): string | undefined
  /** Without `days`, it ends with the browser. */
  set(res: Response, name: CookieName, id: string, days?: number): void
  clear(res: Response, name: CookieName): void
}

/**
 * Cookies of sessions last as long as the browser; the server ends sessions earlier. Over https no other host can set them
 * (`__Host-`, which needs the path `/`). Browsers accept that name over https only. Over http, on one's own machine,
 * the cookies have plain names and the path of the portal.
 */
export function createCookies(baseUrl: string, root: string): Cookies {
  const secure = baseUrl.startsWith('https:')
  const options: CookieOptions = { httpOnly: true, sameSite: 'strict', secure, path: secure ? '/' : root }
  const full = (name: CookieName) => `${secure ? '__Host-' : ''}portal_${name}`
  return {
    read: (req, name) => {
      const id = readCookie(req, full(name))
      return id !== undefined && ID.test(id) ? id : undefined
    },
    set: (res, name, id, days) =>
      void res.cookie(full(name), id, { ...options, ...(days && { maxAge: days * 86_400_000 }) }),
    clear: (res, name) => void res.clearCookie(full(name), options),
  }
}

/** Finds the session of the request, if its browser has signed in. */
export function readSession({ pool, cookies }: Pick<Portal, 'pool' | 'cookies'>): RequestHandler {
  return async (req, res, next) => {
    const id = cookies.read(req, 'session')
    const row = id === undefined ? undefined : await findSession(pool, hashOfId(id))
    if (id !== undefined && row) {
      res.locals[row.awaitsCode ? 'awaiting' : 'session'] = { ...row, id } satisfies Session
    }
    next()
  }
}

/** The longest URL of a page with its filters, in characters. */
const LONGEST_WANTED = 512

const SET_UP = '/settings/two-step'

/** Leads a browser without a session to the sign-in page, and from there back to the requested page. */
export function requireSession({ root }: Pick<Portal, 'root'>): RequestHandler {
  return (req, res, next) => {
    const session = findSessionOf(res)
    if (session?.mustSetUp && !req.path.startsWith(SET_UP) && req.path !== '/logout') {
      return res.redirect(303, root + SET_UP)
    }
    if (session) return next()
    const mayBeWanted = req.method === 'GET' && req.url !== '/' && req.url.length <= LONGEST_WANTED
    const wanted =
      mayBeWanted && !holdsCardNumber(req.url) ? `?next=${encodeURIComponent(root + req.url)}` : ''
    res.redirect(303, `${root}/login${wanted}`)
  }
}

/** The session whose code is awaited. */
export function findAwaiting(res: Response): Session | undefined {
  return res.locals.awaiting as Session | undefined
}

/** The page that was asked for before the sign-in. No spelling leads to another site. */
export function pageAfterSignIn(next: string, root: string): string {
  const isHere = next.startsWith(`${root}/`) && /^[\w/?&=%.+~-]*$/.test(next) && !next.includes('..')
  return isHere ? next : root
}

export function findSessionOf(res: Response): Session | undefined {
  return res.locals.session as Session | undefined
}

/** The session of a page behind `requireSession`. */
export function sessionOf(res: Response): Session {
  const session = findSessionOf(res)
  if (!session) throw new Error('a page without a session')
  return session
}
