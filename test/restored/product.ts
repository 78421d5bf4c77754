import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceName } from '@cofre/platform/service/services'
import { eventually } from '@cofre/testing/testing'
import { freePorts } from '../../engines/src/ports'
import { giveDatabases } from '../journeys/made-databases'
import { forget, newRunDir, startSystem, type System } from '../journeys/system'
import { startBackedUpDatabase, type BackedUpDatabase } from './backed-up-database'
import { started, type Ends } from './ends'
import { blockWith, runCommands, type Desk } from './page'
import { startSecuredKafka } from './secured-kafka'

const BACKED_UP = ['orders', 'notifier', 'vault'] as const
export type Lost = (typeof BACKED_UP)[number]

/** The longest time from an event to its handling. */
const BEFORE_MS = 3_600_000

export type Product = {
  system: System
  databases: Record<Lost, BackedUpDatabase>
  /** Puts a file beside the commands of the page. */
  write(name: string, text: string): void
  /** Restores a lost database up to the moment, running `between` where the page has "what is lost". */
  restore(
    lost: Lost,
    moment: string,
    between: (run: (words: string) => Promise<string>) => Promise<void>,
  ): Promise<void>
}

/** Starts the product with a separate PostgreSQL for each database to be lost, on one of the two event logs. */
export async function startProduct(eventLog: 'postgres' | 'kafka', ends: Ends): Promise<Product> {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-restored-'))
  ends.push(() => rmSync(dir, { recursive: true, force: true }))
  chmodSync(dir, 0o755) // For root, PostgreSQL runs as another user, who needs access.
  const ports = await freePorts(BACKED_UP.length)
  const startDatabase = (name: Lost, at: number) =>
    started(ends, startBackedUpDatabase(join(dir, name), ports[at] ?? 0), (one) => one.stop())
  const starting = BACKED_UP.map(async (name, at) => [name, await startDatabase(name, at)] as const)
  const databases = Object.fromEntries(await Promise.all(starting)) as Product['databases']
  const startKafka = () => started(ends, startSecuredKafka(dir), (one) => one.stop())
  const kafka = eventLog === 'kafka' ? await startKafka() : undefined
  const desk: Desk = kafka?.desk ?? { dir, tools: dir, broker: '', variables: {} }
  if (kafka) await runCommands(desk, blockWith('kafka-acls.sh'))
  const runDir = newRunDir()
  ends.push(() => forget(runDir))
  await giveDatabases(runDir)
  const startingSystem = startSystem(runDir, {
    adapt: (name, own) => {
      if (own['EVENT_LOG_URL']) desk.variables['EVENT_LOG'] = own['EVENT_LOG_URL']
      const adapted = { ...own }
      if (name in databases) adapted['DATABASE_URL'] = databases[name as Lost].url
      if (kafka && own['EVENT_LOG_URL']) Object.assign(adapted, kafka.settings)
      return adapted
    },
  })
  const system = await started(ends, startingSystem, (one) => one.kill())
  const restore: Product['restore'] = async (lost, moment, between) => {
    await scale(system, blockWith('--replicas=0'), lost)
    await databases[lost].restore(moment)
    desk.variables['DATABASE'] = databases[lost].url
    const since = new Date(Date.parse(moment) - BEFORE_MS).toISOString()
    desk.variables['SINCE'] = `${since.slice(0, 19)}Z`
    const run = (words: string) => runCommands(desk, blockWith(words))
    await run('setval')
    try {
      await between(run)
    } finally {
      await scale(system, blockWith('--replicas=2'), lost)
      await eventually(async () => expect((await system.api('GET', '/readyz')).status).toBe(200))
    }
  }
  return {
    system,
    databases,
    write: (name, text) => writeFileSync(join(dir, name), text),
    restore,
  }
}

/** Acts as `kubectl scale` on the page. The page restores orders; for the notifier, the gateway is not stopped. */
async function scale(system: System, block: string, lost: Lost): Promise<void> {
  const commands = [...block.matchAll(/^ *kubectl .*scale deploy\/cofre-(\S+) --replicas=(\d)/gm)]
  expect(commands).toHaveLength(2)
  for (const [, named = '', replicas] of commands) {
    const service = (named === 'orders' ? lost : named) as ServiceName
    if (service === 'gateway' && lost === 'notifier') continue
    if (replicas === '0') await system.stopService(service)
    else system.startService(service)
  }
}
