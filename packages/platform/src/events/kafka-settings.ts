import { z } from 'zod'
import type { KafkaConfig, SASLOptions } from 'kafkajs'
import { fileSetting, integerSetting, type Settings } from '../service/settings'

/** How a service connects to Kafka, when EVENT_LOG_URL names brokers. All are optional. */
export const kafkaSettings = {
  /** Encrypts. The authority of KAFKA_TLS_CA_FILE (PEM) is trusted in place of the system's. */
  KAFKA_TLS: z.stringbool().default(false),
  KAFKA_TLS_CA_FILE: fileSetting.optional(),
  KAFKA_TLS_CERT_FILE: fileSetting.optional(),
  KAFKA_TLS_KEY_FILE: fileSetting.optional(),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: z.string().min(1).optional(),
  KAFKA_SASL_PASSWORD_FILE: fileSetting.transform((text) => text.replace(/\r?\n$/, '')).optional(),
  /** Partitions of a topic that we make. Add more only while no charge is in flight: order is by key. */
  KAFKA_PARTITIONS: integerSetting(12, 1, 1_000),
  /** Replicas of each event. A write counts once all in-sync replicas have it; with 3, one may be missing. */
  KAFKA_REPLICATION: integerSetting(3, 1, 9),
  /** How long a topic that we make keeps events: the time that a consumer may be away. */
  KAFKA_RETENTION_HOURS: integerSetting(168, 1, 87_600),
} as const

export type KafkaSettings = Settings<typeof kafkaSettings>

/** The parts of a client's configuration that name the brokers and prove who we are. */
export function connectionTo(
  url: string,
  settings: KafkaSettings,
): Pick<KafkaConfig, 'brokers' | 'ssl' | 'sasl'> {
  return {
    brokers: url.replace(/^kafka:\/\//, '').split(','),
    ...(settings.kafkaTls || settings.kafkaTlsCa ? { ssl: tlsOf(settings) } : {}),
    ...(settings.kafkaSaslMechanism ? { sasl: saslOf(settings) } : {}),
  }
}

function tlsOf({ kafkaTlsCa: ca, kafkaTlsCert: cert, kafkaTlsKey: key }: KafkaSettings) {
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error('settings:\n  KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE come together')
  }
  return { ...(ca ? { ca } : {}), ...(cert && key ? { cert, key } : {}) }
}

function saslOf(settings: KafkaSettings): SASLOptions {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = settings
  if (username === undefined || password === undefined) {
    throw new Error(
      'settings:\n  KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD_FILE',
    )
  }
  return { mechanism, username, password } as SASLOptions
}
