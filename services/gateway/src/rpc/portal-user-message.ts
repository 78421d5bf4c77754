import type { PortalUser as PortalUserMessage } from '@cofre/proto/gateway/v1/gateway'
import type { PortalUser } from '../sellers/portal-user-store'

/** Returns a portal user without the hash of the password. */
export function toPortalUserMessage({ id, sellerId, email, createdAt }: PortalUser): PortalUserMessage {
  return { id, sellerId, email, createdAt }
}
