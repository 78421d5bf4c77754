import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import { createLog } from '@cofre/platform/telemetry/log'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, PATIENT } from '@cofre/testing/testing'
import { CustomersClient } from '@cofre/proto/invoices/v1/customers'
import { InvoicesClient } from '@cofre/proto/invoices/v1/invoices'
import { ProductsClient } from '@cofre/proto/invoices/v1/products'
import { ThemesClient } from '@cofre/proto/invoices/v1/themes'
import type { BoletoDeps } from '../../src/bank/boleto-deps'
import { NO_BANK } from './no-bank'
import type { Deps } from '../../src/deps'
import type { Mailer } from '../../src/mailer/mailer'
import { invoiceServices } from '../../src/server'

export type TestInvoices = Awaited<ReturnType<typeof startInvoices>>

/** The service with a real database, and a mail server where a test gives it one. Sweepers run when a test says so. */
export async function startInvoices({
  mailer,
  boletos = NO_BANK,
}: { mailer?: Mailer; boletos?: BoletoDeps } = {}) {
  const log = createLog('invoices', 'silent')
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()

  /** Another replica of the service on the same database. */
  const startReplica = async (
    pool: Pool = createPool({ url: database.url, max: 10, name: 'invoices', ...PATIENT }, () => {}),
  ) => {
    network.onClose(() => (pool.ended ? undefined : pool.end()))
    const deps: Deps = { pool, log, mailer, boletos }
    const { address } = await network.serve('invoices', invoiceServices(deps))
    const customers = await network.clientOf(CustomersClient, address, 'gateway')
    const products = await network.clientOf(ProductsClient, address, 'gateway')
    const client = await network.clientOf(InvoicesClient, address, 'gateway')
    const themes = await network.clientOf(ThemesClient, address, 'gateway')
    return { deps, address, client, customers, products, themes }
  }

  const main = await startReplica()
  const stop = async () => {
    await network.close()
    await database.drop()
  }
  return { ...main, network, pool: database.pool, url: database.url, startReplica, stop }
}

/** Each test has a seller of its own. */
export function newSeller(): number {
  return 1 + randomBytes(4).readUInt32BE()
}
