import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import type { ServedService } from '@cofre/platform/grpc/server'
import { createLog } from '@cofre/platform/telemetry/log'
import { createGateway } from '@cofre/testing/stand-ins/gateway'
import { createOrders } from '@cofre/testing/stand-ins/orders'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { cofrectl } from '../src/cofrectl'

/** More than the services answer at once, in the stand-ins too. */
const MANY = 1_101
const CREATED_AT = 1_767_225_600_000

let network: TestNetwork
let dir: string
let env: Record<string, string>
const gateway = createGateway()
const asked: { rpc: string; request: unknown }[] = []
const onCall = (rpc: string, request: unknown) => void asked.push({ rpc, request })
const orders = createOrders()

beforeAll(async () => {
  network = await openTestNetwork()
  const log = createLog('test', 'silent')
  const addressOf = async (name: string, services: ServedService[]) =>
    (await network.serve(name, services)).address
  dir = mkdtempSync(join(tmpdir(), 'cofrectl-lists-'))
  const write = (name: string, text: string) => (writeFileSync(join(dir, name), text), join(dir, name))
  const { ca, cert, key } = await network.tlsFor('cofrectl')
  env = {
    COFRE_GATEWAY_ADDRESS: await addressOf('gateway', gateway.services(log)),
    COFRE_ORDERS_ADDRESS: await addressOf('orders', orders.services(log)),
    COFRE_VAULT_ADDRESS: await addressOf('vault', createVault({ onCall }).services(log)),
    COFRE_TLS_CA_FILE: write('authority.crt', ca),
    COFRE_TLS_CERT_FILE: write('cofrectl.crt', cert),
    COFRE_TLS_KEY_FILE: write('cofrectl.key', key),
  }
  for (let id = 1; id <= MANY; id++) {
    const made = { id, sellerId: 9, networkTokens: true, retryWithCard: false, createdAt: CREATED_AT }
    // The last one entered is the default store.
    orders.establishments.push({
      ...made,
      merchantId: 'm',
      ...(id === MANY ? {} : { affiliateId: id }),
    })
    gateway.tokens.push({ id: `jti-${id}`, sellerId: 9, title: 'ERP', scopes: [], createdAt: CREATED_AT })
  }
})
afterAll(async () => {
  await network.close()
  rmSync(dir, { recursive: true })
})

async function run(line: string, input = '') {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const code = await cofrectl(line.split(' '), {
    input: Readable.from([input]),
    output,
    errors,
    env,
    cwd: '/',
  })
  expect([code, String(errors.read() ?? '')]).toEqual([0, ''])
  return String(output.read() ?? '')
}

test.each(['token', 'establishment'])('%s list shows all of a long list, each once', async (command) => {
  const rows = JSON.parse(await run(`--json ${command} list --seller 9`)) as { id: string | number }[]
  expect(rows).toHaveLength(MANY)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(MANY)
  expect((await run(`${command} list --seller 9`)).trimEnd().split('\n')).toHaveLength(MANY + 1)
})

test('the token service is asked first through the default store, wherever it is in a long list', async () => {
  await run(
    'establishment create --seller 9 --merchant-id m --affiliate 5000 --network-tokens --merchant-key-file -',
    'key',
  )
  expect(asked.at(-1)).toMatchObject({
    rpc: 'putAccount',
    request: { partner: 'token-service', preference: 0 },
  })
})
