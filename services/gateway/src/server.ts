import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { GatewayAdminService } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from './deps'
import { createPortalUser } from './sellers/rpc/create-portal-user'
import { createSeller } from './sellers/rpc/create-seller'
import { createToken } from './sellers/rpc/create-token'
import { listPortalUsers } from './sellers/rpc/list-portal-users'
import { listSellers } from './sellers/rpc/list-sellers'
import { listTokens } from './sellers/rpc/list-tokens'
import { revokeSigningKey } from './sellers/rpc/revoke-signing-key'
import { revokeToken } from './sellers/rpc/revoke-token'
import { rotateSigningKey } from './sellers/rpc/rotate-signing-key'
import { makePasswordLink, removePortalUser, setPortalUser } from './sellers/rpc/set-portal-user'
import { setSeller } from './sellers/rpc/set-seller'

const PLATFORM_TEAM = ['cofrectl'] as const

/** Each RPC: its callers, by certificate name, and its function. Integrators use HTTP: see app.ts. */
export function gatewayServices(deps: Deps): ServedService[] {
  const admin = serve(deps, GatewayAdminService, {
    createSeller: [PLATFORM_TEAM, createSeller],
    listSellers: [PLATFORM_TEAM, listSellers],
    setSeller: [PLATFORM_TEAM, setSeller],
    createPortalUser: [PLATFORM_TEAM, createPortalUser],
    listPortalUsers: [PLATFORM_TEAM, listPortalUsers],
    setPortalUser: [PLATFORM_TEAM, setPortalUser],
    removePortalUser: [PLATFORM_TEAM, removePortalUser],
    makePasswordLink: [PLATFORM_TEAM, makePasswordLink],
    createToken: [PLATFORM_TEAM, createToken],
    listTokens: [PLATFORM_TEAM, listTokens],
    revokeToken: [PLATFORM_TEAM, revokeToken],
    rotateSigningKey: [PLATFORM_TEAM, rotateSigningKey],
    revokeSigningKey: [PLATFORM_TEAM, revokeSigningKey],
  })
  return [admin]
}

/** The services that this process serves over gRPC. A gateway that serves pages alone administers nothing. */
export function servedOverGrpc(deps: Deps): ServedService[] {
  return deps.config.serve === 'pages' ? [] : gatewayServices(deps)
}
