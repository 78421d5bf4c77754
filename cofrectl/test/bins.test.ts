import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createLog } from '@cofre/platform/telemetry/log'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { cofrectl } from '../src/cofrectl'

let network: TestNetwork
let dir: string
let env: Record<string, string>
const vault = createVault()

beforeAll(async () => {
  network = await openTestNetwork()
  const { address } = await network.serve('vault', vault.services(createLog('test', 'silent')))
  const { ca, cert, key } = await network.tlsFor('cofrectl')
  dir = mkdtempSync(join(tmpdir(), 'cofrectl-bins-'))
  const write = (name: string, text: string) => (writeFileSync(join(dir, name), text), join(dir, name))
  env = {
    COFRE_VAULT_ADDRESS: address,
    COFRE_TLS_CA_FILE: write('ca.crt', ca),
    COFRE_TLS_CERT_FILE: write('cofrectl.crt', cert),
    COFRE_TLS_KEY_FILE: write('cofrectl.key', key),
  }
})
beforeEach(() => void vault.bins.splice(0))
afterAll(async () => {
  await network.close()
  rmSync(dir, { recursive: true })
})

async function run(args: string[]) {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const code = await cofrectl(args, { input: Readable.from(['']), output, errors, env, cwd: '/' })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, out: text(output), err: text(errors) }
}

test('a prefix is put, listed and removed, in words and as JSON', async () => {
  expect(await run(['bin', 'list'])).toEqual({ code: 0, out: 'none\n', err: '' })
  const put = ['bin', 'put', '650034', '--brand', 'ELO']
  expect(await run(put)).toEqual({ code: 0, out: 'prefix  650034\nbrand   ELO\n', err: '' })
  expect((await run(['bin', 'list'])).out).toBe(
    'PREFIX  BRAND  SINCE\n650034  ELO    2026-01-01T00:00:00.000Z\n',
  )
  expect(JSON.parse((await run(['--json', 'bin', 'list'])).out)).toEqual({
    bins: [{ prefix: '650034', brand: 'ELO', updatedAt: 1_767_225_600_000 }],
  })
  expect(JSON.parse((await run(['--json', ...put])).out)).toEqual({ prefix: '650034', brand: 'ELO' })
  expect(await run(['bin', 'remove', '650034'])).toEqual({ code: 0, out: 'removed  650034\n', err: '' })
  expect(vault.bins).toEqual([])
})

test('a prefix that is not there cannot be removed', async () => {
  expect(await run(['bin', 'remove', '650034'])).toEqual({
    code: 1,
    out: '',
    err: 'cofrectl: NOT_FOUND: There is no such prefix.\n',
  })
})

test.each([
  [['bin', 'put', '6', '--brand', 'ELO'], '2 to 8 digits'],
  [['bin', 'put', '650034001', '--brand', 'ELO'], '2 to 8 digits'],
  [['bin', 'put', '65x', '--brand', 'ELO'], '2 to 8 digits'],
  [['bin', 'put', '650034'], '--brand'],
  [['bin', 'put', '650034', '--brand', 'AURA'], 'ELO'],
  [['bin', 'remove'], 'prefix'],
])('%j is a usage error: exit code 2 with a message about it', async (args, words) => {
  const { code, err } = await run(args)
  expect(code).toBe(2)
  expect(err).toContain(words)
  expect(vault.bins).toEqual([])
})
