import { join } from 'node:path'
import { startGrpcServer } from '@cofre/platform/grpc/server'
import { forgetRequests } from '@cofre/platform/idempotency/idempotency'
import { repeat, runService, untilStopped } from '@cofre/platform/service/lifecycle'
import { createLog, type Logger } from '@cofre/platform/telemetry/log'
import { migrate, migrateAlone } from '@cofre/platform/postgres/migrate'
import { createPool, untilDatabaseAnswers } from '@cofre/platform/postgres/postgres'
import { startTelemetry } from '@cofre/platform/telemetry/telemetry'
import { tlsOf } from '@cofre/platform/grpc/tls'
import { readConfig } from './config'
import { openDeps } from './deps'
import { forgetUnusedCards } from './cards/network-token-store'
import { closePartners, openPartners } from './partners/partners'
import { vaultServices } from './server'

/** How soon another replica's rotation is known here; KEPT_MINUTES of rotate-data-key.ts is far longer. */
const RELOAD_KEYS_MS = 60_000
const FORGET_REQUESTS_MS = 3_600_000
const FORGET_CARDS_MS = 300_000

const MIGRATIONS = join(__dirname, '../migrations')

let log: Logger | undefined

async function main(): Promise<void> {
  if (process.argv[2] === 'migrate') return migrateAlone('vault', MIGRATIONS)
  const config = readConfig()
  const logger = (log = createLog('vault', config.LOG_LEVEL))
  const telemetry = await startTelemetry('vault', config)
  const warn = (what: string) => (err: unknown) => logger.warn({ err }, what)
  const pool = createPool(
    { url: config.DATABASE_URL, max: config.DATABASE_POOL, name: 'vault' },
    warn('connection lost'),
  )
  await untilDatabaseAnswers(pool)
  if (config.MIGRATE_ON_START) await migrate(pool, MIGRATIONS)

  const partners = openPartners(config.PARTNERS_FILE)
  const { keyEncryption } = config
  const deps = await openDeps({ log: logger, pool, partners, keyEncryption, now: Date.now })
  const sweepers = [
    repeat(() => deps.keys.reload().then(() => 0), RELOAD_KEYS_MS, warn('keys not reloaded')),
    repeat(() => forgetRequests(pool), FORGET_REQUESTS_MS, warn('requests not forgotten')),
    repeat(() => forgetUnusedCards(pool), FORGET_CARDS_MS, warn('unused cards not destroyed')),
  ]
  const address = {
    host: config.GRPC_HOST,
    port: config.GRPC_PORT,
    tls: tlsOf(config),
    maxConnectionAgeMs: config.GRPC_MAX_CONNECTION_AGE_MS,
  }
  const server = await startGrpcServer(address, vaultServices(deps))
  logger.info({ port: server.port }, 'vault is serving')

  await untilStopped()
  await server.close()
  await Promise.all(sweepers.map((sweeper) => sweeper.stop()))
  await closePartners(partners)
  await pool.end()
  await telemetry.stop()
}

runService(() => log, main)
