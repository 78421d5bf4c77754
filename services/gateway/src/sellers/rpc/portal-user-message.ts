import type { PortalUser as PortalUserMessage } from '@cofre/proto/gateway/v1/gateway'
import type { PortalUser } from '../portal-user-store'

/** Returns a portal user without the hash of the password. */
export function toPortalUserMessage(user: PortalUser): PortalUserMessage {
  const { id, sellerId, email, createdAt, role } = user
  return { id, sellerId, email, createdAt, role, status: statusOf(user) }
}

function statusOf({ disabledAt, passwordHash }: PortalUser): string {
  if (disabledAt !== null) return 'DISABLED'
  return passwordHash === null ? 'INVITED' : 'ACTIVE'
}
