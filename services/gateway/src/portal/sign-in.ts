import { addressKey } from '@cofre/platform/outbound/address-key'
import { randomBytes } from 'node:crypto'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { hashPassword, isPassword } from '../sellers/password'
import { findPortalUser, type PortalUser } from '../sellers/portal-user-store'
import { countAttempts, passwordFault } from './attempts'
import { field, line, parameter } from '../pages/form'
import { insertDeed } from './people/audit-store'
import { findTotp } from '../sellers/two-step-store'
import { knownBrowser, rememberBrowser } from './known-browser'
import type { Portal } from './portal-context'
import { findSessionOf, hashOfId, newSessionId, pageAfterSignIn, sessionOf } from './session'
import { deleteSession, insertSession } from './session-store'
import { signedInFrom } from './signed-in-from'

/** Never says which of the two was wrong: that would reveal who has an account. */
const WRONG = 'The e-mail or the password is wrong.'

type Shown = { email: string; next: string; fault?: string; status?: number }

export function signInPages(portal: Portal): Router {
  const router = Router()
  router.get('/', (req, res) => {
    if (findSessionOf(res)) return res.redirect(303, portal.root)
    showForm(portal, res, { email: '', next: parameter(req, 'next') })
  })
  router.post('/', signIn(portal))
  return router
}

function signIn(portal: Portal): RequestHandler {
  const attempts = countAttempts()
  const nobody = hashPassword(randomBytes(24).toString('base64'))
  return async (req, res) => {
    const [email, next] = [line(req, 'email'), line(req, 'next')]
    const known = await knownBrowser(portal, req, email)
    const who = [email, addressKey(req.ip), known] as const
    const wait = attempts.begin(...who)
    if (wait) {
      res.set('Retry-After', String(wait.retryAfterSeconds))
      const fault = `${wait.title}. ${wait.message}`
      return showForm(portal, res, { email, next, fault, status: wait.status })
    }
    const user = await findByPassword(portal, email, field(req, 'password'), await nobody).catch(
      (error: unknown) => {
        attempts.takeBack(...who)
        throw passwordFault(error)
      },
    )
    if (!user || !(await openSession(portal, req, res, user))) {
      portal.log.info({ address: req.ip }, 'portal sign-in refused')
      return showForm(portal, res, { email, next, fault: WRONG, status: 401 })
    }
    attempts.succeed(...who)
    if (await findTotp(portal.pool, user.id)) {
      const query = next ? `?next=${encodeURIComponent(next)}` : ''
      return res.redirect(303, `${portal.root}/login/code${query}`)
    }
    const by = { sellerId: user.sellerId, email: user.email, address: addressKey(req.ip) }
    await rememberBrowser(portal, req, res, user.id)
    await insertDeed(portal.pool, by, { action: 'SIGNED_IN' })
    portal.log.info({ portalUserId: user.id }, 'portal sign-in')
    res.redirect(303, pageAfterSignIn(next, portal.root))
  }
}

export function signOut({ pool, cookies, root }: Portal): RequestHandler {
  return async (_req, res) => {
    await deleteSession(pool, hashOfId(sessionOf(res).id))
    cookies.clear(res, 'session')
    res.redirect(303, `${root}/login`)
  }
}

function showForm({ show }: Portal, res: Response, { status = 200, ...data }: Shown): void {
  show(res, { view: 'sign-in', title: 'Sign in', status, data })
}

/** Takes as long for an e-mail without an account: it computes a hash either way. */
async function findByPassword(
  { pool }: Portal,
  email: string,
  password: string,
  nobody: string,
): Promise<PortalUser | undefined> {
  const user = await findPortalUser(pool, email)
  const right = await isPassword(password, user?.passwordHash ?? nobody)
  return right ? user : undefined
}

/** Opens a session with a new id: an id that was planted in the browser before is worth nothing. */
export async function openSession(
  { pool, cookies }: Portal,
  req: Request,
  res: Response,
  user: Pick<PortalUser, 'id' | 'passwordHash'>,
): Promise<boolean> {
  const old = cookies.read(req, 'session')
  if (old !== undefined) await deleteSession(pool, hashOfId(old))
  const id = newSessionId()
  const opened = await insertSession(pool, {
    idHash: hashOfId(id),
    userId: user.id,
    passwordHash: user.passwordHash ?? '',
    from: signedInFrom(req),
  })
  if (!opened) return false
  cookies.set(res, 'session', id)
  cookies.clear(res, 'visit')
  return true
}
