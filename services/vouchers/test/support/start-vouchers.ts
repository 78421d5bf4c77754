import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import { createLog } from '@cofre/platform/telemetry/log'
import { createCardTestingGuard } from '@cofre/platform/card/card-testing'
import { openPartner, type Partner } from '@cofre/platform/outbound/partner-call'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, PATIENT } from '@cofre/testing/testing'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { VouchersAdminClient, VouchersClient } from '@cofre/proto/vouchers/v1/vouchers'
import { brandsSetting } from '../../src/brands/brands-setting'
import type { Deps, Rules } from '../../src/deps'
import { openAccounts } from '../../src/issuer/accounts'
import { openHolders } from '../../src/issuer/holders'
import { openIssuers } from '../../src/issuer/issuers'
import { openGrants } from '../../src/redirect/grants'
import { openOpenidProvider } from '../../src/redirect/openid-provider'
import { voucherServices } from '../../src/server'
import { openNumbers } from '../../src/tokens/numbers'
import { SmallIssuer } from './small-issuer'
import { IDENTITY } from './small-provider'

const RULES: Rules = {
  // More than our own work takes on a busy machine. `passDeadlines` makes it pass.
  issuerTimeoutMs: 10_000,
  resolveEveryMs: 250,
  resolveFirstMs: 20,
  resolveMaxMs: 50,
  absenceGraceMs: 50,
  pendingTooLongMinutes: 60,
  declinesPerMinute: 10,
}

const BASE_URL = 'https://pay.example.com'
const STATE_KEYS = { current: 'k1', byId: new Map([['k1', randomBytes(32)]]) }

/** A brand by redirect, in addition to those that come with the service. */
const ticketWith = (places: object) =>
  JSON.stringify({
    TICKET: {
      flow: 'REDIRECT',
      dialect: 'ticket',
      partner: 'ticket-merchant',
      holderPartner: 'ticket',
      cardTypes: ['MEAL', 'FOOD'],
      identity: {
        partner: 'ticket-identity',
        issuer: IDENTITY,
        scope: 'edg-xp-mealdelivery-api',
        acrValues: 'tenant:br-ben',
        ...places,
      },
    },
  })

/** The account of every seller of these tests. */
export const ACCOUNT = '4711'

/** Hooks into the vault of these tests. `onCall` runs before each answer: a test makes it refuse, fail or wait. */
type Hooks = { onCall(rpc: string, request: unknown): Promise<void> | void }

export type TestVouchers = Awaited<ReturnType<typeof startVouchers>>

/**
 * The service with a real database, a vault and issuers over real connections. Sweepers run when a test says so.
 * `places`: of the identity provider, as the settings name them; none has them discovered.
 */
export async function startVouchers(
  rules: Partial<Rules> = {},
  places: object = { authorizationEndpoint: `${IDENTITY}/connect/authorize` },
) {
  const log = createLog('vouchers', 'silent')
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()
  const { authority } = network
  const issuer = new SmallIssuer(await authority.issue('issuer'))
  await issuer.start()
  const partner: Partner = openPartner(issuer.url, { ca: authority.cert })
  network.onClose(() => partner.close())
  const hooks: Hooks = { onCall: () => {} }
  const vaultBehind = createVault({ partner, onCall: (rpc, request) => hooks.onCall(rpc, request) })
  const vaultServer = await network.serve('vault', vaultBehind.services(log))

  /** Starts another replica on the same database, perhaps with other rules. It remembers no account yet. */
  const startReplica = async (
    pool: Pool = createPool({ url: database.url, max: 10, name: 'vouchers', ...PATIENT }, () => {}),
    ownRules: Partial<Rules> = {},
  ) => {
    network.onClose(() => (pool.ended ? undefined : pool.end()))
    const vault = await network.clientOf(VaultClient, vaultServer.address, 'vouchers')
    // The first call must not spend its time on the connection.
    await promisify(vault.waitForReady.bind(vault))(Date.now() + 15_000)
    const brands = new Map([...brandsSetting.parse(undefined), ...brandsSetting.parse(ticketWith(places))])
    const identityProvider = openOpenidProvider(vault, BASE_URL, log)
    const grants = openGrants(pool, brands, identityProvider)
    const allRules = { ...RULES, ...rules, ...ownRules }
    const deps: Deps = {
      pool,
      log,
      brands,
      issuers: openIssuers(vault, brands, grants),
      identityProvider,
      holders: openHolders(vault, brands, pool, grants),
      stateKeys: STATE_KEYS,
      accounts: openAccounts(vault),
      numbers: openNumbers(vault),
      cardTesting: createCardTestingGuard(allRules.declinesPerMinute),
      rules: allRules,
    }
    const { address } = await network.serve('vouchers', voucherServices(deps))
    return { deps, client: await network.clientOf(VouchersClient, address, 'gateway'), address }
  }

  const main = await startReplica()
  const admin = await network.clientOf(VouchersAdminClient, main.address, 'cofrectl')
  const stop = async () => {
    issuer.release()
    await network.close()
    await issuer.stop()
    await database.drop()
  }
  return {
    ...main,
    network,
    hooks,
    vaultAddress: vaultServer.address,
    pool: database.pool,
    url: database.url,
    issuer,
    accounts: vaultBehind.accounts,
    /** The data in the vault, by seller and voucher token: `9 <token>`. */
    kept: vaultBehind.vouchers,
    admin,
    startReplica,
    stop,
  }
}

/** A seller with an account at the issuers; each test has its own. */
export function newSeller({ accounts }: Pick<TestVouchers, 'accounts'>): number {
  const sellerId = 1 + randomBytes(4).readUInt32BE()
  accounts.enabled.set(sellerId, ACCOUNT)
  return sellerId
}
