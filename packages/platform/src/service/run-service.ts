import type { ChannelCredentials, Client } from '@grpc/grpc-js'
import { openEventLog, type EventLogSettings } from '../events/event-log-settings'
import type { EventLog } from '../events/event-log'
import { CLIENT_OPTIONS, limitCalls } from '../grpc/client'
import { startGrpcServer, type GrpcServer, type ServedService } from '../grpc/server'
import { clientCredentials, tlsOf, type Tls } from '../grpc/tls'
import { migrate, migrateAlone } from '../postgres/migrate'
import { createPool, untilDatabaseAnswers, warmUp, type Pool } from '../postgres/postgres'
import { createLog, type Logger } from '../telemetry/log'
import { startTelemetry } from '../telemetry/telemetry'
import { followDatabaseClock } from './database-clock'
import { runProgram, untilStopped } from './lifecycle'
import type { ServiceSettings } from './settings'

/** The parts that every service gets at boot, and functions to open more. Parts close in the reverse order. */
export type Boot = {
  name: string
  log: Logger
  pool: Pool
  tls: Tls
  /** Makes a client of another service of ours. It connects at once, so that the first request need not wait. */
  connect<C extends Client>(client: ClientOf<C>, address: string): C
  eventLog(settings: EventLogSettings): Promise<EventLog>
  /** Closes something that the service opened by itself. */
  onClose(close: () => Promise<unknown> | void): void
}

type ClientOf<C> = new (address: string, credentials: ChannelCredentials, options: object) => C

/** A part that runs beside the RPCs until it is stopped: a sweeper, a consumer, an HTTP server. */
export type Running = { stop(): Promise<void> }

export type Service<Config extends ServiceSettings, Deps> = {
  name: string
  /** The folder of its numbered SQL files. */
  migrations: string
  readConfig(): Config
  openDeps(config: NoInfer<Config>, boot: Boot): Promise<Deps> | Deps
  /** Starts the parts that run without being called. */
  start?(deps: NoInfer<Deps>): Promise<readonly Running[]> | readonly Running[]
  services(deps: NoInfer<Deps>): readonly ServedService[]
}

/**
 * Runs the whole life of a service: telemetry, database, migrations, dependencies, background parts, gRPC. On SIGTERM
 * it closes them in the reverse order. `main.js migrate` applies the migrations and ends.
 */
export function runService<Config extends ServiceSettings, Deps>(service: Service<Config, Deps>): void {
  let log: Logger | undefined
  runProgram(
    () => log,
    async () => {
      if (process.argv[2] === 'migrate') return migrateAlone(service.name, service.migrations)
      const config = service.readConfig()
      log = createLog(service.name, config.logLevel)
      await live(service, config, log)
    },
  )
}

async function live<Config extends ServiceSettings, Deps>(
  service: Service<Config, Deps>,
  config: Config,
  log: Logger,
): Promise<void> {
  const { name } = service
  const telemetry = await startTelemetry(name, config)
  const { databaseUrl: url, databasePool: max, databaseTimeoutMs: timeoutMs } = config
  const pool = createPool({ url, max, name, timeoutMs }, (err) =>
    log.warn({ err }, 'idle database connection lost'),
  )
  await untilDatabaseAnswers(pool)
  if (config.migrateOnStart) await migrate(pool, service.migrations)
  await warmUp(pool, Math.ceil(max / 2))
  let server: GrpcServer | undefined
  const clock = await followDatabaseClock(pool, {
    log,
    mostSeconds: config.maxClockOffsetSeconds,
    onState: (isUp) => server?.tellDatabase(isUp),
  })
  const tls = tlsOf(config)
  const { boot, close } = openBoot({ name, log, pool, tls, rpcTimeoutMs: config.rpcTimeoutMs })
  const deps = await service.openDeps(config, boot)
  const running = (await service.start?.(deps)) ?? []
  const { grpcHost: host, grpcPort, grpcMaxConnectionAgeMs: maxConnectionAgeMs } = config
  const address = { host, port: grpcPort, tls, maxConnectionAgeMs, log }
  server = await startGrpcServer(address, service.services(deps))
  log.info({ port: server.port }, `${name} is serving`)

  await untilStopped()
  await server.close()
  await Promise.all(running.map((each) => each.stop()))
  await close()
  await clock.stop()
  await pool.end()
  await telemetry.stop()
}

type BootParts = Pick<Boot, 'name' | 'log' | 'pool' | 'tls'> & Pick<ServiceSettings, 'rpcTimeoutMs'>

/** The boot of one service. `close` closes all that it opened, the last part first, and throws the first failure. */
export function openBoot({ rpcTimeoutMs, ...parts }: BootParts): { boot: Boot; close(): Promise<void> } {
  const { name, log, tls } = parts
  const opened: (() => Promise<unknown> | void)[] = []
  const onClose: Boot['onClose'] = (close) => void opened.push(close)
  const boot: Boot = {
    ...parts,
    onClose,
    connect(Client, address) {
      const client = limitCalls(new Client(address, clientCredentials(tls), CLIENT_OPTIONS), rpcTimeoutMs)
      client.getChannel().getConnectivityState(true)
      onClose(() => client.close())
      return client
    },
    async eventLog(settings) {
      const eventLog = await openEventLog(settings, name, log)
      onClose(() => eventLog.close())
      return eventLog
    },
  }
  const close = async () => {
    const failures: unknown[] = []
    for (const each of opened.reverse()) {
      await Promise.resolve()
        .then(each)
        .catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
  return { boot, close }
}
