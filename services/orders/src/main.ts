import { join } from 'node:path'
import { openEventLog } from '@cofre/platform/events/event-log-settings'
import { CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import { startGrpcServer } from '@cofre/platform/grpc/server'
import { runService, untilStopped } from '@cofre/platform/service/lifecycle'
import { createLog, type Logger } from '@cofre/platform/telemetry/log'
import { migrate, migrateAlone } from '@cofre/platform/postgres/migrate'
import { createPool, untilDatabaseAnswers } from '@cofre/platform/postgres/postgres'
import { startTelemetry } from '@cofre/platform/telemetry/telemetry'
import { clientCredentials, tlsOf } from '@cofre/platform/grpc/tls'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { openCieloAcquirer } from './cielo/cielo-acquirer'
import { readOrdersSettings } from './config'
import type { Deps } from './deps'
import { openNetworkTokens } from './network-tokens/grpc-network-tokens'
import { noNetworkTokens } from './network-tokens/no-network-tokens'
import { ordersServices } from './server'
import { startSweepers } from './sweepers/sweepers'

const MIGRATIONS = join(__dirname, '../migrations')

let log: Logger | undefined

async function main(): Promise<void> {
  if (process.argv[2] === 'migrate') return migrateAlone('orders', MIGRATIONS)
  const settings = readOrdersSettings()
  const logger = (log = createLog('orders', settings.LOG_LEVEL))
  const telemetry = await startTelemetry('orders', settings)
  const pool = createPool(
    { url: settings.DATABASE_URL, max: settings.DATABASE_POOL, name: 'orders' },
    (err) => logger.warn({ err }, 'idle connection lost'),
  )
  await untilDatabaseAnswers(pool)
  if (settings.MIGRATE_ON_START) await migrate(pool, MIGRATIONS)

  const tls = tlsOf(settings)
  const vault = new VaultClient(settings.VAULT_ADDRESS, clientCredentials(tls), CLIENT_OPTIONS)
  const acquirer = openCieloAcquirer(vault, {
    url: settings.ACQUIRER_URL,
    queryUrl: settings.ACQUIRER_QUERY_URL,
    ca: settings.ACQUIRER_CA_FILE,
  })
  const { NETWORK_TOKEN_ADDRESS } = settings
  const tokens =
    NETWORK_TOKEN_ADDRESS === undefined
      ? undefined
      : new NetworkTokensClient(NETWORK_TOKEN_ADDRESS, clientCredentials(tls), CLIENT_OPTIONS)
  const networkTokens = tokens ? openNetworkTokens(tokens) : noNetworkTokens
  const eventLog = await openEventLog(settings, 'orders', logger)
  const deps: Deps = { pool, log: logger, acquirer, networkTokens, rules: settings }
  const sweepers = startSweepers(deps, eventLog, settings.SETTLE_EVERY_MS)
  const address = {
    host: settings.GRPC_HOST,
    port: settings.GRPC_PORT,
    tls,
    maxConnectionAgeMs: settings.GRPC_MAX_CONNECTION_AGE_MS,
  }
  const server = await startGrpcServer(address, ordersServices(deps))
  logger.info({ port: server.port }, 'orders is serving')

  await untilStopped()
  await server.close()
  await Promise.all(sweepers.map((sweeper) => sweeper.stop()))
  await acquirer.close()
  vault.close()
  tokens?.close()
  await eventLog.close()
  await pool.end()
  await telemetry.stop()
}

runService(() => log, main)
