import { databaseNow } from '@cofre/platform/service/database-clock'
import { currentCall } from '@cofre/platform/grpc/call-context'
import { DomainError } from '@cofre/platform/errors'
import type { Deps } from '../deps'
import type { OpenPartner } from './open-partners'
import type { PartnerSetting } from './partners'
import { routeOf } from './routes'

/** The time before the call's deadline that is left for the answer to travel back. */
const RETURN_MS = 200

/** Returns the partner of a call, and the route of the settings that it takes. Throws when the settings do not allow this caller this call. */
export function allowedPartner(
  { partners }: Deps,
  { partner, method, path }: { partner: string; method: string; path: string },
  routesOf: (setting: PartnerSetting) => readonly string[],
): OpenPartner & { route: string } {
  const open = partners.get(partner)
  const isCaller = open?.setting.callers.includes(currentCall()?.caller ?? '')
  const route = open && isCaller ? routeOf(routesOf(open.setting), method, path) : undefined
  if (open && route !== undefined) return { ...open, route }
  throw new DomainError('permission_denied', 'INTERNAL', 'The settings allow no such call to a partner.')
}

/** How long a call may take, milliseconds. */
export function timeoutOf({ timeoutMs }: { timeoutMs: number }): number {
  const deadline = currentCall()?.deadline ?? Infinity
  return Math.floor(Math.min(timeoutMs, deadline - databaseNow() - RETURN_MS))
}
