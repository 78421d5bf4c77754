import { DomainError, notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  GatewayAdminService,
  type CreatePortalUserRequest,
  type CreateSellerRequest,
  type CreateTokenRequest,
  type ListPortalUsersRequest,
  type MakePasswordLinkRequest,
  type RemovePortalUserRequest,
  type SetPortalUserRequest,
  type ListTokensRequest,
  type PortalUser,
  type RevokeSigningKeyRequest,
  type RevokeTokenRequest,
  type Seller,
  type SetSellerRequest,
  type Token,
} from '@cofre/proto/gateway/v1/gateway'
import { standIn, type OnCall } from '../stand-in'

const PAGE_SIZE = 500
const MADE_AT = 1_767_225_600_000
const REVOKED_AT = 1_767_312_000_000

/** The administration of the gateway in memory. */
export function createGateway({ onCall }: { onCall?: OnCall } = {}) {
  const sellers: Seller[] = []
  const tokens: Token[] = []
  const users = portalUsers()
  const answers = {
    createSeller: async ({ name }: CreateSellerRequest) => {
      const seller = { id: sellers.length + 1, name, createdAt: MADE_AT, lenient: false }
      sellers.push(seller)
      return seller
    },
    listSellers: async () => ({ sellers }),
    setSeller: async ({ sellerId, lenient }: SetSellerRequest) => {
      const seller = sellers.find(({ id }) => id === sellerId)
      if (!seller) throw notFound()
      return Object.assign(seller, { lenient })
    },
    ...users.answers,
    createToken: async ({ sellerId, title, scopes }: CreateTokenRequest) => {
      const token = { id: `jti-${tokens.length + 1}`, sellerId, title, scopes, createdAt: MADE_AT }
      tokens.push(token)
      return { accessToken: 'ey.J.W.T', token }
    },
    listTokens: async ({ after }: ListTokensRequest) => {
      const following = tokens.slice(tokens.findIndex(({ id }) => id === after) + 1)
      return { tokens: following.slice(0, PAGE_SIZE), more: following.length > PAGE_SIZE }
    },
    revokeToken: async ({ id }: RevokeTokenRequest) => {
      const token = tokens.find((each) => each.id === id)
      if (!token) throw notFound('There is no such token.')
      return Object.assign(token, { revokedAt: REVOKED_AT })
    },
    rotateSigningKey: async () => ({ kid: 'kid-2' }),
    revokeSigningKey: async ({ kid }: RevokeSigningKeyRequest) => {
      if (kid !== 'kid-1') throw notFound('There is no such signing key.')
      return { kid, tokensRevoked: tokens.length, currentKid: 'kid-2' }
    },
  }
  const services = (log: Logger): ServedService[] => [
    standIn(log, GatewayAdminService, answers, { onCall, callers: ['cofrectl'] }),
  ]
  return { services, sellers, tokens }
}

/** The users of all sellers. */
function portalUsers() {
  const users: PortalUser[] = []
  const userOf = (id: number) => {
    const user = users.find((each) => each.id === id)
    if (!user) throw notFound('There is no such user.')
    return user
  }
  const answers = {
    createPortalUser: async ({ sellerId, email, password, role = 'OWNER' }: CreatePortalUserRequest) => {
      if (password.length >= 12) {
        const user = { id: users.length + 1, sellerId, email, createdAt: MADE_AT, role, status: 'ACTIVE' }
        users.push(user)
        return user
      }
      throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid.', {
        errors: [{ pointer: '#/password', code: 'LENGTH', detail: 'must have 12 to 200 characters' }],
      })
    },
    listPortalUsers: async ({ sellerId }: ListPortalUsersRequest) => ({
      users: users.filter((user) => sellerId === undefined || user.sellerId === sellerId),
      more: false,
    }),
    setPortalUser: async ({ id, role, disabled }: SetPortalUserRequest) => {
      const status = disabled ? 'DISABLED' : 'ACTIVE'
      return Object.assign(userOf(id), { ...(role && { role }), ...(disabled !== undefined && { status }) })
    },
    removePortalUser: async ({ id }: RemovePortalUserRequest) => {
      const user = userOf(id)
      users.splice(users.indexOf(user), 1)
      return user
    },
    makePasswordLink: async ({ id }: MakePasswordLinkRequest) => ({
      link: `https://pay.example.com/portal/join/${userOf(id).id}`,
    }),
  }
  return { answers }
}
