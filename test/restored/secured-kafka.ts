import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KafkaConfig } from 'kafkajs'
import { clientProperties, startKafka } from '../../engines/src/kafka'
import { writeKafkaTools } from '../../engines/src/kafka-tools'
import { freePorts } from '../../engines/src/ports'
import type { Desk } from './page'

const ADMIN = { name: 'admin', password: 'the-password-of-admin' }
const COFRE = { name: 'cofre', password: 'the-password-of-cofre' }

/** A broker with an authorizer. The user of the services may do nothing until the page's commands have run. */
export type SecuredKafka = {
  /** The settings of a service, as the user of the services. */
  settings: { EVENT_LOG_URL: string } & Record<string, string>
  asAdmin: KafkaConfig
  desk: Desk
  stop(): Promise<void>
}

export async function startSecuredKafka(dir: string): Promise<SecuredKafka> {
  const [client = 0, controller = 0] = await freePorts(2)
  const users = [ADMIN, COFRE]
  const engine = await startKafka({ dir: join(dir, 'kafka'), ports: [client, controller], users })
  const tools = join(dir, 'tools')
  writeKafkaTools(tools)
  writeFileSync(join(dir, 'admin.properties'), clientProperties(ADMIN))
  const passwordFile = join(dir, 'kafka-password')
  writeFileSync(passwordFile, COFRE.password)
  const broker = `127.0.0.1:${client}`
  const sasl = { mechanism: 'scram-sha-512' as const, username: ADMIN.name, password: ADMIN.password }
  return {
    settings: {
      EVENT_LOG_URL: engine.url,
      KAFKA_PARTITIONS: '3',
      KAFKA_REPLICATION: '1',
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: COFRE.name,
      KAFKA_SASL_PASSWORD_FILE: passwordFile,
    },
    asAdmin: { brokers: [broker], sasl },
    desk: { dir, tools, broker, variables: {} },
    stop: engine.stop,
  }
}
