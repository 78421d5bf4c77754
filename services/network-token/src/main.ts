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
import { NetworkTokenAccountsClient } from '@cofre/proto/orders/v1/orders'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { openAccounts } from './token-service/accounts'
import { openTokenService } from './token-service/acquirer-token-service'
import { readConfig } from './config'
import type { Deps } from './deps'
import { openNumbers } from './token/numbers'
import { networkTokenServices } from './server'
import { startSettler } from './sweepers/settler'
import { startSweepers } from './sweepers/sweepers'

const MIGRATIONS = join(__dirname, '../migrations')

let log: Logger | undefined

async function main(): Promise<void> {
  if (process.argv[2] === 'migrate') return migrateAlone('network-token', MIGRATIONS)
  const config = readConfig()
  const logger = (log = createLog('network-token', config.LOG_LEVEL))
  const telemetry = await startTelemetry('network-token', config)
  const pool = createPool(
    { url: config.DATABASE_URL, max: config.DATABASE_POOL, name: 'network-token' },
    (err) => logger.warn({ err }, 'idle connection lost'),
  )
  await untilDatabaseAnswers(pool)
  if (config.MIGRATE_ON_START) await migrate(pool, MIGRATIONS)

  const tls = tlsOf(config)
  const vault = new VaultClient(config.VAULT_ADDRESS, clientCredentials(tls), CLIENT_OPTIONS)
  const orders = new NetworkTokenAccountsClient(config.ORDERS_ADDRESS, clientCredentials(tls), CLIENT_OPTIONS)
  const deps: Deps = {
    pool,
    log: logger,
    accounts: openAccounts(orders),
    numbers: openNumbers(vault),
    tokenService: openTokenService(vault, config.CALLBACK_URL),
    rules: config,
  }
  const eventLog = await openEventLog(config, 'network-token', logger)
  const settler = startSettler(deps)
  const sweepers = startSweepers(deps, eventLog)
  const address = {
    host: config.GRPC_HOST,
    port: config.GRPC_PORT,
    tls,
    maxConnectionAgeMs: config.GRPC_MAX_CONNECTION_AGE_MS,
  }
  const server = await startGrpcServer(address, networkTokenServices(deps, settler))
  logger.info({ port: server.port }, 'network-token is serving')

  await untilStopped()
  await server.close()
  await settler.stop()
  await Promise.all(sweepers.map((sweeper) => sweeper.stop()))
  vault.close()
  orders.close()
  await eventLog.close()
  await pool.end()
  await telemetry.stop()
}

runService(() => log, main)
