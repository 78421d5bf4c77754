import {
  addressSettingOf,
  calledBy,
  databaseOf,
  hasEvents,
  SERVICE_NAMES,
  services,
  type ServiceName,
} from '@cofre/platform/service/services'
import { settingsOf, type Place } from '@cofre/local/service-settings'
import { voucherBrands } from '@cofre/local/voucher-brands'
import { stringify } from 'yaml'
import { prometheus } from './monitoring'

/** The address at which the sandbox plays each partner. */
export const PARTNER_URLS = {
  acquirer: 'https://sandbox:9443',
  'acquirer-queries': 'https://sandbox:9444',
  'token-service': 'https://sandbox:9445',
  alelo: 'https://sandbox:9446/alelo',
  vr: 'https://sandbox:9446/vr',
  ticket: 'https://sandbox:9446/ticket',
  'ticket-merchant': 'https://sandbox:9446/ticket',
  'ticket-identity': 'https://sandbox:9446/identity',
  bank: 'https://sandbox:9447',
  'three-d-secure': 'https://sandbox:9448',
  'acquirer-disputes': 'https://sandbox:9449/chargeback/v1',
  pix: 'https://sandbox:9450',
}
export const AUTHORITY_FILE = '/secrets/ca.crt'

const PROGRAMS = [...SERVICE_NAMES, 'cofrectl', 'sandbox']
const ADMINISTERED = SERVICE_NAMES.filter((name) => services[name].administered)
const PASSWORD = '${DATABASE_PASSWORD:-cofre}'
const VERSION = '${COFRE_VERSION:-0.1.0}'

const certificate = (prefix: string) => ({
  [`${prefix}TLS_CA_FILE`]: AUTHORITY_FILE,
  [`${prefix}TLS_CERT_FILE`]: '/secrets/tls.crt',
  [`${prefix}TLS_KEY_FILE`]: '/secrets/tls.key',
})

const SANDBOX_FOR_BROWSERS = 'http://localhost:${SANDBOX_PORT:-8090}'

const place: Place = {
  common: () => ({
    GRPC_PORT: '50051',
    ...certificate(''),
    MIGRATE_ON_START: 'true',
    METRICS_PORT: '9464',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_TRACES_SAMPLER_ARG: '${TRACES:-1}',
  }),
  addressOf: (service) => `${service}:50051`,
  databaseUrl: (database) => `postgres://${database}:${PASSWORD}@postgres:5432/${database}`,
  eventLog: { EVENT_LOG_URL: 'kafka://kafka:9092', KAFKA_REPLICATION: '1', KAFKA_PARTITIONS: '6' },
  history: (service) => ({ MONGODB_URL: `mongodb://mongodb:27017/${service}?replicaSet=cofre` }),
  keyFile: (_service, entry) => `/secrets/${entry}`,
  http: { HTTP_PORT: '8080', SANDBOX_URL: SANDBOX_FOR_BROWSERS },
  baseUrl: '${BASE_URL:-http://localhost:8080}',
  // The sandbox's inbox, and any receiver that runs beside it.
  outboundAllowed: 'sandbox,172.16.0.0/12,192.168.0.0/16',
  authorityFile: AUTHORITY_FILE,
  partnersFile: '/etc/cofre/partners.json',
  smtpUrl: 'smtp://sandbox:9025',
  // The sandbox's identity provider asks cardholders there.
  voucherBrands: voucherBrands(SANDBOX_FOR_BROWSERS),
}

const HARDENED = {
  restart: 'unless-stopped',
  read_only: true,
  tmpfs: ['/tmp'],
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  stop_grace_period: '35s',
}

/** Returns the file that docker-compose.yml includes: services, their secrets, cofrectl, files that name services. */
export function composeServices(): object {
  const containers = SERVICE_NAMES.map((name) => [name, containerOf(name)] as const)
  return {
    services: { secrets: secretsMaker(), ...Object.fromEntries(containers), cofrectl: cofrectl() },
    volumes: Object.fromEntries(['authority', ...PROGRAMS.map(secretsOf)].map((volume) => [volume, {}])),
    configs: { databases: config(databasesSql()), prometheus: config(stringify(prometheus())) },
  }
}

/** Returns a file of a container, with its dollar signs escaped, because Compose would replace variables in it. */
function config(text: string): object {
  return { content: text.replaceAll('$', '$$$$') }
}

function containerOf(name: ServiceName): object {
  const row = services[name]
  return {
    ...HARDENED,
    image: `cofre/${name}:${VERSION}`,
    build: { context: '.', args: { SERVICE: name } },
    environment: settingsOf(name, place),
    ...(row.http ? { ports: ['127.0.0.1:${PORT:-8080}:8080'] } : {}),
    volumes: [
      `${secretsOf(name)}:/secrets:ro`,
      ...(row.partners ? ['./deploy/compose/partners.json:/etc/cofre/partners.json:ro'] : []),
    ],
    depends_on: dependenciesOf(name),
  }
}

/** Returns the containers that must be ready before a service starts. */
function dependenciesOf(name: ServiceName): object {
  const row = services[name]
  const healthy = [
    'postgres',
    ...(hasEvents(row) ? ['kafka'] : []),
    ...(row.history ? ['mongodb'] : []),
    ...(row.partners || row.mails ? ['sandbox'] : []),
    ...calledBy(name),
  ]
  return {
    secrets: { condition: 'service_completed_successfully' },
    ...Object.fromEntries(healthy.map((each) => [each, { condition: 'service_healthy' }])),
    collector: { condition: 'service_started' },
  }
}

/** A container that makes the missing certificates and keys, each program's in its own volume, and then ends. */
function secretsMaker(): object {
  const folder = '/app/deploy/compose'
  return {
    image: `cofre/gateway:${VERSION}`,
    build: { context: '.', args: { SERVICE: 'gateway' } },
    user: '0:0',
    network_mode: 'none',
    entrypoint: ['node', `${folder}/make-secrets.js`, '/secrets'],
    healthcheck: { disable: true },
    volumes: [
      `./deploy/compose/make-secrets.js:${folder}/make-secrets.js:ro`,
      'authority:/secrets/authority',
      ...PROGRAMS.map((name) => `${secretsOf(name)}:/secrets/${name}`),
    ],
  }
}

/** The container for `docker compose run --rm cofrectl seller list`. */
function cofrectl(): object {
  const addresses = ADMINISTERED.map((name) => [`COFRE_${addressSettingOf(name)}`, place.addressOf(name)])
  return {
    ...HARDENED,
    restart: 'no',
    profiles: ['tools'],
    image: `cofre/gateway:${VERSION}`,
    entrypoint: ['cofrectl'],
    environment: { ...Object.fromEntries(addresses), ...certificate('COFRE_') },
    healthcheck: { disable: true },
    volumes: [`${secretsOf('cofrectl')}:/secrets:ro`],
  }
}

function secretsOf(name: string): string {
  return `${name}-secrets`
}

/** PostgreSQL's image runs this SQL at its very first start. */
function databasesSql(): string {
  const statements = SERVICE_NAMES.map(databaseOf).map(
    (name) => `CREATE ROLE ${name} LOGIN PASSWORD :'password';
CREATE DATABASE ${name} OWNER ${name};
REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC;
`,
  )
  return `\\set ON_ERROR_STOP 1\n\\getenv password DATABASE_PASSWORD\n${statements.join('')}`
}
