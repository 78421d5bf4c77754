import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { takesConnections, type Engine } from './engine'
import { ENGINES_DIR } from './engines-folder'
import { fetchKafka, startKafka } from './kafka'
import { fetchKafkaTools } from './kafka-tools'
import { fetchMongo, startMongo } from './mongodb'
import { freePorts } from './ports'

const FILE = join(ENGINES_DIR, 'running.json')
const DATA = join(ENGINES_DIR, 'data')
const STOP_MS = 20_000
const LOOK_AGAIN_MS = 100

/** The engines that keep running until they are stopped, whoever started them. */
export type StandingEngine = Pick<Engine, 'name' | 'version' | 'url' | 'pid'> & { ports: number[] }
export type StandingEngines = { kafka: StandingEngine; mongodb: StandingEngine }

type Tell = (line: string) => void

/** Fetches missing engines and starts those that do not run, with their previous ports and data. */
export async function startStandingEngines(tell: Tell): Promise<StandingEngines> {
  mkdirSync(DATA, { recursive: true })
  const before = read()
  tell('Apache Kafka: looking for it; fetching takes half a minute')
  await fetchKafka()
  await fetchKafkaTools()
  tell('MongoDB protocol: looking for it; fetching takes half a minute')
  await fetchMongo()
  const engines: Partial<StandingEngines> = { ...before }
  const starts = {
    kafka: ([first = 0, second = 0]: number[]) =>
      startKafka({ dir: join(DATA, 'kafka'), ports: [first, second] }, { stays: true }),
    mongodb: ([port = 0]: number[]) => startMongo({ dir: join(DATA, 'mongodb'), port }, { stays: true }),
  }
  for (const key of ['kafka', 'mongodb'] as const) {
    const last = before[key]
    if (last && (await runs(last))) continue
    const ports = last?.ports ?? (await freePorts(2))
    const { name, version, url, pid } = await starts[key](ports)
    engines[key] = { name, version, url, pid, ports }
    write(engines)
    tell(`${name} ${version}: ${url}`)
  }
  return engines as StandingEngines
}

/** Returns the engines that run. */
export async function findStandingEngines(): Promise<Partial<StandingEngines>> {
  const found: Partial<StandingEngines> = {}
  for (const [key, engine] of Object.entries(read())) {
    if (await runs(engine)) found[key as keyof StandingEngines] = engine
  }
  return found
}

/** Asks them to end. Resolves when they are gone; their data stays. */
export async function stopStandingEngines(): Promise<void> {
  for (const engine of Object.values(await findStandingEngines())) {
    process.kill(engine.pid, 'SIGTERM')
    for (const until = Date.now() + STOP_MS; await runs(engine); await pause(LOOK_AGAIN_MS)) {
      if (Date.now() > until) process.kill(engine.pid, 'SIGKILL')
    }
  }
}

/** Removes their data. They must not be running. */
export function forgetStandingEngines(): void {
  rmSync(DATA, { recursive: true, force: true })
}

/** True when both the process and the port are there: another program may have got either since. */
async function runs({ pid, ports: [port = 0] }: StandingEngine): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return takesConnections(port)
}

function read(): Partial<StandingEngines> {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Partial<StandingEngines>
  } catch {
    return {}
  }
}

function write(engines: Partial<StandingEngines>): void {
  writeFileSync(`${FILE}.new`, `${JSON.stringify(engines, null, 2)}\n`)
  renameSync(`${FILE}.new`, FILE)
}
