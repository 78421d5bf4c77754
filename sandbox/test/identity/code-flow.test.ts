import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { CLIENT, OTHER_CLIENT, startTestSandbox, type TestSandbox } from '../support'
import {
  authorized,
  authorizeUrl,
  Browser,
  cardsOf,
  exchange,
  grantsOf,
  refresh,
  signedIn,
  tokensOf,
  VERIFIER,
} from './browser'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } }

test('a person with two cards signs in, picks one and authorizes it, and the tokens belong to that card', async () => {
  const browser = new Browser(sandbox)
  const signIn = await browser.open(authorizeUrl(sandbox))
  expect(signIn.body).toContain('Padaria Sol')
  const choice = await browser.submit(signIn, '/sign-in', { email: 'Ana@example.com ', password: 'sandbox' })
  for (const text of ['Choose a card', 'ending in 1234', 'ending in 4321'])
    expect(choice.body).toContain(text)
  const path = choice.url.slice(sandbox.url.length)
  const consent = await browser.submit(choice, path, { card: 'meal-4321' })
  for (const text of ['Authorize payments?', '4321', 'Ana Souza']) expect(consent.body).toContain(text)
  const back = new URL((await browser.submit(consent, '/authorize')).url)
  expect(back.href).toContain(CLIENT.redirectUris[0])
  expect(back.searchParams.get('state')).toBe('state-1')
  expect(back.searchParams.get('iss')).toBe(`${sandbox.url}/identity`)
  const { status, body } = await exchange(sandbox, back.searchParams.get('code') ?? '')
  expect(status).toBe(200)
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300, refresh_token: expect.any(String) })
  expect((await cardsOf(sandbox, body.access_token)).body).toEqual({
    data: [{ card_id: 'meal-4321', product: 'meal', last4: '4321', holder: 'Ana Souza' }],
  })
  const grant = { clientId: CLIENT.clientId, email: 'ana@example.com', cardLastFour: '4321', revoked: false }
  expect((await grantsOf(sandbox))[0]).toEqual(grant)
})

test('a key served over https signs the id token, which names the person, the client and the nonce', async () => {
  const { id_token: idToken } = await tokensOf(sandbox, 'food-1110')
  const served = await sandbox.call('GET', `${sandbox.voucherIssuerUrl}/identity/connect/jwks`)
  const keys = createRemoteJWKSet(new URL('http://localhost/jwks'), {
    [customFetch]: async () => new Response(JSON.stringify(served.body)),
  })
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: `${sandbox.url}/identity`,
    audience: CLIENT.clientId,
  })
  expect(payload).toMatchObject({ sub: 'bruno@example.com', nonce: 'nonce-1', acr: 'tenant:br-ben' })
  expect(JSON.stringify(served.body)).not.toContain('"d"')
})

test('a person with one card goes straight to consent; a wrong password stays on the page', async () => {
  const { page } = await signedIn(sandbox, 'bruno@example.com')
  expect(page.body).toContain('Authorize payments?')
  const browser = new Browser(sandbox)
  const signIn = await browser.open(authorizeUrl(sandbox))
  const again = await browser.submit(signIn, '/sign-in', { email: 'ana@example.com', password: 'secret' })
  expect([again.status, again.body]).toEqual([422, expect.stringContaining('role="alert"')])
  expect(again.body).not.toContain('secret')
  expect(
    (await browser.submit(again, '/sign-in', { email: 'ana@example.com', password: 'sandbox' })).status,
  ).toBe(200)
})

test("another person's card can be neither authorized nor read", async () => {
  const { browser, page } = await signedIn(sandbox, 'ana@example.com')
  const foreign = await browser.open(`${page.url}?card=food-1110`)
  expect(foreign.body).toContain('Choose a card')
  const consent = await browser.open(`${page.url}?card=meal-1234`)
  expect((await browser.submit(consent, '/authorize', { card: 'food-1110' })).body).toContain('Choose a card')
})

test.each(['sign-in', 'choose-card', 'consent'])(
  'a person who refuses at %s is sent back with access_denied',
  async (at) => {
    const browser = new Browser(sandbox)
    const before = (await grantsOf(sandbox)).length
    let page = await browser.open(authorizeUrl(sandbox))
    const email = at === 'consent' ? 'bruno@example.com' : 'ana@example.com'
    if (at !== 'sign-in') page = await browser.submit(page, '/sign-in', { email, password: 'sandbox' })
    const back = new URL((await browser.submit(page, '/refuse')).url)
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('state-1')
    expect(await grantsOf(sandbox)).toHaveLength(before)
  },
)

test('nobody stays signed in: the next person may use the same browser', async () => {
  const { browser, page } = await signedIn(sandbox, 'bruno@example.com')
  await browser.submit(page, '/authorize')
  const signIn = await browser.open(authorizeUrl(sandbox))
  const next = await browser.submit(signIn, '/sign-in', { email: 'ana@example.com', password: 'sandbox' })
  expect(next.body).toContain('ana@example.com')
})

test('the pages speak the language that the client asks for', async () => {
  const open = async (locales: string) =>
    (await new Browser(sandbox).open(authorizeUrl(sandbox, { ui_locales: locales }))).body
  expect(await open('pt-BR en')).toContain('<html lang="pt-BR">')
  expect(await open('fr en-GB')).toContain('Sign in')
  expect(await open('fr')).toContain('Entrar')
})

test.each([
  ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
  ['a wrong redirect address', { redirect_uri: 'http://127.0.0.1:8080/elsewhere' }, 'invalid_redirect_uri'],
])('%s ends on a page that says so and has no way on', async (_name, change, code) => {
  const page = await new Browser(sandbox).open(authorizeUrl(sandbox, change))
  expect(page.status).toBe(400)
  expect(page.body).toContain(code)
  expect(page.body).not.toMatch(/<script|<form|elsewhere|nobody/)
})

test('without PKCE there is no code', async () => {
  const url = new URL(authorizeUrl(sandbox))
  url.searchParams.delete('code_challenge')
  url.searchParams.delete('code_challenge_method')
  expect(new URL((await new Browser(sandbox).open(url.href)).url).searchParams.get('error')).toBe(
    'invalid_request',
  )
})

test('the page of a sign-in that never began, or of another browser, says that it expired', async () => {
  const { page } = await signedIn(sandbox, 'bruno@example.com')
  for (const url of [`${sandbox.url}/identity/interaction/nothing`, page.url]) {
    const expired = await new Browser(sandbox).open(url)
    expect([expired.status, expired.body]).toEqual([400, expect.stringContaining('expirou')])
  }
})

test.each([
  ['PKCE verifier', { code_verifier: 'w'.repeat(43) }],
  ['redirect address', { redirect_uri: 'http://127.0.0.1:8080/elsewhere' }],
  ['client', { client_id: OTHER_CLIENT.clientId, client_secret: OTHER_CLIENT.clientSecret }],
])('a wrong %s is refused and burns the code', async (_name, change) => {
  const code = (await authorized(sandbox, 'food-1110')).get('code') ?? ''
  expect(await exchange(sandbox, code, change)).toMatchObject(INVALID_GRANT)
  expect(await exchange(sandbox, code)).toMatchObject(INVALID_GRANT)
})

test('a wrong client secret is 401 and burns the code', async () => {
  const code = (await authorized(sandbox, 'food-1110')).get('code') ?? ''
  expect(await exchange(sandbox, code, { client_secret: 'wrong' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  })
  expect(await exchange(sandbox, code, { code_verifier: VERIFIER })).toMatchObject(INVALID_GRANT)
})

test('a reused code revokes every token that it gave', async () => {
  const code = (await authorized(sandbox, 'food-1110')).get('code') ?? ''
  const { body } = await exchange(sandbox, code)
  expect(await exchange(sandbox, code)).toMatchObject(INVALID_GRANT)
  expect((await cardsOf(sandbox, body.access_token)).body).toEqual({ errors: [{ code: 'invalid_token' }] })
  expect(await refresh(sandbox, body.refresh_token)).toMatchObject(INVALID_GRANT)
  expect((await grantsOf(sandbox))[0]).toMatchObject({ revoked: true })
})
