import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import { createLog } from '@cofre/platform/telemetry/log'
import type { Partner } from '@cofre/platform/outbound/partner-call'
import { createNetworkTokens } from '@cofre/testing/stand-ins/network-tokens'
import { createOrders } from '@cofre/testing/stand-ins/orders'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, PATIENT } from '@cofre/testing/testing'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { CustomersClient } from '@cofre/proto/invoices/v1/customers'
import { InvoicesClient } from '@cofre/proto/invoices/v1/invoices'
import { PaymentLinksClient } from '@cofre/proto/invoices/v1/payment_links'
import { PaymentPagesClient } from '@cofre/proto/invoices/v1/pages'
import { PaymentsClient } from '@cofre/proto/invoices/v1/payments'
import { ProductsClient } from '@cofre/proto/invoices/v1/products'
import { RecipientsClient } from '@cofre/proto/invoices/v1/recipients'
import { BillingClockClient } from '@cofre/proto/invoices/v1/clock'
import { RecurringInvoicesClient } from '@cofre/proto/invoices/v1/recurring'
import { ThreeDSecureClient } from '@cofre/proto/invoices/v1/three_d_secure'
import { ThemesClient } from '@cofre/proto/invoices/v1/themes'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { OrdersClient } from '@cofre/proto/orders/v1/orders'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { BoletoDeps } from '../../src/boletos/bank/boleto-deps'
import { slipsIn } from '../../src/boletos/pdf/mailed-slip'
import { bookletsIn } from '../../src/booklets/mailed-booklet'
import { wired, type Deps, type PaymentRules } from '../../src/deps'
import type { Mailer } from '../../src/letters/mailer/mailer'
import { chargedCardsIn } from '../../src/dunning/next-charge'
import { openCards } from '../../src/cards/cards'
import { openNetworkTokens } from '../../src/cards/network-tokens'
import { openOrders } from '../../src/cards/orders'
import { invoiceServices } from '../../src/server'
import { openPixIn } from '../../src/pix/store/open-pix'
import type { PixDeps } from '../../src/pix/bank/pix-deps'
import { NO_BANK, NO_PIX } from './no-bank'
import { openAuthenticationServer } from '../../src/cards/three-d-secure/authentication-server'

export const BASE_URL = 'https://pay.example.com'

const RULES: PaymentRules = {
  // More than our own work takes on a busy machine. `passTime` lets it pass.
  minInstallmentCents: 500,
  cardFees: new Map([[2, { percentageBps: 399, fixedInCents: 39 }]]),
  ordersTimeoutMs: 15_000,
  resolveEveryMs: 10,
  resolveFirstMs: 10_000,
  resolveMaxMs: 60_000,
  absenceGraceMs: 30_000,
  dunningDays: [1, 3, 5, 7],
  expiredCardBrands: new Set(['AMEX']),
}

export type TestInvoices = Awaited<ReturnType<typeof startInvoices>>

/**
 * The service with a real database, orders and vault in memory, and a mail server if a test gives one. Sweepers run
 * only on a test's call.
 */
export async function startInvoices({
  mailer,
  boletos = NO_BANK,
  pix = NO_PIX,
  partner,
  billingClock = 'real',
}: {
  mailer?: Mailer
  boletos?: BoletoDeps
  pix?: PixDeps
  partner?: Partner
  billingClock?: Deps['billingClock']
} = {}) {
  const log = createLog('invoices', 'silent')
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()
  const ordersBehind = createOrders()
  /** Runs before each answer of the vault: a test makes it refuse. */
  const vaultHooks: { onCall: (rpc: string) => void | Promise<void> } = { onCall: () => {} }
  const onCall = (rpc: string) => vaultHooks.onCall(rpc)
  const vaultBehind = createVault(partner ? { partner, onCall } : { onCall })
  const { address: ordersAddress } = await network.serve('orders', ordersBehind.services(log))
  const tokensBehind = createNetworkTokens()
  const { address: tokensAddress } = await network.serve('network-token', tokensBehind.services(log))
  const { address: vaultAddress } = await network.serve('vault', vaultBehind.services(log))

  /** Starts another replica of the service on the same database. */
  const startReplica = async (
    pool: Pool = createPool({ url: database.url, max: 10, name: 'invoices', ...PATIENT }, () => {}),
  ) => {
    network.onClose(() => (pool.ended ? undefined : pool.end()))
    const orders = openOrders(
      await network.clientOf(OrdersClient, ordersAddress, 'invoices'),
      await network.clientOf(IdempotencyClient, ordersAddress, 'invoices'),
    )
    const vault = await network.clientOf(VaultClient, vaultAddress, 'invoices')
    const cards = openCards(vault, pool)
    const tokens = await network.clientOf(NetworkTokensClient, tokensAddress, 'invoices')
    const networkTokens = openNetworkTokens(tokens)
    const authenticationServer = openAuthenticationServer(vault)
    const deps: Deps = {
      pool,
      log,
      mailer,
      orders,
      cards,
      networkTokens,
      rules: RULES,
      ...wired(RULES),
      boletos,
      pix,
      slipOf: slipsIn(pool, boletos, openPixIn(pool)),
      pixOf: openPixIn(pool),
      bookletOf: bookletsIn(pool, boletos),
      cardsOf: chargedCardsIn(pool),
      authenticationServer,
      baseUrl: BASE_URL,
      billingClock,
      emailRetryFirstMs: 30_000,
      reminderDays: [-3, 0, 1, 7],
    }
    const { address } = await network.serve('invoices', invoiceServices(deps))
    const customers = await network.clientOf(CustomersClient, address, 'gateway')
    const products = await network.clientOf(ProductsClient, address, 'gateway')
    const recipients = await network.clientOf(RecipientsClient, address, 'gateway')
    const client = await network.clientOf(InvoicesClient, address, 'gateway')
    const themes = await network.clientOf(ThemesClient, address, 'gateway')
    const pages = await network.clientOf(PaymentPagesClient, address, 'gateway')
    const links = await network.clientOf(PaymentLinksClient, address, 'gateway')
    const payments = await network.clientOf(PaymentsClient, address, 'gateway')
    const threeDSecure = await network.clientOf(ThreeDSecureClient, address, 'gateway')
    const recurring = await network.clientOf(RecurringInvoicesClient, address, 'gateway')
    const clock = await network.clientOf(BillingClockClient, address, 'gateway')
    return {
      deps,
      recurring,
      clock,
      address,
      client,
      customers,
      products,
      recipients,
      themes,
      pages,
      links,
      payments,
      threeDSecure,
    }
  }

  const main = await startReplica()
  const stop = async () => {
    await network.close()
    await database.drop()
  }
  const behind = {
    orders: ordersBehind,
    vault: { ...vaultBehind, hooks: vaultHooks },
    networkTokens: tokensBehind,
    ordersAddress,
    tokensAddress,
    vaultAddress,
  }
  return { ...main, behind, network, pool: database.pool, url: database.url, startReplica, stop }
}

/** Returns a new seller: each test has its own. */
export function newSeller(): number {
  return 1 + randomBytes(4).readUInt32BE()
}
