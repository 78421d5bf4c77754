import { join } from 'node:path'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressSettingOf, calledBy } from '@cofre/platform/service/services'
import { openBoot } from '@cofre/platform/service/run-service'
import { createLog } from '@cofre/platform/telemetry/log'
import { createOpeningVault } from '@cofre/testing/stand-ins/checkout/opening-vault'
import { createPaymentPages } from '@cofre/testing/stand-ins/checkout/payment-pages'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, PATIENT } from '@cofre/testing/testing'
import { readConfig } from '../../src/config'
import { openDeps } from '../../src/deps'
import { createApp } from '../../src/app'
import { insertSeller } from '../../src/sellers/seller-store'

export type CheckoutSystem = Awaited<ReturnType<typeof startCheckout>>

/** The gateway's whole HTTP side with a real database, over mutual TLS to small invoices and vault services. */
export async function startCheckout(settings: Record<string, string> = {}) {
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()
  const lines: string[] = []
  const log = createLog('gateway', 'info', { write: (text) => void lines.push(text) })
  const silent = createLog('behind', 'silent')
  const [pages, vault] = [createPaymentPages(), createOpeningVault()]
  const someFile = join(__dirname, '../../package.json')
  const config = readConfig({
    // A browser keeps the cookies of http only.
    BASE_URL: 'http://127.0.0.1',
    DATABASE_URL: database.url,
    // Files of any text: the tests give their TLS to the parts directly.
    TLS_CA_FILE: someFile,
    TLS_CERT_FILE: someFile,
    TLS_KEY_FILE: someFile,
    TOKEN_KEY_FILE: join(__dirname, '../support/token-key.txt'),
    FINGERPRINT_KEYS_FILE: join(__dirname, '../support/fingerprint-keys.txt'),
    ...Object.fromEntries(calledBy('gateway').map((name) => [addressSettingOf(name), '127.0.0.1:1'])),
    INVOICES_ADDRESS: (await network.serve('invoices', pages.services(silent))).address,
    VAULT_ADDRESS: (await network.serve('vault', vault.services(silent))).address,
    HTTP_MAX_LAG_MS: '60000', // A busy machine reads late, which no test is about.
    ANONYMOUS_BURST: '10000',
    ...settings,
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
  const { id: sellerId } = await insertSeller(database.pool, 'Ateliê da Ana')
  const stop = async () => {
    await new Promise((resolve) => (http.close(resolve), http.closeAllConnections()))
    await close()
    await network.close()
    await database.drop()
  }
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { url, pages, vault, sellerId, deps, logged: () => lines.join(''), stop }
}
