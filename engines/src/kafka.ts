import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEngine, type Engine } from './engine'
import { ENGINES_DIR } from './engines-folder'
import { fetchJars, findJava, jarsFolder } from './maven'

const POM = join(__dirname, '../kafka/pom.xml')
export const KAFKA_JARS = jarsFolder(POM, ENGINES_DIR)
const CLUSTER_ID = 'Q29mcmVPbk9uZU1hY2hpbg'
const LOG_LEVEL = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'
// Measured: starts in 2 s and 150 MB, in place of 3 s and 220 MB.
const SMALL = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', LOG_LEVEL]

/** Fetches Apache Kafka when it is absent. */
export async function fetchKafka(): Promise<void> {
  await fetchJars(POM, KAFKA_JARS)
}

/** Returns the reason why Kafka can't be started here, or undefined. */
export function missingForKafka(): string | undefined {
  const found = findJava()
  if ('missing' in found) return `${found.missing} is missing`
  if (!existsSync(KAFKA_JARS)) return 'Apache Kafka is not fetched (npm run engines)'
  return undefined
}

export type KafkaUser = { name: string; password: string }
export type KafkaOptions = {
  dir: string
  /** The ports for clients and for the controller. */
  ports: readonly [number, number]
  /** Clients authenticate by SCRAM-SHA-512. The first user may do everything, the others need grants. */
  users?: readonly KafkaUser[]
}

/**
 * Starts one broker that is its own controller, with its data in `dir`, which it makes when absent. Restarted with the
 * same folder and ports after `kill`, it has everything that it acknowledged.
 */
export async function startKafka(options: KafkaOptions, life: { stays?: boolean } = {}): Promise<Engine> {
  const found = findJava()
  if ('missing' in found) throw new Error(`Kafka needs ${found.missing}.`)
  const { dir, ports, users = [] } = options
  const [port] = ports
  const [admin] = users
  mkdirSync(dir, { recursive: true })
  const settings = join(dir, 'server.properties')
  writeFileSync(settings, serverProperties(ports, admin))
  const classPath = ['-cp', join(KAFKA_JARS, '*')]
  if (!existsSync(join(dir, 'data', 'meta.properties'))) {
    format(found.java, [...SMALL, ...classPath], settings, dir, users)
  }
  return startEngine(
    {
      name: 'Apache Kafka',
      version: versionIn(KAFKA_JARS),
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

function format(
  java: string,
  flags: readonly string[],
  settings: string,
  dir: string,
  users: readonly KafkaUser[],
): void {
  const storage = [
    'kafka.tools.StorageTool',
    'format',
    '-t',
    CLUSTER_ID,
    '-c',
    settings,
    '--ignore-formatted',
  ]
  const args = [
    ...storage,
    ...users.flatMap(({ name, password }) => [
      '--add-scram',
      `SCRAM-SHA-512=[name=${name},password=${password}]`,
    ]),
  ]
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

/** Returns Kafka's settings. A broker's crash is noticed when its session ends: after 3 s, not 9, to be back sooner. */
function serverProperties(
  [port, controllerPort]: readonly [number, number],
  admin: KafkaUser | undefined,
): string {
  const listener = admin ? 'SASL_PLAINTEXT' : 'PLAINTEXT'
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=${listener}://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=${listener}://127.0.0.1:${port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=${listener}
listener.security.protocol.map=${listener}:${listener},CONTROLLER:PLAINTEXT
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
${admin ? authorizer(admin) : ''}`
}

/** Returns the settings for access. The controller's listener is for the broker alone, which is anonymous there. */
function authorizer(admin: KafkaUser): string {
  return `authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:${admin.name};User:ANONYMOUS
sasl.enabled.mechanisms=SCRAM-SHA-512
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config=${scramLogin(admin)}
`
}

/** Returns a settings file with which Kafka's own commands authenticate. */
export function clientProperties(user: KafkaUser): string {
  return `security.protocol=SASL_PLAINTEXT
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=${scramLogin(user)}
`
}

function scramLogin({ name, password }: KafkaUser): string {
  const login = 'org.apache.kafka.common.security.scram.ScramLoginModule'
  return `${login} required username="${name}" password="${password}";`
}
