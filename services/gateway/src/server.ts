import { serve, type ServedService } from '@cofre/platform/grpc/server'
import {
  GatewayAdminService,
  type CreatePortalUserRequest,
  type CreateSellerRequest,
  type CreateTokenRequest,
  type ListTokensRequest,
  type RevokeTokenRequest,
} from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from './deps'
import { createPortalUser } from './rpc/create-portal-user'
import { createSeller } from './rpc/create-seller'
import { createToken } from './rpc/create-token'
import { listSellers } from './rpc/list-sellers'
import { listTokens } from './rpc/list-tokens'
import { revokeToken } from './rpc/revoke-token'
import { rotateSigningKey } from './rpc/rotate-signing-key'

const PLATFORM_TEAM = ['cofrectl']

/** What the platform team does with sellers and tokens. Integrators come by HTTP: app.ts. */
export function gatewayAdmin(deps: Deps): ServedService {
  return serve(
    deps.log,
    GatewayAdminService,
    {
      createSeller: PLATFORM_TEAM,
      listSellers: PLATFORM_TEAM,
      createPortalUser: PLATFORM_TEAM,
      createToken: PLATFORM_TEAM,
      listTokens: PLATFORM_TEAM,
      revokeToken: PLATFORM_TEAM,
      rotateSigningKey: PLATFORM_TEAM,
    },
    {
      createSeller: (request: CreateSellerRequest) => createSeller(deps, request),
      listSellers: () => listSellers(deps),
      createPortalUser: (request: CreatePortalUserRequest) => createPortalUser(deps, request),
      createToken: (request: CreateTokenRequest) => createToken(deps, request),
      listTokens: (request: ListTokensRequest) => listTokens(deps, request),
      revokeToken: (request: RevokeTokenRequest) => revokeToken(deps, request),
      rotateSigningKey: () => rotateSigningKey(deps),
    },
  )
}
