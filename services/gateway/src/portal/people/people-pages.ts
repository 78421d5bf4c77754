import { DomainError } from '@cofre/platform/errors'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { z } from 'zod'
import { line, type Faults } from '../../pages/form'
import {
  changePerson,
  findPerson,
  insertPortalUser,
  listPortalUsers,
  type PersonChange,
  type PortalUser,
} from '../../sellers/portal-user-store'
import { hasRight, ROLES, type Role } from '../../sellers/roles'
import { keepFlash, readFlash } from '../flash'
import type { Portal } from '../portal-context'
import { notAllowed, pageNotFound, PortalFault } from '../portal-fault'
import { sessionOf } from '../session'
import type { Badge } from '../words/value'
import type { Word } from '../words/portuguese'
import { wordsOf } from '../words/language'
import { record } from './audit-store'
import { requireTwoSteps, turnOff } from '../../sellers/two-step-store'
import { mailLink } from './mail-link'

type ById = { id: string }
type InviteFaults = Faults<'email' | 'currentPassword'>

export const ROLE_WORDS: Record<Role, Word> = {
  OWNER: 'Owner: everything, and people',
  OPERATOR: 'Operator: sells, charges and refunds',
  SALES: 'Sales: invoices, payment links, customers; gives no money back',
  SUPPORT: 'Support: finds payments, refunds, answers disputes',
  BOOKKEEPER: 'Bookkeeper: reads, and settles what does not match',
  READ_ONLY: 'Read only',
}

/** Settings, Team, People: who may sign in, and what they may do. Each change asks for the password again. */
export function peoplePages(portal: Portal): Router {
  const router = Router()
  router.use((_req, res, next) => {
    if (hasRight(sessionOf(res).role, 'people')) return next()
    throw notAllowed()
  })
  router.get('/', (_req, res) => showPeople(portal, res))
  router.post('/', invite(portal))
  router.post('/two-step', requireThem(portal))
  router.get('/:id', showPerson(portal))
  router.post('/:id', change(portal))
  return router
}

async function showPeople(
  portal: Portal,
  res: Response,
  form = { email: '', role: 'SUPPORT' },
  faults: InviteFaults = {},
) {
  const { users } = await listPortalUsers(portal.pool, sessionOf(res).sellerId)
  const { show } = wordsOf(res)
  const rows = users.map(({ id, email, role, createdAt, ...user }) => ({
    id,
    email,
    role: ROLE_WORDS[role],
    badge: badgeOf(user),
    since: show({ time: createdAt }).text,
  }))
  const data = {
    rows,
    form,
    faults,
    roles: ROLES.map((name) => ({ name, text: ROLE_WORDS[name] })),
    flash: await readFlash(portal, res),
  }
  const status = Object.keys(faults).length > 0 ? 422 : 200
  portal.show(res, { view: 'people', title: 'People', section: 'people', status, data })
}

function badgeOf({ disabledAt, passwordHash }: Pick<PortalUser, 'disabledAt' | 'passwordHash'>): Badge {
  if (disabledAt !== null) return { text: 'Disabled', mood: 'bad' }
  return passwordHash === null ? { text: 'Invited', mood: 'waiting' } : { text: 'Active', mood: 'good' }
}

function invite(portal: Portal): RequestHandler {
  return async (req, res) => {
    const { pool, root } = portal
    const form = { email: line(req, 'email'), role: roleOf(line(req, 'role')) }
    if (!z.email().max(255).safeParse(form.email).success) {
      return showPeople(portal, res, form, { email: 'Enter an e-mail address.' })
    }
    const fault = await portal.confirm(req, res)
    if (fault) return showPeople(portal, res, form, { currentPassword: fault })
    try {
      const { sellerId } = sessionOf(res)
      const { id, email } = await insertPortalUser(pool, { sellerId, ...form, passwordHash: null })
      const { language, t } = wordsOf(res)
      const { link, mailed } = await mailLink(
        portal,
        { id, email, sellerId },
        { isInvitation: true, language },
      )
      await record(portal, req, res, {
        action: 'PERSON_INVITED',
        subject: email,
        detail: { role: form.role },
      })
      await keepFlash(portal, res, {
        notice: t(mailed ? '{email} was invited by e-mail.' : '{email} was invited.', { email }),
        link,
      })
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'EMAIL_TAKEN') throw error
      return showPeople(portal, res, form, { email: 'This e-mail address already has an account.' })
    }
    res.redirect(303, `${root}/settings/people`)
  }
}

/** Has every user of the seller sign in with two steps, or lets each choose. */
function requireThem(portal: Portal): RequestHandler {
  return async (req, res) => {
    const isRequired = line(req, 'required') === 'true'
    const fault = await portal.confirm(req, res)
    if (fault) return showPeople(portal, res, undefined, { currentPassword: fault })
    await requireTwoSteps(portal.pool, sessionOf(res).sellerId, isRequired)
    await record(portal, req, res, { action: isRequired ? 'TWO_STEPS_REQUIRED' : 'TWO_STEPS_OPTIONAL' })
    const notice = isRequired
      ? 'Everybody is asked for two steps. Who has no app sets it up at the next page.'
      : 'Each person chooses whether to sign in with two steps.'
    await keepFlash(portal, res, { notice: wordsOf(res).t(notice) })
    res.redirect(303, `${portal.root}/settings/people`)
  }
}

function showPerson(portal: Portal): RequestHandler<ById> {
  return async (req, res) => showOne(portal, res, await personOf(portal, req, res))
}

async function showOne(portal: Portal, res: Response, user: PortalUser, fault?: string): Promise<void> {
  const data = {
    user,
    badge: badgeOf(user),
    isSelf: user.id === sessionOf(res).userId,
    roles: ROLES.map((name) => ({ name, text: ROLE_WORDS[name] })),
    fault,
    flash: await readFlash(portal, res),
  }
  portal.show(res, { view: 'person', title: user.email, section: 'people', status: fault ? 422 : 200, data })
}

type Deed = { action: string; change?: PersonChange; resets?: true; notice: Word }

function deedOf(req: Request): Deed {
  const deed = line(req, 'deed')
  if (deed === 'role')
    return {
      action: 'ROLE_CHANGED',
      change: { role: roleOf(line(req, 'role')) },
      notice: 'The role was changed.',
    }
  if (deed === 'disable')
    return {
      action: 'PERSON_DISABLED',
      change: { disabled: true },
      notice: 'The person was disabled, and is signed out everywhere.',
    }
  if (deed === 'enable')
    return { action: 'PERSON_ENABLED', change: { disabled: false }, notice: 'The person may sign in again.' }
  if (deed === 'remove')
    return { action: 'PERSON_REMOVED', change: { removed: true }, notice: 'The person was removed.' }
  if (deed === 'two-step') {
    const notice = 'The person signs in with the password alone until a new app is set up.'
    return { action: 'TWO_STEPS_RESET', resets: true, notice }
  }
  if (deed === 'link')
    return {
      action: 'PASSWORD_LINK_MADE',
      notice: 'The link lets the person choose a new password, for one day.',
    }
  throw new PortalFault(400, 'We could not read this form', 'Open the page again.')
}

function change(portal: Portal): RequestHandler<ById> {
  return async (req, res) => {
    const { pool, root, log } = portal
    const user = await personOf(portal, req, res)
    const { action, change: wanted, resets, notice } = deedOf(req)
    const fault = await portal.confirm(req, res)
    if (fault) return showOne(portal, res, user, fault)
    try {
      if (wanted) await changePerson(pool, user, wanted)
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'LAST_OWNER') throw error
      return showOne(portal, res, user, error.message)
    }
    if (resets) await turnOff(pool, user.id)
    const { language, t } = wordsOf(res)
    const made =
      wanted || resets ? undefined : await mailLink(portal, user, { isInvitation: false, language })
    await record(portal, req, res, {
      action,
      subject: user.email,
      detail: wanted && 'role' in wanted ? { before: user.role, after: wanted.role } : {},
    })
    log.info({ portalUserId: sessionOf(res).userId, person: user.id, action }, 'person changed in the portal')
    await keepFlash(portal, res, {
      notice: t(
        made?.mailed
          ? 'The link lets the person choose a new password, for one day. It is on its way by e-mail.'
          : notice,
      ),
      ...(made && { link: made.link }),
    })
    res.redirect(303, `${root}/settings/people${action === 'PERSON_REMOVED' ? '' : `/${user.id}`}`)
  }
}

async function personOf(
  { pool }: Portal,
  { params: { id } }: Request<ById>,
  res: Response,
): Promise<PortalUser> {
  const user = /^[1-9]\d{0,14}$/.test(id)
    ? await findPerson(pool, Number(id), sessionOf(res).sellerId)
    : undefined
  if (!user) throw pageNotFound()
  return user
}

function roleOf(text: string): Role {
  return ROLES.find((each) => each === text) ?? 'READ_ONLY'
}
