import { addressKey } from '@cofre/platform/outbound/address-key'
import { Router, type RequestHandler, type Response } from 'express'
import { hashPassword, isPassword, lengthFault, MIN_PASSWORD } from '../sellers/password'
import { findPortalUser } from '../sellers/portal-user-store'
import { countAttempts, passwordFault } from './attempts'
import { keepFlash, readFlash } from './flash'
import { field, type Faults } from '../pages/form'
import { replacePassword } from './password-store'
import type { Portal } from './portal-context'
import { hashOfId, newSessionId, sessionOf, type Session } from './session'
import { deleteSessions } from './session-store'

type PasswordForm = { currentPassword: string; newPassword: string; repeatedPassword: string }
type PasswordFaults = Faults<keyof PasswordForm>

export function accountPages(portal: Portal): Router {
  const router = Router()
  router.get('/', (_req, res) => showAccount(portal, res))
  router.post('/password', submitPassword(portal))
  router.post('/sign-out-everywhere', signOutEverywhere(portal))
  return router
}

function submitPassword(portal: Portal): RequestHandler {
  const attempts = countAttempts()
  return async (req, res) => {
    const form = {
      currentPassword: field(req, 'currentPassword'),
      newPassword: field(req, 'newPassword'),
      repeatedPassword: field(req, 'repeatedPassword'),
    }
    const faults = passwordFaults(form)
    if (faults) return showAccount(portal, res, faults)
    const { email, userId } = sessionOf(res)
    const wait = attempts.begin(email, addressKey(req.ip))
    if (wait) throw wait
    const session = await changePassword(portal, sessionOf(res), form).catch((error: unknown) => {
      attempts.takeBack(email, addressKey(req.ip))
      throw passwordFault(error)
    })
    if (!session) return showAccount(portal, res, { currentPassword: 'This is not your current password.' })
    attempts.succeed(email, addressKey(req.ip))
    res.locals.session = session
    portal.cookies.set(res, 'session', session.id)
    portal.log.info({ portalUserId: userId }, 'portal password changed')
    await keepFlash(portal, res, { notice: 'Your password was changed. Every other browser was signed out.' })
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

async function showAccount(portal: Portal, res: Response, faults: PasswordFaults = {}): Promise<void> {
  portal.show(res, {
    view: 'account',
    title: 'Account',
    section: 'account',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    data: { faults, minPassword: MIN_PASSWORD, flash: await readFlash(portal, res) },
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

/** Returns the session that replaces all others; undefined when the current password is wrong. */
async function changePassword(
  { pool }: Portal,
  session: Session,
  form: PasswordForm,
): Promise<Session | undefined> {
  const user = await findPortalUser(pool, session.email)
  if (!user || !(await isPassword(form.currentPassword, user.passwordHash))) return undefined
  const id = newSessionId()
  const replaced = await replacePassword(pool, {
    userId: user.id,
    oldHash: user.passwordHash,
    newHash: await hashPassword(form.newPassword),
    newSessionIdHash: hashOfId(id),
  })
  return replaced ? { ...session, id, hasFlash: false } : undefined
}
