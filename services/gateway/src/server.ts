import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { GatewayAdminService } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from './deps'
import { createPortalUser } from './rpc/create-portal-user'
import { createSeller } from './rpc/create-seller'
import { createToken } from './rpc/create-token'
import { listPortalUsers } from './rpc/list-portal-users'
import { listSellers } from './rpc/list-sellers'
import { listTokens } from './rpc/list-tokens'
import { revokeSigningKey } from './rpc/revoke-signing-key'
import { revokeToken } from './rpc/revoke-token'
import { rotateSigningKey } from './rpc/rotate-signing-key'
import { setSeller } from './rpc/set-seller'

const PLATFORM_TEAM = ['cofrectl'] as const

/** Each RPC: its callers, by certificate name, and its function. Integrators use HTTP: see app.ts. */
export function gatewayServices(deps: Deps): ServedService[] {
  const admin = serve(deps, GatewayAdminService, {
    createSeller: [PLATFORM_TEAM, createSeller],
    listSellers: [PLATFORM_TEAM, listSellers],
    setSeller: [PLATFORM_TEAM, setSeller],
    createPortalUser: [PLATFORM_TEAM, createPortalUser],
    listPortalUsers: [PLATFORM_TEAM, listPortalUsers],
    createToken: [PLATFORM_TEAM, createToken],
    listTokens: [PLATFORM_TEAM, listTokens],
    revokeToken: [PLATFORM_TEAM, revokeToken],
    rotateSigningKey: [PLATFORM_TEAM, rotateSigningKey],
    revokeSigningKey: [PLATFORM_TEAM, revokeSigningKey],
  })
  return [admin]
}
