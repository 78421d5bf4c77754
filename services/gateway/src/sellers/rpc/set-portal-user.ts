import { DomainError, notFound } from '@cofre/platform/errors'
import type {
  MakePasswordLinkRequest,
  MakePasswordLinkResponse,
  PortalUser as PortalUserMessage,
  RemovePortalUserRequest,
  SetPortalUserRequest,
} from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'
import { makeLink, NEW_PASSWORD_MS } from '../password-links'
import { turnOff } from '../two-step-store'
import { changePerson, findPerson, type PortalUser } from '../portal-user-store'
import { ROLES, type Role } from '../roles'
import { toPortalUserMessage } from './portal-user-message'

export async function setPortalUser(
  { pool, log }: Deps,
  { id, role, disabled, resetTwoSteps }: SetPortalUserRequest,
): Promise<PortalUserMessage> {
  const wanted = role === undefined ? undefined : roleNamed(role)
  const user = await userOf(pool, id)
  if (wanted) await changePerson(pool, user, { role: wanted })
  if (disabled !== undefined) await changePerson(pool, user, { disabled })
  if (resetTwoSteps) await turnOff(pool, id)
  log.info({ userId: id, role, disabled, resetTwoSteps }, 'portal user set')
  return toPortalUserMessage(await userOf(pool, id))
}

export async function removePortalUser(
  { pool, log }: Deps,
  { id }: RemovePortalUserRequest,
): Promise<PortalUserMessage> {
  const user = await userOf(pool, id)
  await changePerson(pool, user, { removed: true })
  log.info({ userId: id }, 'portal user removed')
  return toPortalUserMessage(user)
}

export async function makePasswordLink(
  { pool, log, baseUrl }: Deps,
  { id }: MakePasswordLinkRequest,
): Promise<MakePasswordLinkResponse> {
  await userOf(pool, id)
  const link = await makeLink(pool, baseUrl, id, NEW_PASSWORD_MS)
  log.info({ userId: id }, 'password link made')
  return { link }
}

async function userOf(pool: Deps['pool'], id: number): Promise<PortalUser> {
  const user = await findPerson(pool, id)
  if (!user) throw notFound('There is no such user.')
  return user
}

/** Throws VALIDATION_FAILED for a word that is no role. */
export function roleNamed(text: string): Role {
  const role = ROLES.find((each) => each === text)
  if (role) return role
  const errors = [{ pointer: '#/role', code: 'ENUM', detail: `must be one of ${ROLES.join(', ')}` }]
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid: see errors.', {
    errors,
  })
}
