import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, credentials, status, type ChannelCredentials, type ServiceError } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { certificateFiles } from '../../local/src/certificates'
import { runFolder } from '../../local/src/run-folder'
import { readState } from '../../local/src/saved-state'
import { calledBy, SERVICE_NAMES } from '@cofre/platform/service/services'
import { createAuthority, type Authority, type Pair } from '@cofre/testing/certificates'
import { discard, startSystem, type System } from '../journeys/system'

const PROTO_DIR = join(__dirname, '../../proto')
// Hundreds of calls run at once, and a refusal counts however late it comes.
const CALL_TIMEOUT_MS = 60_000
const HEALTH = '/grpc.health.v1.Health/Check'

let system: System
let ports: Record<string, number>
let authority: Authority
let ca: Buffer

beforeAll(async () => {
  system = await startSystem()
  const run = runFolder(system.runDir)
  ports = readState(run).ports
  const { certFile, keyFile } = certificateFiles(run, 'authority')
  ca = readFileSync(certFile)
  authority = await createAuthority({ cert: ca.toString(), key: readFileSync(keyFile, 'utf8') })
})
afterAll(async () => {
  await discard(system)
})

/** Every RPC of every service of ours: `/vault.v1.Vault/Forward`. */
function allRpcs(): string[] {
  const files = readdirSync(PROTO_DIR, { recursive: true, encoding: 'utf8' })
  const definitions = loadSync(
    files.filter((file) => file.endsWith('.proto')),
    { includeDirs: [PROTO_DIR] },
  )
  return Object.values(definitions).flatMap((definition) =>
    'format' in definition ? [] : Object.values(definition).map(({ path }) => path),
  )
}

function open(service: string, presented: ChannelCredentials): Client {
  return new Client(`127.0.0.1:${ports[service]}`, presented, { 'grpc.enable_retries': 0 })
}

function withPair({ cert, key }: Pair): ChannelCredentials {
  return credentials.createSsl(ca, Buffer.from(key), Buffer.from(cert))
}

/** The gRPC status of a call with an empty message. */
async function codeOf(client: Client, rpc: string): Promise<status> {
  const asBytes = (bytes: Buffer) => bytes
  return new Promise((resolve) => {
    const done = (error: ServiceError | null) => resolve(error?.code ?? status.OK)
    const deadline = Date.now() + CALL_TIMEOUT_MS
    client.makeUnaryRequest(rpc, asBytes, asBytes, Buffer.alloc(0), { deadline }, done)
  })
}

/** The status of each RPC on one service's port, without the RPCs that the service does not serve. */
async function answersOf(service: string, pair: Pair): Promise<Record<string, status>> {
  const client = open(service, withPair(pair))
  try {
    const codes = await Promise.all(allRpcs().map(async (rpc) => [rpc, await codeOf(client, rpc)] as const))
    return Object.fromEntries(codes.filter(([, code]) => code !== status.UNIMPLEMENTED))
  } finally {
    client.close()
  }
}

const UNCALLING = SERVICE_NAMES.filter((name) => calledBy(name).length === 0)

test.each(['stranger', ...UNCALLING])('no service lets %s call any RPC', async (name) => {
  const pair = await authority.issue(name)
  const served = await Promise.all(SERVICE_NAMES.map((service) => answersOf(service, pair)))
  const codes = served.flatMap((answers) => Object.entries(answers))
  expect(codes.filter(([, code]) => code !== status.PERMISSION_DENIED)).toEqual([])
  expect(new Set(codes.map(([rpc]) => rpc))).toEqual(new Set(allRpcs()))
  expect(allRpcs().length).toBeGreaterThan(20)
})

test('a caller that is listed for some RPCs may call those alone', async () => {
  const answers = await answersOf('vault', await authority.issue('gateway'))
  const opened = Object.entries(answers).flatMap(([rpc, code]) =>
    code === status.PERMISSION_DENIED ? [] : [rpc],
  )
  const ofCards = ['SealCardData', 'StoreCard', 'DescribeCard', 'DeleteCard']
  const named = [...ofCards, 'GetEncryptionKey', 'ListBins']
  const ofVault = named.map((name) => `/vault.v1.Vault/${name}`)
  expect(opened.sort()).toEqual(['/idempotency.v1.Idempotency/FindRequest', ...ofVault].sort())
})

describe.each(SERVICE_NAMES)('%s gives no connection', (service) => {
  const isRefused = async (presented: ChannelCredentials) => {
    const client = open(service, presented)
    expect(await codeOf(client, HEALTH)).toBe(status.UNAVAILABLE)
    client.close()
  }

  test('without a certificate', () => isRefused(credentials.createSsl(ca)))

  test('without TLS', () => isRefused(credentials.createInsecure()))

  test('with an expired certificate', async () =>
    isRefused(withPair(await authority.issue('gateway', { days: -1 }))))

  test('with a certificate of another authority', async () =>
    isRefused(withPair(await (await createAuthority()).issue('gateway'))))

  test('except with a valid certificate, and then reports that it serves', async () => {
    const client = open(service, withPair(await authority.issue('gateway')))
    expect(await codeOf(client, HEALTH)).toBe(status.OK)
    client.close()
  })
})
