import { addressKey } from '@cofre/platform/outbound/address-key'
import { Router, type RequestHandler, type Response } from 'express'
import { hashPassword, lengthFault, MIN_PASSWORD } from '../../sellers/password'
import { chooseByLink, findByLink, type PortalUser } from '../../sellers/portal-user-store'
import { field, type Faults } from '../../pages/form'
import type { Portal } from '../portal-context'
import { PortalFault } from '../portal-fault'
import { openSession } from '../sign-in'
import { insertDeed } from './audit-store'
import { hashOfLink } from '../../sellers/password-links'

type Secret = { secret: string }
type JoinFaults = Faults<'newPassword' | 'repeatedPassword'>

/** The pages of a link by which a person chooses a password: an invitation, or a forgotten password. */
export function joinPages(portal: Portal): Router {
  const router = Router()
  router.get('/:secret', showJoin(portal))
  router.post('/:secret', join(portal))
  return router
}

function showJoin(portal: Portal): RequestHandler<Secret> {
  return async (req, res) => showForm(portal, res, await userOf(portal, req.params.secret))
}

function join(portal: Portal): RequestHandler<Secret> {
  return async (req, res) => {
    const { pool, root } = portal
    const user = await userOf(portal, req.params.secret)
    const password = field(req, 'newPassword')
    const fault = lengthFault(password)
    if (fault) return showForm(portal, res, user, { newPassword: `A password ${fault}.` })
    if (password !== field(req, 'repeatedPassword')) {
      return showForm(portal, res, user, { repeatedPassword: 'The passwords do not match.' })
    }
    const passwordHash = await hashPassword(password)
    if (!(await chooseByLink(pool, hashOfLink(req.params.secret), passwordHash))) throw linkEnded()
    const { sellerId, email } = user
    await insertDeed(pool, { sellerId, email, address: addressKey(req.ip) }, { action: 'PASSWORD_CHOSEN' })
    portal.log.info({ portalUserId: user.id }, 'portal password chosen by a link')
    await openSession(portal, req, res, { id: user.id, passwordHash })
    res.redirect(303, root)
  }
}

async function userOf({ pool }: Portal, secret: string): Promise<PortalUser> {
  const user = /^[\w-]{43}$/.test(secret) ? await findByLink(pool, hashOfLink(secret)) : undefined
  if (!user) throw linkEnded()
  return user
}

function showForm({ show }: Portal, res: Response, { email }: PortalUser, faults: JoinFaults = {}): void {
  const status = Object.keys(faults).length > 0 ? 422 : 200
  const data = { email, faults, minPassword: MIN_PASSWORD }
  show(res, { view: 'join', title: 'Choose your password', status, data })
}

function linkEnded(): PortalFault {
  return new PortalFault(
    404,
    'This link no longer works',
    'It was used already, or it is too old. Ask for a new one.',
  )
}
