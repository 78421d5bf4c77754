import { DomainError, type FieldError } from '@cofre/platform/errors'
import type { CreatePortalUserRequest, PortalUser } from '@cofre/proto/gateway/v1/gateway'
import { z } from 'zod'
import type { Deps } from '../../deps'
import { hashPassword, lengthFault } from '../password'
import { insertPortalUser } from '../portal-user-store'
import { roleNamed } from './set-portal-user'
import { toPortalUserMessage } from './portal-user-message'

export async function createPortalUser(
  { pool, log }: Deps,
  { sellerId, email, password, role }: CreatePortalUserRequest,
): Promise<PortalUser> {
  const errors: FieldError[] = []
  if (!z.email().max(255).safeParse(email).success) {
    errors.push({ pointer: '#/email', code: 'FORMAT', detail: 'must be an e-mail address' })
  }
  const detail = lengthFault(password)
  if (detail) errors.push({ pointer: '#/password', code: 'LENGTH', detail })
  if (errors.length > 0) {
    throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The user is not valid: see errors.', {
      errors,
    })
  }
  const wanted = role === undefined ? 'OWNER' : roleNamed(role)
  const passwordHash = await hashPassword(password)
  const user = await insertPortalUser(pool, { sellerId, email, passwordHash, role: wanted })
  log.info({ sellerId, userId: user.id }, 'portal user created')
  return toPortalUserMessage(user)
}
