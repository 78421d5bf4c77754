import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import { createLog } from '@cofre/platform/telemetry/log'
import { openPartner, type Partner } from '@cofre/platform/outbound/partner-call'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import { createNetworkTokens } from '@cofre/testing/stand-ins/network-tokens'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { createTestDatabase, eventually, PATIENT } from '@cofre/testing/testing'
import { openTestNetwork } from '@cofre/testing/test-network'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { DisputesClient } from '@cofre/proto/orders/v1/disputes'
import { OrdersAdminClient, OrdersClient, type Charge } from '@cofre/proto/orders/v1/orders'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { createCardTestingGuard } from '@cofre/platform/card/card-testing'
import { openAcquirers, openPix, type Deps, type Rules } from '../../src/deps'
import { openKeptCards } from '../../src/kept-cards/kept-cards'
import { openNetworkTokens } from '../../src/network-tokens/network-tokens'
import { ordersServices } from '../../src/server'
import { resolvePending } from './resolve-pending'
import { SmallAcquirer } from './small-acquirer'

const RULES: Rules & Parameters<typeof openAcquirers>[1] = {
  // More than our own work takes on a busy machine. `passDeadlines` lets it pass.
  acquirerTimeoutMs: 10_000,
  resolveEveryMs: 250,
  resolveFirstMs: 20,
  resolveMaxMs: 50,
  absenceGraceMs: 50,
  captureWindowDays: 7,
  guessesPerMinute: 10,
  guessedSharePercent: 50,
  unsureDeclineMs: 1_800_000,
  pendingTooLongMinutes: 60,
  comparedPerMinute: 300,
  disputesEveryMs: 21_600_000,
}

export type TestOrders = Awaited<ReturnType<typeof startOrders>>

/**
 * The service with a real database, a vault and an acquirer over real connections. Sweepers run only on a test's call.
 * `between` stands between the vault and the acquirer.
 */
export async function startOrders(
  rules: Partial<typeof RULES> = {},
  between: (partner: Partner, acquirer: SmallAcquirer) => Partner = (partner) => partner,
) {
  const log = createLog('orders', 'silent')
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()
  const { authority } = network
  const acquirer = new SmallAcquirer(await authority.issue('acquirer'))
  await acquirer.start()
  const partner = openPartner(acquirer.url, { ca: authority.cert })
  network.onClose(() => partner.close())
  const vaultBehind = createVault({ partner: between(partner, acquirer) })
  const vaultServer = await network.serve('vault', vaultBehind.services(log))
  const networkTokens = createNetworkTokens()
  const tokensServer = await network.serve('network-token', networkTokens.services(log))

  /** Starts another replica of the service on the same database, optionally with its own rules. */
  const startReplica = async (
    pool: Pool = createPool({ url: database.url, max: 10, name: 'orders', ...PATIENT }, () => {}),
    ownRules: Partial<typeof RULES> = {},
  ) => {
    network.onClose(() => (pool.ended ? undefined : pool.end()))
    const vault = await network.clientOf(VaultClient, vaultServer.address, 'orders')
    // A call's time is for its work: the first call must not spend it on the connection.
    await promisify(vault.waitForReady.bind(vault))(Date.now() + 15_000)
    const tokens = await network.clientOf(NetworkTokensClient, tokensServer.address, 'orders')
    const allRules = { ...RULES, ...rules, ...ownRules }
    const deps: Deps = {
      pool,
      log,
      acquirers: openAcquirers(vault, allRules),
      pix: openPix(vault, allRules),
      keptCards: openKeptCards(vault),
      networkTokens: openNetworkTokens(tokens),
      cardTesting: createCardTestingGuard(allRules.guessesPerMinute),
      rules: allRules,
    }
    const { address } = await network.serve('orders', ordersServices(deps))
    const client = await network.clientOf(OrdersClient, address, 'gateway')
    return {
      deps,
      vault,
      client,
      disputes: await network.clientOf(DisputesClient, address, 'gateway'),
      address,
    }
  }

  const main = await startReplica()
  const admin = await network.clientOf(OrdersAdminClient, main.address, 'cofrectl')
  const stop = async () => {
    acquirer.release()
    await network.close()
    await acquirer.stop()
    await database.drop()
  }
  return {
    ...main,
    network,
    vaultAddress: vaultServer.address,
    pool: database.pool,
    url: database.url,
    acquirer,
    accounts: vaultBehind.accounts,
    keepCard: vaultBehind.store,
    removeCard: vaultBehind.remove,
    admin,
    networkTokens: networkTokens.tokens,
    startReplica,
    stop,
  }
}

/** A seller with an establishment; each test has its own. */
export async function newSeller({ admin }: TestOrders, establishmentNumber?: string): Promise<number> {
  const sellerId = 1 + randomBytes(4).readUInt32BE()
  const account = {
    merchantId: randomUUID(),
    networkTokens: false,
    retryWithCard: false,
    establishmentNumber,
  }
  await callRpc(admin, admin.createEstablishment, { sellerId, affiliateId: undefined, ...account })
  return sellerId
}

/** Runs a call as the gateway does for a request with an Idempotency-Key. */
export function withKey<T>(key: string, work: () => Promise<T>, body = 'body'): Promise<T> {
  const idempotency: IdempotencyKey = { key, method: 'POST', path: '/charges', fingerprint: body }
  return runCall({ ...newCall({ timeoutMs: 20_000 }), idempotency }, work)
}

/** The charge as it is now. */
export function get({ client }: Pick<TestOrders, 'client'>, { sellerId, id }: Charge): Promise<Charge> {
  return callRpc(client, client.getCharge, { sellerId, chargeId: id })
}

/** Runs the resolving sweeper again and again until the charge passes `check`. */
export async function resolved(
  orders: Pick<TestOrders, 'client' | 'deps'>,
  charge: Charge,
  check: (charge: Charge) => void,
): Promise<Charge> {
  return eventually(async () => {
    await resolvePending(orders.deps)
    const current = await get(orders, charge)
    check(current)
    return current
  })
}

const HOUR_MS = 3_600_000

/**
 * Moves the deadlines of all operations that have left to `agoMs` ago, and makes their charges due: one charge, or all.
 * Call it only when no request for them runs.
 */
export async function passDeadlines(
  { pool }: Pick<TestOrders, 'pool'>,
  charge?: Pick<Charge, 'id'>,
  agoMs = HOUR_MS,
): Promise<void> {
  // Locks charges first, like the service.
  await pool.query(
    `WITH passed AS (UPDATE charges SET ask_at = least(ask_at, $1::timestamptz)
       WHERE ask_at IS NOT NULL AND ($2::bigint IS NULL OR id = $2) RETURNING id)
     UPDATE transactions t SET dispatch_deadline = $1
     FROM passed WHERE t.charge_id = passed.id AND t.status = 'PENDING' AND t.dispatch_deadline IS NOT NULL`,
    [new Date(Date.now() - agoMs), charge?.id ?? null],
  )
}
