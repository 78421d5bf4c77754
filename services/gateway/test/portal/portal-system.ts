import { randomBytes, scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notFound, unavailable } from '@cofre/platform/errors'
import { addressSettingOf, calledBy } from '@cofre/platform/service/services'
import { openBoot } from '@cofre/platform/service/run-service'
import { createLog } from '@cofre/platform/telemetry/log'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { createNetworkTokens } from '@cofre/testing/stand-ins/network-tokens'
import { createNotifier } from '@cofre/testing/stand-ins/notifier'
import { createInvoices } from '@cofre/testing/stand-ins/invoices/invoices'
import { createOrders } from '@cofre/testing/stand-ins/orders'
import { createVouchers } from '@cofre/testing/stand-ins/vouchers'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, PATIENT } from '@cofre/testing/testing'
import { createApp } from '../../src/app'
import { readConfig } from '../../src/config'
import { openDeps, type Deps } from '../../src/deps'
import { insertPortalUser } from '../../src/sellers/portal-user-store'
import type { Role } from '../../src/sellers/roles'
import { insertSeller } from '../../src/sellers/seller-store'

export const PASSWORD = 'a long enough password'
/** A hash of the password with a low cost, which a test can pay at each sign-in. */
const CHEAP_HASH = cheapHash()

/** The data of orders and notifier, and whether they refuse every call. */
export type Behind = {
  charges: Charge[]
  secrets: Map<number, string>
  down: boolean
  /** An RPC that alone is refused. */
  downFor: string | undefined
  /** The clock can't be moved, as outside a sandbox. */
  noClock: boolean
  invoices: ReturnType<typeof createInvoices>
  orders: ReturnType<typeof createOrders>
  vouchers: ReturnType<typeof createVouchers>
  networkTokens: ReturnType<typeof createNetworkTokens>
  hooks: Pick<ReturnType<typeof createNotifier>, 'endpoints' | 'health' | 'deliveries' | 'samples'>
}

export type PortalSystem = {
  url: string
  deps: Deps
  behind: Behind
  /** The log of the service so far. */
  logged(): string
  /** Makes a seller with one portal user. `passwordHash`: a hash as costly as those of the product. */
  makeSeller(given?: { name?: string; passwordHash?: string }): Promise<{ sellerId: number; email: string }>
  /** Adds a person with a role to a seller, and returns the e-mail to sign in with. */
  addPerson(sellerId: number, role: Role): Promise<string>
  stop(): Promise<void>
}

/** The gateway's whole HTTP side with a real database, over mutual TLS to small orders and notifier services. */
export async function startPortal(
  options: { baseUrl?: string; sandboxUrl?: string } = {},
): Promise<PortalSystem> {
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()
  const lines: string[] = []
  const log = createLog('gateway', 'info', { write: (text) => void lines.push(text) })
  const { behind, orders, notifier, invoices, vouchers, networkTokens } = behindThePortal()
  const silent = createLog('behind', 'silent')
  const config = configFor({
    DATABASE_URL: database.url,
    orders: (await network.serve('orders', orders.services(silent))).address,
    notifier: (await network.serve('notifier', notifier.services(silent))).address,
    invoices: (await network.serve('invoices', invoices.services(silent))).address,
    vouchers: (await network.serve('vouchers', vouchers.services(silent))).address,
    networkTokens: (await network.serve('network-token', networkTokens.services(silent))).address,
    ...options,
  })
  const tls = await network.tlsFor('gateway')
  const { boot, close } = openBoot({
    name: 'gateway',
    log,
    pool: database.pool,
    tls,
    rpcTimeoutMs: PATIENT.timeoutMs,
  })
  const deps = await openDeps(config, boot)
  const http = await new Promise<Server>((resolve) => {
    const server = createApp(deps).listen(0, '127.0.0.1', () => resolve(server))
  })
  const makeSeller: PortalSystem['makeSeller'] = async ({
    name = 'Loja',
    passwordHash = CHEAP_HASH,
  } = {}) => {
    const { id } = await insertSeller(database.pool, name)
    const email = `ana.${randomBytes(4).toString('hex')}@example.com`
    await insertPortalUser(database.pool, { sellerId: id, email, passwordHash })
    return { sellerId: id, email }
  }
  const addPerson: PortalSystem['addPerson'] = async (sellerId, role) => {
    const email = `${role.toLowerCase()}.${randomBytes(4).toString('hex')}@example.com`
    await insertPortalUser(database.pool, { sellerId, email, passwordHash: CHEAP_HASH, role })
    return email
  }
  const stop = async () => {
    await new Promise((resolve) => (http.close(resolve), http.closeAllConnections()))
    await close()
    await network.close()
    await database.drop()
  }
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    deps,
    behind,
    logged: () => lines.join(''),
    makeSeller,
    addPerson,
    stop,
  }
}

function cheapHash(): string {
  const [N, r, p] = [1_024, 8, 1]
  const salt = randomBytes(16)
  const hash = scryptSync(PASSWORD, salt, 32, { N, r, p })
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
}

function behindThePortal() {
  const onCall = (rpc: string) => {
    if (behind.down || behind.downFor === rpc) throw unavailable('Down.', 3)
    if (behind.noClock && rpc === 'getClock') throw notFound()
  }
  const [orders, notifier] = [createOrders({ onCall }), createNotifier({ onCall })]
  const [invoices, vouchers] = [createInvoices(), createVouchers({ onCall })]
  const networkTokens = createNetworkTokens()
  invoices.hooks.onCall = onCall
  const behind: Behind = {
    down: false,
    downFor: undefined,
    noClock: false,
    secrets: notifier.secrets,
    hooks: notifier,
    invoices,
    orders,
    vouchers,
    networkTokens,
    get charges() {
      return [...orders.charges.values()]
    },
    set charges(charges) {
      orders.charges.clear()
      for (const charge of charges) orders.charges.set(charge.id, charge)
    },
  }
  return { behind, orders, notifier, invoices, vouchers, networkTokens }
}

type Settings = {
  DATABASE_URL: string
  orders: string
  notifier: string
  invoices: string
  vouchers: string
  networkTokens: string
  baseUrl?: string
  sandboxUrl?: string
}

function configFor(settings: Settings) {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-portal-'))
  const file = (name: string, text: string) => (writeFileSync(join(dir, name), text), join(dir, name))
  const pem = file('any.pem', 'the clients of this test carry their own')
  const config = readConfig({
    BASE_URL: settings.baseUrl ?? 'http://portal.test',
    ...(settings.sandboxUrl && { SANDBOX_URL: settings.sandboxUrl }),
    DATABASE_URL: settings.DATABASE_URL,
    TLS_CA_FILE: pem,
    TLS_CERT_FILE: pem,
    TLS_KEY_FILE: pem,
    ...Object.fromEntries(calledBy('gateway').map((name) => [addressSettingOf(name), '127.0.0.1:1'])),
    ORDERS_ADDRESS: settings.orders,
    NOTIFIER_ADDRESS: settings.notifier,
    INVOICES_ADDRESS: settings.invoices,
    VOUCHERS_ADDRESS: settings.vouchers,
    NETWORK_TOKEN_ADDRESS: settings.networkTokens,
    TOKEN_KEY_FILE: file('token.key', randomBytes(32).toString('base64')),
    FINGERPRINT_KEYS_FILE: file('fingerprint.keys', `test-1:${randomBytes(32).toString('base64')}`),
    // A test clicks faster than a person.
    RATE_LIMIT_PER_SECOND: '1000',
    RATE_LIMIT_BURST: '2000',
    HTTP_MAX_LAG_MS: '60000', // A busy machine reads late, which no test is about.
  })
  rmSync(dir, { recursive: true })
  return config
}
