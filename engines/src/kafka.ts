import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEngine, type Engine } from './engine'
import { ENGINES_DIR } from './engines-folder'
import { fetchJars, findJava, jarsFolder } from './maven'

const POM = join(__dirname, '../kafka/pom.xml')
const CLUSTER_ID = 'Q29mcmVPbk9uZU1hY2hpbg'
const LOG_LEVEL = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'
// Measured: starts in 2 s and 150 MB, in place of 3 s and 220 MB.
const SMALL = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', LOG_LEVEL]

/** Fetches Apache Kafka when it is not there. */
export async function fetchKafka(): Promise<void> {
  await fetchJars(POM, jarsFolder(POM, ENGINES_DIR))
}

/** Why Kafka can't be started here, or nothing. */
export function missingForKafka(): string | undefined {
  const found = findJava()
  if ('missing' in found) return `${found.missing} is missing`
  if (!existsSync(jarsFolder(POM, ENGINES_DIR))) return 'Apache Kafka is not fetched (npm run engines)'
  return undefined
}

/**
 * Starts one broker that is its own controller, with its data in `dir`, made when absent. `ports`: for clients, and
 * for the controller. Started again with the same folder and ports after `kill`, it has all that it acknowledged.
 */
export async function startKafka(
  options: { dir: string; ports: readonly [number, number] },
  life: { stays?: boolean } = {},
): Promise<Engine> {
  const found = findJava()
  if ('missing' in found) throw new Error(`Kafka needs ${found.missing}.`)
  const { dir, ports } = options
  const [port] = ports
  const jars = jarsFolder(POM, ENGINES_DIR)
  mkdirSync(dir, { recursive: true })
  const settings = join(dir, 'server.properties')
  writeFileSync(settings, serverProperties(ports))
  const classPath = ['-cp', join(jars, '*')]
  if (!existsSync(join(dir, 'data', 'meta.properties'))) {
    format(found.java, [...SMALL, ...classPath], settings, dir)
  }
  return startEngine(
    {
      name: 'Apache Kafka',
      version: versionIn(jars),
      url: `kafka://127.0.0.1:${port}`,
      port,
      command: found.java,
      args: ['-Xms64m', '-Xmx256m', ...SMALL, ...classPath, 'kafka.Kafka', settings],
      dir,
      logFile: join(dir, 'kafka.log'),
    },
    life,
  )
}

function format(java: string, flags: readonly string[], settings: string, dir: string): void {
  const args = ['kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', settings, '--ignore-formatted']
  const { status, stdout, stderr } = spawnSync(java, ['-Xmx128m', ...flags, ...args], {
    cwd: dir,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Kafka could not make its data folder: ${stdout}${stderr}`)
}

function versionIn(jars: string): string {
  const names = readdirSync(jars).map((name) => /^kafka_[\d.]+-(\d[\d.]*)\.jar$/.exec(name)?.[1])
  return names.find((version) => version !== undefined) ?? 'unknown'
}

/** A crash of a broker is noticed after its session: 3 s here in place of 9, so that it is back sooner. */
function serverProperties([port, controllerPort]: readonly [number, number]): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=./data
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=1000
num.network.threads=2
num.io.threads=4
log.cleaner.dedupe.buffer.size=4194304
`
}
