import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config'

const dir = mkdtempSync(join(tmpdir(), 'vault-config-'))
afterAll(() => rmSync(dir, { recursive: true }))

function file(text: string): string {
  const path = join(dir, randomUUID())
  writeFileSync(path, text)
  return path
}

const KEY = `a:${Buffer.alloc(32).toString('base64')}`
const PARTNER = {
  url: 'https://api.example',
  callers: ['orders'],
  routes: ['POST /1/sales'],
  fields: { cvv: ['/Card/Cvv'] },
}
const partners = (change: object) => ({
  PARTNERS_FILE: file(JSON.stringify({ acquirer: { ...PARTNER, ...change } })),
})
const SETTINGS = {
  TLS_CA_FILE: file('ca'),
  TLS_CERT_FILE: file('cert'),
  TLS_KEY_FILE: file('key'),
  DATABASE_URL: 'postgres://localhost/vault',
  KEY_ENCRYPTION_KEYS: KEY,
  ...partners({}),
}

const idOf = async ({ keyEncryption }: ReturnType<typeof readConfig>) =>
  (await keyEncryption.wrap(Buffer.alloc(32), '')).kekId

test('settings are read; the keys from a file win over those of the environment', async () => {
  const config = readConfig({ ...SETTINGS, KEY_ENCRYPTION_KEYS_FILE: file(`\nb:${KEY.slice(2)}\n${KEY}\n`) })

  expect(config).toMatchObject({ migrateOnStart: false, grpcPort: 50051 })
  expect(await idOf(config)).toBe('b')
  expect(config.partners.acquirer).toMatchObject({
    ...PARTNER,
    headers: ['requestid'],
    answerHeaders: expect.arrayContaining(['content-type']),
    identifiers: [],
    bodyCredentials: {},
    bearer: false,
    encoding: 'json',
  })
  expect(await idOf(readConfig(SETTINGS))).toBe('a')
})

test.each([
  [
    'no key at all',
    { KEY_ENCRYPTION_KEYS: undefined },
    'KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_FILE is missing',
  ],
  ['an empty list of keys', { KEY_ENCRYPTION_KEYS: '\n' }, 'KEY_ENCRYPTION_KEYS is invalid'],
  ['a key of another size', { KEY_ENCRYPTION_KEYS: 'a:AAAA' }, 'KEY_ENCRYPTION_KEYS is invalid'],
  ['a line that is no key', { KEY_ENCRYPTION_KEYS: 'hunter2' }, 'KEY_ENCRYPTION_KEYS is invalid'],
  [
    'two keys of one id',
    { KEY_ENCRYPTION_KEYS: `${KEY}\n${KEY}` },
    'KEY_ENCRYPTION_KEYS is invalid: two key-encryption keys have one id',
  ],
  [
    'a file of keys that is not there',
    { KEY_ENCRYPTION_KEYS_FILE: '/nowhere' },
    'KEY_ENCRYPTION_KEYS_FILE is invalid: the file cannot be read',
  ],
  ['partners that are not JSON', { PARTNERS_FILE: file('x') }, 'PARTNERS_FILE is invalid: is not JSON'],
  ['a partner without encryption', partners({ url: 'http://api.example' }), 'PARTNERS_FILE is invalid'],
  ['a partner that nobody may call', partners({ callers: [] }), 'PARTNERS_FILE is invalid'],
  ['a header that no HTTP has', partners({ credentials: { 'a b': 'key' } }), 'PARTNERS_FILE is invalid'],
  ['an unknown field', partners({ fields: { pin: ['/Pin'] } }), 'PARTNERS_FILE is invalid'],
  ['a credential at no place', partners({ bodyCredentials: { secret: 'key' } }), 'PARTNERS_FILE is invalid'],
  ['an unknown encoding', partners({ encoding: 'xml' }), 'PARTNERS_FILE is invalid'],
  ['half a grant', partners({ grants: { accessToken: '/access_token' } }), 'PARTNERS_FILE is invalid'],
  [
    'a query parameter without a value',
    partners({ routes: ['GET /a?b={id}&c='] }),
    'PARTNERS_FILE is invalid',
  ],
  ['a misspelled setting', partners({ feilds: {} }), 'PARTNERS_FILE is invalid'],
])('%s is refused at the start, without showing a value', (_, change, message) => {
  expect(() => readConfig({ ...SETTINGS, ...change })).toThrow(message)
  expect(() => readConfig({ ...SETTINGS, ...change })).not.toThrow(/hunter2|AAAA/)
})
