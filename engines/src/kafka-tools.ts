import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES_DIR } from './engines-folder'
import { KAFKA_JARS, missingForKafka } from './kafka'
import { fetchJars, findJava, jarsFolder } from './maven'

const POM = join(__dirname, '../kafka-tools/pom.xml')
/** The commands of Apache Kafka that docs/operations.md uses. */
const TOOLS = {
  'kafka-acls.sh': 'org.apache.kafka.tools.AclCommand',
  'kafka-consumer-groups.sh': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
  'kafka-console-consumer.sh': 'org.apache.kafka.tools.consumer.ConsoleConsumer',
}

/** Fetches Kafka's commands for operators when they are absent. */
export async function fetchKafkaTools(): Promise<void> {
  await fetchJars(POM, jarsFolder(POM, ENGINES_DIR))
}

/** Returns the reason why Kafka or its commands can't be run here, or undefined. */
export function missingForKafkaTools(): string | undefined {
  if (missingForKafka() !== undefined || existsSync(jarsFolder(POM, ENGINES_DIR))) return missingForKafka()
  return "Apache Kafka's commands are not fetched (npm run engines)"
}

/** Writes the commands, under Kafka's own names, into a folder for the PATH. */
export function writeKafkaTools(dir: string): void {
  const found = findJava()
  if ('missing' in found) throw new Error(`Kafka's commands need ${found.missing}.`)
  mkdirSync(dir, { recursive: true })
  const classPath = [jarsFolder(POM, ENGINES_DIR), KAFKA_JARS].map((jars) => join(jars, '*')).join(':')
  const flags =
    '-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dorg.slf4j.simpleLogger.defaultLogLevel=warn'
  for (const [name, main] of Object.entries(TOOLS)) {
    const script = `#!/bin/sh\nexec '${found.java}' ${flags} -cp '${classPath}' ${main} "$@"\n`
    writeFileSync(join(dir, name), script, { mode: 0o755 })
  }
}
