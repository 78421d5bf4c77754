import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createLog } from '@cofre/platform/telemetry/log'
import { Charge, ChargeStatus, TransactionType } from '@cofre/proto/orders/v1/orders'
import { createGateway } from '@cofre/testing/stand-ins/gateway'
import { createOrders } from '@cofre/testing/stand-ins/orders'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork, type TestNetwork, type TestServer } from '@cofre/testing/test-network'
import { cofrectl } from '../src/cofrectl'

let network: TestNetwork
let servers: Record<'gateway' | 'orders' | 'vault', TestServer>
/** The requests that the services received. */
const asked: { rpc: string; request: unknown }[] = []
let dir: string
let env: Record<string, string>

const ESTABLISHMENT = { merchantId: 'm', networkTokens: true, retryWithCard: false }

beforeAll(async () => {
  network = await openTestNetwork()
  const onCall = (rpc: string, request: unknown) => void asked.push({ rpc, request })
  const log = createLog('test', 'silent')
  const orders = createOrders({ onCall })
  const charge = { id: 981, sellerId: 9, status: ChargeStatus.AUTHORIZED, amount: 10_000 }
  orders.charges.set(981, Charge.fromPartial(charge))
  orders.pending.push({
    sellerId: 9,
    chargeId: 981,
    transactionId: 2,
    type: TransactionType.CAPTURE,
    amount: 6_000,
    orderNumber: 'A1',
    acquirerPaymentId: 'p-1',
    createdAt: 1_767_225_600_000,
  })
  orders.establishments.push({ ...ESTABLISHMENT, id: 4, sellerId: 9, createdAt: 1_767_225_600_000 })
  servers = {
    gateway: await network.serve('gateway', createGateway({ onCall }).services(log)),
    orders: await network.serve('orders', orders.services(log)),
    vault: await network.serve('vault', createVault({ onCall }).services(log)),
  }
  dir = mkdtempSync(join(tmpdir(), 'cofrectl-'))
  const certs = join(dir, '.run/certs')
  mkdirSync(certs, { recursive: true })
  const write = (name: string, text: string) => (writeFileSync(join(certs, name), text), join(certs, name))
  const { ca, cert, key } = await network.tlsFor('cofrectl')
  const stranger = await network.tlsFor('notifier')
  env = {
    COFRE_GATEWAY_ADDRESS: servers.gateway.address,
    COFRE_ORDERS_ADDRESS: servers.orders.address,
    COFRE_VAULT_ADDRESS: servers.vault.address,
    COFRE_TLS_CA_FILE: write('authority.crt', ca),
    COFRE_TLS_CERT_FILE: write('cofrectl.crt', cert),
    COFRE_TLS_KEY_FILE: write('cofrectl.key', key),
  }
  write('stranger.crt', stranger.cert)
  write('stranger.key', stranger.key)
})
beforeEach(() => asked.splice(0))
afterAll(async () => {
  await network.close()
  rmSync(dir, { recursive: true })
})

async function run(
  args: string[],
  given: { input?: string; env?: Record<string, string>; cwd?: string } = {},
) {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const input = Readable.from([given.input ?? ''])
  const code = await cofrectl(args, { input, output, errors, env: given.env ?? env, cwd: given.cwd ?? '/' })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, out: text(output), err: text(errors) }
}

test('a seller is created and listed', async () => {
  expect(await run(['seller', 'create', '--name', 'Loja Azul'])).toEqual({
    code: 0,
    out: 'id        1\nname      Loja Azul\nhandling  strict\ncreated   2026-01-01T00:00:00.000Z\n',
    err: '',
  })
  const { out } = await run(['seller', 'list'])
  expect(out).toBe('ID  NAME       HANDLING  CREATED\n1   Loja Azul  strict    2026-01-01T00:00:00.000Z\n')
  const { out: json } = await run(['--json', 'seller', 'list'])
  expect(JSON.parse(json)).toEqual([
    { id: 1, name: 'Loja Azul', createdAt: 1_767_225_600_000, lenient: false },
  ])
})

test('a seller with an old integration is set to lenient handling and back', async () => {
  await run(['seller', 'create', '--name', 'Loja Verde'])
  const set = (handling: string) => run(['--json', 'seller', 'set', '--seller', '1', '--handling', handling])
  expect(JSON.parse((await set('lenient')).out)).toMatchObject({ id: 1, lenient: true })
  expect(JSON.parse((await set('strict')).out)).toMatchObject({ id: 1, lenient: false })
  expect((await set('loose')).code).toBe(2)
  expect((await run(['seller', 'set', '--seller', '1'])).code).toBe(2)
  const unknown = await run(['seller', 'set', '--seller', '77', '--handling', 'strict'])
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('no such') })
})

test('a token is created with its scopes and expiry, shown once, and revoked', async () => {
  const scopes = ['--scope', 'cards:write', '--scope', 'orders:read']
  const created = await run([
    'token',
    'create',
    '--seller',
    '9',
    '--title',
    'shop',
    '--expires-on',
    '2030-01-31',
    ...scopes,
  ])
  expect(created.code).toBe(0)
  expect(created.out).toMatch(/\ney\.J\.W\.T\n$/)
  expect(asked[0]?.request).toMatchObject({
    sellerId: 9,
    title: 'shop',
    expiresOn: '2030-01-31',
    scopes: ['cards:write', 'orders:read'],
  })
  expect((await run(['token', 'list', '--seller', '9'])).out).not.toContain('ey.J.W.T')
  const revoked = await run(['token', 'revoke', 'jti-1', '--json'])
  expect(JSON.parse(revoked.out)).toMatchObject({ id: 'jti-1', revokedAt: 1_767_312_000_000 })
})

test('a token for everything needs one explicit choice; without scopes, the refusal lists them', async () => {
  const create = ['token', 'create', '--seller', '9', '--title', 'shop']
  const none = await run(create)
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('--all-scopes')])
  expect(none.err).toContain('\n  cards:read cards:write\n')
  expect((await run([...create, '--all-scopes', '--scope', 'cards:read'])).code).toBe(2)
  expect(asked).toEqual([])
  await run([...create, '--all-scopes'])
  expect(asked[0]?.request).toMatchObject({ scopes: [], allScopes: true, expiresOn: undefined })
})

test('secrets come from a file or from standard input', async () => {
  const keyFile = join(dir, 'key.txt')
  writeFileSync(keyFile, `${'K'.repeat(40)}\n`)
  const account = ['--seller', '9', '--merchant-id', 'm', '--affiliate', '3', '--network-tokens']
  expect((await run(['establishment', 'create', ...account, '--merchant-key-file', keyFile])).code).toBe(0)
  expect(asked.map(({ rpc }) => rpc)).toEqual([
    'putAccount',
    'createEstablishment',
    'listEstablishments',
    'putAccount',
  ])
  const credentials = { merchantId: 'm', merchantKey: 'K'.repeat(40) }
  const [acquirer, established, , tokens] = asked.map(({ request }) => request)
  expect(acquirer).toMatchObject({ sellerId: 9, partner: 'acquirer', name: 'm', credentials })
  expect(established).toMatchObject({ affiliateId: 3, networkTokens: true, acquirer: 'cielo' })
  expect(JSON.stringify(established)).not.toContain('KKK')
  expect(tokens).toMatchObject({ partner: 'token-service', name: 'm', credentials, preference: 0 })
  const elsewhere = ['--seller', '9', '--merchant-id', 'n', '--acquirer', 'other']
  await run(['establishment', 'create', ...elsewhere, '--merchant-key-file', keyFile])
  // Another acquirer's key is no business of Cielo, nor of the token service.
  expect(asked.slice(4)).toMatchObject([
    { rpc: 'putAccount', request: { partner: 'other', name: 'n' } },
    { rpc: 'createEstablishment', request: { acquirer: 'other', merchantId: 'n' } },
  ])
  const user = ['user', 'create', '--seller', '9', '--email', 'ana@example.com']
  expect((await run(user, { input: 'correct horse battery\n' })).code).toBe(0)
  expect(asked.at(-1)?.request).toMatchObject({ password: 'correct horse battery' })
  expect((await run(['establishment', 'list', '--seller', '9'])).out).toContain('default')
})

test('a transaction is closed by hand, with its outcome and a reason', async () => {
  const which = ['transaction', 'resolve', '--seller', '9', '--charge', '981', '--transaction', '2']
  const done = await run([...which, '--as', 'failed', '--reason', 'ticket 4711', '--by', 'ana'])
  expect([done.code, done.out]).toEqual([0, expect.stringMatching(/^status +AUTHORIZED$/m)])
  expect(asked[0]?.request).toMatchObject({
    chargeId: 981,
    transactionId: 2,
    status: 'TRANSACTION_STATUS_FAILED',
    reason: 'ticket 4711',
    resolvedBy: 'ana',
    acquirerPaymentId: '',
  })
  const paymentId = '0f6c2f5e-5d0a-4c36-9a52-6c1b3b6f7a10'
  const named = ['--as', 'succeeded', '--acquirer-payment', paymentId, '--reason', 'x']
  expect((await run([...which, ...named], { env: { ...env, USER: 'bruno' } })).code).toBe(0)
  expect(asked.at(-1)?.request).toMatchObject({ acquirerPaymentId: paymentId, resolvedBy: 'bruno' })
  expect((await run([...which, '--as', 'perhaps', '--reason', 'x'])).code).toBe(2)
  expect((await run([...which, '--as', 'failed'])).code).toBe(2)
})

test('long-pending transactions are listed, of all sellers or of one', async () => {
  const { code, out } = await run(['transaction', 'list', '--pending'])
  expect([code, out]).toEqual([
    0,
    'SELLER  CHARGE  TRANSACTION  TYPE     AMOUNT  ORDER NUMBER  ACQUIRER PAYMENT  SINCE\n' +
      '9       981     2            CAPTURE  6000    A1            p-1               2026-01-01T00:00:00.000Z\n',
  ])
  await run(['transaction', 'list', '--pending', '--seller', '9'])
  expect(asked.map(({ request }) => request)).toEqual([{}, { sellerId: 9 }])
  expect((await run(['transaction', 'list'])).code).toBe(2)
})

test('keys are rotated in the vault and in the gateway', async () => {
  const data = await run(['keys', 'rotate-data'])
  expect(data.out).toBe(
    'data key            7\ncards encrypted     12\naccounts encrypted  3\nkeys destroyed      1\n',
  )
  expect((await run(['keys', 'rotate-kek'])).out).toContain('k2')
  expect((await run(['keys', 'rotate-signing'])).out).toContain('kid-2')
  expect((await run(['keys', 'rotate-encryption'])).out).toBe('encryption key  pair-2\nkeys destroyed  1\n')
  expect(asked.map(({ rpc }) => rpc)).toEqual([
    'rotateDataKey',
    'rotateKeyEncryptionKey',
    'rotateSigningKey',
    'rotateEncryptionKey',
  ])
})

test('a signing key is revoked with a reason, in words and as JSON', async () => {
  const revoke = ['keys', 'revoke-signing', 'kid-1', '--reason', 'leaked', '--by', 'ana']
  expect((await run(revoke)).out).toMatch(/^revoked key +kid-1\ntokens revoked +\d+\nsigning key +kid-2\n$/)
  expect(JSON.parse((await run(['--json', ...revoke])).out)).toMatchObject({
    kid: 'kid-1',
    currentKid: 'kid-2',
  })
  expect(asked[0]).toEqual({
    rpc: 'revokeSigningKey',
    request: { kid: 'kid-1', reason: 'leaked', revokedBy: 'ana' },
  })
  expect(await run(['keys', 'revoke-signing', 'kid-9', '--reason', 'leaked'])).toMatchObject({
    code: 1,
    err: 'cofrectl: NOT_FOUND: There is no such signing key.\n',
  })
  expect(await run(['keys', 'revoke-signing', 'kid-1'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--reason'),
  })
})

test('a refusal shows its reason and its faults and exits with 1', async () => {
  expect(await run(['token', 'revoke', 'other'])).toEqual({
    code: 1,
    out: '',
    err: 'cofrectl: NOT_FOUND: There is no such token.\n',
  })
  const short = await run(['user', 'create', '--seller', '9', '--email', 'a@b.co'], { input: 'short' })
  expect(short).toMatchObject({ code: 1, err: expect.stringContaining('must have 12 to 200') })
  expect(short.err).not.toContain('short\n')
  expect(short.err.match(/must have 12 to 200/g)).toHaveLength(1)
})

test('a service that does not answer or refuses the certificate is named, with exit code 1', async () => {
  const away = await run(['seller', 'list'], { env: { ...env, COFRE_GATEWAY_ADDRESS: '127.0.0.1:1' } })
  expect(away).toMatchObject({ code: 1, err: expect.stringContaining('gateway at 127.0.0.1:1') })
  const files = { COFRE_TLS_CERT_FILE: 'stranger.crt', COFRE_TLS_KEY_FILE: 'stranger.key' }
  const paths = Object.entries(files).map(([setting, name]) => [setting, join(dir, '.run/certs', name)])
  const stranger = await run(['seller', 'list'], { env: { ...env, ...Object.fromEntries(paths) } })
  expect(stranger).toMatchObject({ code: 1, err: expect.stringContaining('not allowed to call') })
})

test.each([
  [['seller', 'create'], '--name'],
  [['seller', 'nothing'], 'unknown command'],
  [['token', 'create', '--seller', 'nine', '--title', 't'], 'whole number'],
  [['token', 'create', '--seller', '9', '--title', 't', '--expires-on', '2030-02-30'], 'YYYY-MM-DD'],
  [['token', 'create', '--seller', '9', '--title', 't', '--scope', 'cards'], 'cards:read'],
  [
    ['establishment', 'create', '--seller', '9', '--merchant-id', 'm', '--merchant-key-file', '/none'],
    '/none',
  ],
  [['user', 'create', '--seller', '9', '--email', 'a@b.co'], 'empty'],
])('%j is a usage error: exit code 2 with a message about it', async (args, words) => {
  const { code, err } = await run(args)
  expect(code).toBe(2)
  expect(err).toContain(words)
  expect(asked).toEqual([])
})

test("without settings, the folder's system is used; without one, the error names the missing setting", async () => {
  const ports = Object.entries(servers).map(([name, { port }]) => [name, port])
  writeFileSync(join(dir, '.run/state.json'), JSON.stringify({ ports: Object.fromEntries(ports) }))
  expect((await run(['keys', 'rotate-signing'], { env: {}, cwd: dir })).code).toBe(0)
  const elsewhere = await run(['keys', 'rotate-signing'], { env: {}, cwd: tmpdir() })
  expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('COFRE_TLS_CA_FILE is missing') })
})
