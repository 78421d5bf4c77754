import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createLog } from '@cofre/platform/telemetry/log'
import { createGateway } from '@cofre/testing/stand-ins/gateway'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { cofrectl } from '../src/cofrectl'

let network: TestNetwork
let dir: string
let env: Record<string, string>

beforeAll(async () => {
  network = await openTestNetwork()
  const { address } = await network.serve('gateway', createGateway().services(createLog('test', 'silent')))
  dir = mkdtempSync(join(tmpdir(), 'cofrectl-users-'))
  const { ca, cert, key } = await network.tlsFor('cofrectl')
  const write = (name: string, text: string) => (writeFileSync(join(dir, name), text), join(dir, name))
  env = {
    COFRE_GATEWAY_ADDRESS: address,
    COFRE_TLS_CA_FILE: write('authority.crt', ca),
    COFRE_TLS_CERT_FILE: write('cofrectl.crt', cert),
    COFRE_TLS_KEY_FILE: write('cofrectl.key', key),
  }
})
afterAll(async () => {
  await network.close()
  rmSync(dir, { recursive: true })
})

async function run(args: string[], { input = '' }: { input?: string } = {}) {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const code = await cofrectl(args, { input: Readable.from([input]), output, errors, env, cwd: '/' })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, out: text(output), err: text(errors) }
}

test('portal users are listed, of all sellers or of one', async () => {
  const make = (seller: string, email: string) =>
    run(['user', 'create', '--seller', seller, '--email', email], { input: 'correct horse battery' })
  await make('8', 'bia@example.com')
  await make('9', 'ana@example.com')
  const { code, out } = await run(['user', 'list', '--seller', '8'])
  expect([code, out]).toEqual([
    0,
    'ID  SELLER  EMAIL            ROLE   STATUS  CREATED\n1   8       bia@example.com  OWNER  ACTIVE  2026-01-01T00:00:00.000Z\n',
  ])
  const { out: json } = await run(['user', 'list', '--json'])
  expect(JSON.parse(json).users).toHaveLength(2)
})

test('a portal user gets a role and a password link, is disabled, and is removed', async () => {
  const input = { input: 'correct horse battery' }
  const made = await run(
    ['--json', 'user', 'create', '--seller', '7', '--email', 'clerk@example.com', '--role', 'SUPPORT'],
    input,
  )
  const { id, role } = JSON.parse(made.out) as { id: number; role: string }
  expect(role).toBe('SUPPORT')
  const set = (...options: string[]) => run(['--json', 'user', 'set', String(id), ...options])
  expect(JSON.parse((await set('--role', 'BOOKKEEPER')).out)).toMatchObject({ role: 'BOOKKEEPER' })
  expect(JSON.parse((await set('--disable')).out)).toMatchObject({ status: 'DISABLED' })
  expect((await set('--reset-two-step')).code).toBe(0)
  expect([(await set()).code, (await set('--disable', '--enable')).code]).toEqual([2, 2])
  expect((await run(['user', 'password-link', String(id)])).out).toMatch(/^https:.*\/portal\/join\//)
  expect((await run(['user', 'remove', String(id)])).code).toBe(0)
  await expect(run(['user', 'remove', String(id)])).resolves.toMatchObject({
    code: 1,
    err: expect.stringContaining('no such'),
  })
})
