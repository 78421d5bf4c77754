import { GatewayAdminService, type Seller } from '@cofre/proto/gateway/v1/gateway'
import { Charge, ChargeStatus, OrdersAdminService } from '@cofre/proto/orders/v1/orders'
import { VaultAdminService } from '@cofre/proto/vault/v1/vault'
import { DomainError, notFound } from '@cofre/platform/errors'
import { startGrpcServer, type ServedService } from '@cofre/platform/grpc/server'
import { createLog } from '@cofre/platform/telemetry/log'
import { standIn } from '@cofre/testing/stand-in'
import { createTestTls } from '@cofre/testing/testing'

const log = createLog('test', 'silent')
const CALLERS = ['cofrectl'] as const

type Asked = { rpc: string; request: unknown }

/** The three administration services, as small as can be; `asked` keeps what they were asked. */
export async function startAdminServers() {
  const asked: Asked[] = []
  const tls = await createTestTls()
  const keep: Keep = (rpc, answer) => {
    return async (request) => {
      asked.push({ rpc, request })
      return answer(request)
    }
  }
  const start = async (name: string, service: ServedService) =>
    startGrpcServer({ host: '127.0.0.1', port: 0, tls: await tls.tlsFor(name) }, [service])
  const servers = {
    gateway: await start('gateway', gateway(keep)),
    orders: await start('orders', orders(keep)),
    vault: await start('vault', vault(keep)),
  }
  const close = async () => {
    await Promise.all(Object.values(servers).map((server) => server.close()))
  }
  return { asked, tls, ports: servers, close }
}

type Keep = <Request, Answer>(
  rpc: string,
  answer: (request: Request) => Answer,
) => (request: Request) => Promise<Answer>

function gateway(keep: Keep): ServedService {
  const sellers: Seller[] = []
  const token = {
    id: 'jti-1',
    sellerId: 9,
    title: 'shop',
    scopes: ['cards:write'],
    createdAt: 1_767_225_600_000,
  }
  const handlers = {
    createSeller: keep('createSeller', ({ name }: { name: string }) => {
      const seller = { id: sellers.length + 1, name, createdAt: 1_767_225_600_000 }
      sellers.push(seller)
      return seller
    }),
    listSellers: keep('listSellers', () => ({ sellers })),
    createPortalUser: keep('createPortalUser', ({ email, password }: { email: string; password: string }) => {
      if (password.length >= 12) return { id: 1, sellerId: 9, email }
      throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request has faults.', {
        errors: [{ pointer: '#/password', code: 'LENGTH', detail: 'must have at least 12 characters' }],
      })
    }),
    createToken: keep('createToken', () => ({ accessToken: 'ey.J.W.T', token })),
    listTokens: keep('listTokens', () => ({ tokens: [token] })),
    revokeToken: keep('revokeToken', ({ id }: { id: string }) => {
      if (id !== token.id) throw notFound('There is no such token.')
      return { ...token, revokedAt: 1_767_312_000_000 }
    }),
    rotateSigningKey: keep('rotateSigningKey', () => ({ kid: 'kid-2' })),
  }
  return standIn(log, GatewayAdminService, handlers, CALLERS)
}

function orders(keep: Keep): ServedService {
  const establishment = {
    id: 4,
    sellerId: 9,
    merchantId: 'm',
    networkTokens: true,
    retryWithCard: false,
    createdAt: 1_767_225_600_000,
  }
  const handlers = {
    createEstablishment: keep('createEstablishment', () => establishment),
    listEstablishments: keep('listEstablishments', () => ({ establishments: [establishment] })),
    resolveTransaction: keep('resolveTransaction', () =>
      Charge.fromPartial({ id: 981, status: ChargeStatus.AUTHORIZED, amount: 10_000 }),
    ),
  }
  return standIn(log, OrdersAdminService, handlers, CALLERS)
}

function vault(keep: Keep): ServedService {
  const handlers = {
    rotateDataKey: keep('rotateDataKey', () => ({
      dataKeyId: '7',
      cardsEncrypted: 12,
      keysDestroyed: 1,
      accountsEncrypted: 3,
    })),
    rotateKeyEncryptionKey: keep('rotateKeyEncryptionKey', () => ({
      keyEncryptionKeyId: 'k2',
      keysWrapped: 4,
    })),
  }
  return standIn(log, VaultAdminService, handlers, CALLERS)
}
