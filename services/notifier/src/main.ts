import { join } from 'node:path'
import { startGrpcServer } from '@cofre/platform/grpc/server'
import { runService, untilStopped } from '@cofre/platform/service/lifecycle'
import { createLog, type Logger } from '@cofre/platform/telemetry/log'
import { migrate, migrateAlone } from '@cofre/platform/postgres/migrate'
import { createPool, untilDatabaseAnswers } from '@cofre/platform/postgres/postgres'
import { startTelemetry } from '@cofre/platform/telemetry/telemetry'
import { tlsOf } from '@cofre/platform/grpc/tls'
import { readConfig } from './config'
import { consumeNetworkTokenEvents } from './consumers/network-token-events'
import { consumeOrdersEvents } from './consumers/orders-events'
import { createDeps } from './deps'
import { notifierServices } from './server'
import { startDeliverer } from './sweepers/deliver'
import { startForgetting } from './sweepers/forget'

const MIGRATIONS = join(__dirname, '../migrations')

let log: Logger | undefined

async function main(): Promise<void> {
  if (process.argv[2] === 'migrate') return migrateAlone('notifier', MIGRATIONS)
  const config = readConfig()
  const logger = createLog('notifier', config.LOG_LEVEL)
  log = logger
  const telemetry = await startTelemetry('notifier', config)
  const database = { url: config.DATABASE_URL, max: config.DATABASE_POOL, name: 'notifier' }
  const pool = createPool(database, (err) => logger.warn({ err }, 'idle connection lost'))
  await untilDatabaseAnswers(pool)
  if (config.MIGRATE_ON_START) await migrate(pool, MIGRATIONS)

  const deps = await createDeps(config, logger, pool)
  const deliverer = startDeliverer(deps)
  const orders = await consumeOrdersEvents(deps, deliverer.wake)
  const networkTokens = await consumeNetworkTokenEvents(deps, deliverer.wake)
  const forgetting = startForgetting(deps)
  const address = {
    host: config.GRPC_HOST,
    port: config.GRPC_PORT,
    tls: tlsOf(config),
    maxConnectionAgeMs: config.GRPC_MAX_CONNECTION_AGE_MS,
  }
  const server = await startGrpcServer(address, notifierServices(deps))
  logger.info({ port: server.port }, 'notifier is serving')

  await untilStopped()
  await server.close()
  await Promise.all([orders.stop(), networkTokens.stop()])
  await deliverer.stop()
  await forgetting.stop()
  await deps.recorder.stop()
  await deps.history.close()
  await deps.eventLog.close()
  await pool.end()
  await telemetry.stop()
}

runService(() => log, main)
