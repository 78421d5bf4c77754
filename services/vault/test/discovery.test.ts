import { eventually } from '@cofre/testing/testing'
import { Outcome } from '@cofre/proto/vault/v1/vault'
import { openPartner } from '@cofre/platform/outbound/partner-call'
import { openDiscovery } from '../src/partners/discovery'
import { startWorld, type Vault, type World } from './support/vault'
import { jsonBytes, putClient, voucherCalls, type VoucherCalls } from './support/vouchers'

const DOCUMENT = '/realms/shop/.well-known/openid-configuration'
const ISSUER = 'https://sso.example.com/realms/shop'
const DEX = { issuer: ISSUER, token_endpoint: `${ISSUER}/token`, jwks_uri: `${ISSUER}/keys` }
const HYDRA = {
  issuer: ISSUER,
  token_endpoint: `${ISSUER}/oauth2/token`,
  jwks_uri: `${ISSUER}/.well-known/jwks.json`,
  revocation_endpoint: `${ISSUER}/oauth2/revoke`,
}

let world: World
let vault: Vault
let vouchers: VoucherCalls
beforeAll(async () => {
  world = await startWorld()
})
beforeEach(async () => {
  world.partner.forget()
  world.logged.length = 0
  vault = await world.startVault()
  vouchers = await voucherCalls(vault)
  await putClient(vault)
})
afterAll(() => world.stop())

/** Has the partner serve a document; any other call is answered with an empty object. */
function serve(document: unknown, status = 200): void {
  world.partner.respond = (response) => {
    const isDocument = world.partner.received.at(-1)?.path === DOCUMENT
    response
      .writeHead(isDocument ? status : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(isDocument ? document : {}))
  }
}

const calls = () => world.partner.received.map(({ method, path }) => `${method} ${path}`)
const body = jsonBytes({ grant_type: 'refresh_token', client_id: 'shop' })
const call = (path: string, method = 'POST', partner = 'discovered') =>
  vouchers.pay('', { partner, account: 'shop', method, path, body: method === 'GET' ? Buffer.of() : body })

test.each([
  ['Dex', DEX, ['/token', '/keys']],
  ['Hydra', HYDRA, ['/oauth2/token', '/.well-known/jwks.json']],
])(
  'an endpoint is called at the path that the provider names, as %s does',
  async (_name, document, paths) => {
    serve(document)
    await call('{token_endpoint}')
    const { answer } = await call('{jwks_uri}', 'GET')
    expect(answer?.status).toBe(200)
    const [token, keys] = paths
    expect(calls()).toEqual([`GET ${DOCUMENT}`, `POST /realms/shop${token}`, `GET /realms/shop${keys}`])
    const sent = world.partner.received.find(({ method }) => method === 'POST')
    expect(sent?.body).toContain('client_secret=')
  },
)

test('many calls at once read the document once', async () => {
  serve(HYDRA)
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => call('{revocation_endpoint}')))
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(5).fill(Outcome.ANSWERED))
  expect(calls().filter((each) => each.endsWith(DOCUMENT))).toHaveLength(1)
})

test.each([
  [
    'another host for the tokens',
    { ...HYDRA, token_endpoint: 'https://evil.example/realms/shop/token' },
    200,
  ],
  [
    'a path that is not below the partner’s',
    { ...HYDRA, token_endpoint: 'https://sso.example.com/admin' },
    200,
  ],
  ['no endpoint for tokens', { ...HYDRA, token_endpoint: undefined }, 200],
  ['no document', 'not an object', 200],
  ['an error', HYDRA, 500],
])('where the document names %s, nothing is sent, and the log says why', async (_what, document, status) => {
  serve(document, status)
  const { outcome, reason } = await call('{token_endpoint}')
  expect([outcome, reason]).toEqual([Outcome.NOT_SENT, 'the endpoint is not known'])
  expect(calls()).toEqual([`GET ${DOCUMENT}`])
  const logged = world.logged.filter((line) => line.includes('identity provider not discovered'))
  expect(logged).toHaveLength(1)
  expect(logged[0]).not.toContain('evil.example')
  // A document that could not be used is read again by the next call.
  serve(HYDRA)
  expect((await call('{token_endpoint}')).outcome).toBe(Outcome.ANSWERED)
})

test('an endpoint that the provider does not have is not called', async () => {
  serve(DEX)
  expect((await call('{revocation_endpoint}')).outcome).toBe(Outcome.NOT_SENT)
  expect(calls()).toEqual([`GET ${DOCUMENT}`])
})

test('a provider that can’t be reached is called at no endpoint', async () => {
  expect((await call('{token_endpoint}', 'POST', 'elsewhere')).outcome).toBe(Outcome.NOT_SENT)
})

test.each([
  '{userinfo_endpoint}',
  '{token_endpoint}/more',
  '{token_endpoint}{jwks_uri}',
  'https://evil.example/',
  '/token',
])('a caller can name no other place: %s', async (path) => {
  serve(HYDRA)
  await expect(call(path)).rejects.toMatchObject({ kind: 'permission_denied' })
  expect(calls()).toEqual([])
})

test('an old document is used while it is read again, and stays when it can’t be', async () => {
  const connection = openPartner(`${world.partner.url}/realms/shop`, { ca: world.authority.cert })
  const warned: unknown[] = []
  const log = { warn: (facts: unknown) => void warned.push(facts) }
  const pathOf = openDiscovery({ url: `${world.partner.url}/realms/shop`, connection }, log as never, 1)
  serve(DEX)
  const token = () => pathOf('{token_endpoint}', 5_000)
  expect(await token()).toBe('/token')
  serve(HYDRA)
  await eventually(async () => expect(await token()).toBe('/oauth2/token'))
  serve(HYDRA, 503)
  const before = calls().length
  await eventually(async () => {
    expect(await token()).toBe('/oauth2/token')
    expect(calls().length).toBeGreaterThan(before + 1)
  })
  expect(warned).toEqual([])
  await connection.close()
})
