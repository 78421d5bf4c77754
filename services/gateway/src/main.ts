import { join } from 'node:path'
import { startGrpcServer } from '@cofre/platform/grpc/server'
import { runService, untilStopped } from '@cofre/platform/service/lifecycle'
import { createLog, type Logger } from '@cofre/platform/telemetry/log'
import { migrate, migrateAlone } from '@cofre/platform/postgres/migrate'
import { createPool, untilDatabaseAnswers } from '@cofre/platform/postgres/postgres'
import { startTelemetry } from '@cofre/platform/telemetry/telemetry'
import { tlsOf } from '@cofre/platform/grpc/tls'
import { createApp } from './http/app'
import { openClients } from './clients'
import { readConfig } from './config'
import { openDeps } from './deps'
import { startHttpServer } from './http/http-server'
import { gatewayAdmin } from './server'

const MIGRATIONS = join(__dirname, '../migrations')

let log: Logger | undefined

async function main(): Promise<void> {
  if (process.argv[2] === 'migrate') return migrateAlone('gateway', MIGRATIONS)
  const config = readConfig()
  const logger = (log = createLog('gateway', config.LOG_LEVEL))
  const telemetry = await startTelemetry('gateway', config)
  const database = { url: config.DATABASE_URL, max: config.DATABASE_POOL, name: 'gateway' }
  const pool = createPool(database, (err) => logger.warn({ err }, 'database connection lost'))
  await untilDatabaseAnswers(pool)
  if (config.MIGRATE_ON_START) await migrate(pool, MIGRATIONS)

  const tls = tlsOf(config)
  const addresses = {
    vault: config.VAULT_ADDRESS,
    orders: config.ORDERS_ADDRESS,
    notifier: config.NOTIFIER_ADDRESS,
    networkToken: config.NETWORK_TOKEN_ADDRESS,
  }
  const clients = openClients(addresses, tls)
  const deps = await openDeps({ config, log: logger, pool, services: clients.services })
  const address = {
    host: config.GRPC_HOST,
    port: config.GRPC_PORT,
    tls,
    maxConnectionAgeMs: config.GRPC_MAX_CONNECTION_AGE_MS,
  }
  const grpc = await startGrpcServer(address, [gatewayAdmin(deps)])
  const http = await startHttpServer(
    { host: config.HTTP_HOST, port: config.HTTP_PORT, timeoutMs: config.HTTP_TIMEOUT_MS },
    createApp(deps),
  )
  logger.info({ port: grpc.port, httpPort: http.port }, 'gateway is serving')

  await untilStopped()
  await Promise.all([http.close(), grpc.close()])
  await deps.lastUses.stop()
  await deps.recorder.stop()
  await deps.history.close()
  clients.close()
  await pool.end()
  await telemetry.stop()
}

runService(() => log, main)
