import { Router, type Request, type RequestHandler, type Response } from 'express'
import { hashPassword, lengthFault, MIN_PASSWORD } from '../sellers/password'
import { findPortalUser, type PortalUser } from '../sellers/portal-user-store'
import { keepFlash, readFlash } from './flash'
import { field, line, type Faults } from '../pages/form'
import { record } from './people/audit-store'
import { ROLE_WORDS } from './people/people-pages'
import { replacePassword } from './password-store'
import type { Portal } from './portal-context'
import { wordsOf } from './words/language'
import { hashOfId, newSessionId, sessionOf, type Session } from './session'
import { deleteSessions, endSession, listSessions } from './session-store'
import { signedInFrom } from './signed-in-from'

type PasswordForm = { currentPassword: string; newPassword: string; repeatedPassword: string }
type PasswordFaults = Faults<keyof PasswordForm>

export function accountPages(portal: Portal): Router {
  const router = Router()
  router.get('/', (_req, res) => showAccount(portal, res))
  router.post('/password', submitPassword(portal))
  router.post('/sign-out-everywhere', signOutEverywhere(portal))
  router.post('/end-session', endOne(portal))
  return router
}

function submitPassword(portal: Portal): RequestHandler {
  return async (req, res) => {
    const form = {
      currentPassword: field(req, 'currentPassword'),
      newPassword: field(req, 'newPassword'),
      repeatedPassword: field(req, 'repeatedPassword'),
    }
    const faults = passwordFaults(form)
    if (faults) return showAccount(portal, res, faults)
    const user = await findPortalUser(portal.pool, sessionOf(res).email)
    const wrong = await portal.confirm(req, res)
    if (wrong) return showAccount(portal, res, { currentPassword: wrong })
    const session = user && (await changePassword(portal, req, sessionOf(res), { user, form }))
    if (!session) return showAccount(portal, res, { currentPassword: 'This is not your current password.' })
    res.locals.session = session
    portal.cookies.set(res, 'session', session.id)
    await record(portal, req, res, { action: 'PASSWORD_CHANGED' })
    portal.log.info({ portalUserId: session.userId }, 'portal password changed')
    await keepFlash(portal, res, {
      notice: wordsOf(res).t('Your password was changed. Every other browser was signed out.'),
    })
    res.redirect(303, `${portal.root}/settings/account`)
  }
}

function signOutEverywhere({ pool, cookies, log, root }: Portal): RequestHandler {
  return async (_req, res) => {
    const { userId } = sessionOf(res)
    await deleteSessions(pool, userId)
    cookies.clear(res, 'session')
    log.info({ portalUserId: userId }, 'portal sign-out everywhere')
    res.redirect(303, `${root}/login`)
  }
}

/** Ends the session of another browser, as its user wants when it was left open or lost. */
function endOne(portal: Portal): RequestHandler {
  return async (req, res) => {
    await endSession(portal.pool, sessionOf(res).userId, line(req, 'session'))
    await record(portal, req, res, { action: 'SESSION_ENDED' })
    await keepFlash(portal, res, { notice: wordsOf(res).t('The browser was signed out.') })
    res.redirect(303, `${portal.root}/settings/account`)
  }
}

async function showAccount(portal: Portal, res: Response, faults: PasswordFaults = {}): Promise<void> {
  const { id, userId, role } = sessionOf(res)
  const { show } = wordsOf(res)
  const here = hashOfId(id)
  const sessions = (await listSessions(portal.pool, userId)).map(({ name, idHash, ...session }) => ({
    name,
    isHere: idHash.equals(here),
    browser: session.browser,
    address: session.address,
    since: show({ time: session.createdAt.getTime() }).text,
    lastUsed: show({ time: session.lastSeenAt.getTime() }).text,
  }))
  portal.show(res, {
    view: 'account',
    title: 'Account',
    section: 'account',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    data: {
      role: ROLE_WORDS[role],
      faults,
      sessions,
      minPassword: MIN_PASSWORD,
      flash: await readFlash(portal, res),
    },
  })
}

function passwordFaults(form: PasswordForm): PasswordFaults | undefined {
  const fault = lengthFault(form.newPassword)
  if (form.currentPassword === '') return { currentPassword: 'Type your current password.' }
  if (fault) return { newPassword: `A password ${fault}.` }
  if (form.newPassword === form.currentPassword) return { newPassword: 'This is your current password.' }
  if (form.newPassword !== form.repeatedPassword) {
    return { repeatedPassword: 'The passwords do not match.' }
  }
  return undefined
}

/** Returns the session that replaces all others; undefined when the password has changed since it was checked. */
async function changePassword(
  { pool }: Portal,
  req: Request,
  session: Session,
  { user, form }: { user: PortalUser; form: PasswordForm },
): Promise<Session | undefined> {
  if (!user.passwordHash) return undefined
  const id = newSessionId()
  const replaced = await replacePassword(pool, {
    userId: user.id,
    oldHash: user.passwordHash,
    newHash: await hashPassword(form.newPassword),
    newSessionIdHash: hashOfId(id),
    from: signedInFrom(req),
  })
  return replaced ? { ...session, id, hasFlash: false } : undefined
}
