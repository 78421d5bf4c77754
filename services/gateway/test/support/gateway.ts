import { join } from 'node:path'
import { Writable } from 'node:stream'
import { addressSettingOf, calledBy, type CalledBy } from '@cofre/platform/service/services'
import { openBoot } from '@cofre/platform/service/run-service'
import { createLog } from '@cofre/platform/telemetry/log'
import { createPool } from '@cofre/platform/postgres/postgres'
import { createInvoices } from '@cofre/testing/stand-ins/invoices/invoices'
import { createNetworkTokens } from '@cofre/testing/stand-ins/network-tokens'
import { createNotifier } from '@cofre/testing/stand-ins/notifier'
import { createOrders } from '@cofre/testing/stand-ins/orders'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { createVouchers } from '@cofre/testing/stand-ins/vouchers'
import { openLineTo } from '@cofre/testing/tcp-line'
import { openTestNetwork, type TestServer } from '@cofre/testing/test-network'
import { createTestDatabase, PATIENT } from '@cofre/testing/testing'
import { GatewayAdminClient } from '@cofre/proto/gateway/v1/gateway'
import { OrdersClient } from '@cofre/proto/orders/v1/orders'
import { createApp } from '../../src/app'
import { readConfig } from '../../src/config'
import { openDeps, type Deps } from '../../src/deps'
import { startHttpServer } from '../../src/http/http-server'
import { issueToken } from '../../src/sellers/api-tokens/issue-token'
import { insertSeller } from '../../src/sellers/seller-store'
import { gatewayServices } from '../../src/server'
import { checkDocumented, type Answer } from './documented'

export type Ask = {
  token?: string | null
  body?: unknown
  raw?: string | Uint8Array | ReadableStream
  headers?: Record<string, string>
}
type Servers = Record<CalledBy<'gateway'>, TestServer>
export type Gateway = Awaited<ReturnType<typeof startGateway>>

/** Starts the whole gateway on a port, with a real database and small real services behind it. */
export async function startGateway(settings: Record<string, string> = {}) {
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()
  const lines: string[] = []
  const sink = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) })
  const log = createLog('gateway', 'info', sink)
  const [vault, orders] = [createVault(), createOrders()]
  const [notifier, networkTokens] = [createNotifier(), createNetworkTokens()]
  const vouchers = createVouchers()
  const invoices = createInvoices()
  const behind = {
    vault,
    orders,
    notifier,
    'network-token': networkTokens,
    vouchers,
    invoices,
  } satisfies Record<CalledBy<'gateway'>, object>
  const serving = calledBy('gateway').map(
    async (name) => [name, await network.serve(name, behind[name].services(log))] as const,
  )
  const servers = Object.fromEntries(await Promise.all(serving)) as Servers
  const tls = await network.tlsFor('gateway')
  const config = readConfig({ ...testSettings(database.url, servers), ...settings })
  const line = await openLineTo(database.url)
  const pool = createPool({ url: line.through(database.url), max: 5, name: 'gateway', ...PATIENT }, () => {})
  const { boot, close } = openBoot({ name: 'gateway', log, pool, tls, rpcTimeoutMs: PATIENT.timeoutMs })
  const deps = await openDeps(config, boot)
  const http = await startHttpServer(
    {
      host: '127.0.0.1',
      port: 0,
      timeoutMs: 10_000,
      drainMs: 0,
      maxConnections: 10_000,
      baseUrl: deps.baseUrl,
    },
    createApp(deps),
  )
  const { address } = await network.serve('gateway', gatewayServices(deps))
  const admin = await network.clientOf(GatewayAdminClient, address, 'cofrectl')
  const url = `http://127.0.0.1:${http.port}`
  const sellers = { own: await seller(deps), other: await seller(deps) }

  const stop = async () => {
    await http.close()
    // The last uses of tokens can't be written when a test has cut the database.
    await close().catch(() => {})
    await pool.end()
    await line.cut()
    await network.close()
    await database.drop()
  }
  const call = (method: string, path: string, ask: Ask = {}) =>
    send(url, method, path, { token: sellers.own.token, ...ask })
  return {
    url,
    port: http.port,
    http,
    deps,
    admin,
    vault,
    orders,
    notifier,
    networkTokens,
    vouchers,
    invoices,
    servers,
    ...sellers.own,
    other: sellers.other,
    lines,
    call,
    adminAs: (name: string) => network.clientOf(GatewayAdminClient, address, name),
    /** Returns a client of the orders service through a line. */
    ordersThrough: ({ port }: { port: number }) =>
      network.clientOf(OrdersClient, `127.0.0.1:${port}`, 'gateway'),
    cutDatabase: line.cut,
    stop,
  }
}

async function seller(deps: Deps) {
  const { id: sellerId } = await insertSeller(deps.pool, 'Loja')
  /** Makes a token; without scopes, for all of them. */
  const tokenWith = async (scopes: string[], expiresOn?: string) => {
    const allScopes = scopes.length === 0
    return issueToken(deps, {
      sellerId,
      title: 'test',
      scopes,
      allScopes,
      ...(expiresOn ? { expiresOn } : {}),
    })
  }
  const { accessToken: token } = await issueToken(deps, {
    sellerId,
    title: 'test',
    scopes: [],
    allScopes: true,
  })
  return { sellerId, token, tokenWith }
}

async function send(
  url: string,
  method: string,
  path: string,
  { token, body, raw, headers }: Ask,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : null,
  }
  checkDocumented(method, path, answer)
  return answer
}

function testSettings(databaseUrl: string, servers: Servers) {
  // Files of any text: the tests give their TLS to the parts directly.
  const someFile = join(__dirname, '../../package.json')
  return {
    TLS_CA_FILE: someFile,
    TLS_CERT_FILE: someFile,
    TLS_KEY_FILE: someFile,
    TOKEN_KEY_FILE: join(__dirname, 'token-key.txt'),
    FINGERPRINT_KEYS_FILE: join(__dirname, 'fingerprint-keys.txt'),
    DATABASE_URL: databaseUrl,
    BASE_URL: 'https://pay.example.com',
    ...Object.fromEntries(calledBy('gateway').map((name) => [addressSettingOf(name), servers[name].address])),
    OUTBOUND_ALLOWED: 'inbox.test',
    RATE_LIMIT_PER_SECOND: '10000',
    RATE_LIMIT_BURST: '10000',
    HTTP_MAX_LAG_MS: '60000', // A busy machine reads late, which no test is about.
    ANONYMOUS_BURST: '10000',
  }
}
