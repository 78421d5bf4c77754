import { hiddenFields, openBrowser, readable, type Browser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem
let browser: Browser

beforeAll(async () => {
  system = await startPortal()
  const { email } = await system.makeSeller()
  browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
})
afterAll(() => system.stop())

const FORM = '/portal/settings/integrations/api/new'

describe('a form is refused', () => {
  test.each([
    ['without its token', {}, {}],
    ['with another token', { formToken: 'x'.repeat(43) }, {}],
    ['with a token twice', { formToken: ['x', 'y'] }, {}],
  ])('%s', async (_name, fields, headers) => {
    const answer = await browser.post(FORM, { title: 'ERP', ...fields }, headers)
    expect(answer.status).toBe(403)
    expect(readable(answer.text)).toContain('This form was not accepted')
    expect((await browser.get('/portal/settings/integrations/api')).text).toContain('You have no tokens yet.')
  })

  test.each([
    ['another site, as Origin says', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site, as Sec-Fetch-Site says', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling host, as Sec-Fetch-Site says', { 'sec-fetch-site': 'same-site' }],
  ])('when it comes from %s, even with the right token', async (_name, headers) => {
    const { formToken = '' } = hiddenFields((await browser.get(FORM)).text)
    await expect(browser.post(FORM, { title: 'ERP', formToken }, headers)).resolves.toMatchObject({
      status: 403,
    })
  })

  test('with the token of another browser', async () => {
    const { email } = await system.makeSeller()
    const other = openBrowser(system.url)
    await other.signIn(email, PASSWORD)
    const { formToken = '' } = hiddenFields((await other.get(FORM)).text)
    await expect(browser.post(FORM, { title: 'ERP', formToken })).resolves.toMatchObject({ status: 403 })
  })

  test('to sign in, when the browser has not opened the page: nobody can sign it in to another account', async () => {
    const { email } = await system.makeSeller()
    const fresh = openBrowser(system.url)
    const answer = await fresh.post('/portal/login', { email, password: PASSWORD })
    expect(answer.status).toBe(403)
    expect(fresh.cookies.has('portal_session')).toBe(false)
  })
})

test('a form from the portal itself is accepted, under its public address and the address in use', async () => {
  for (const origin of ['http://portal.test', system.url]) {
    const { formToken = '' } = hiddenFields((await browser.get(FORM)).text)
    const answer = await browser.post(FORM, { title: '', formToken }, { origin })
    expect(answer.status).toBe(422)
  }
})

test('a form sent after the session ended leads to the sign-in page and does nothing', async () => {
  const answer = await openBrowser(system.url).post(FORM, { title: 'ERP' })
  expect(answer).toMatchObject({ status: 303, location: '/portal/login' })
})

test('a form that is too large, or not a form, is refused', async () => {
  await expect(browser.post(FORM, { title: 'x'.repeat(20_000) })).resolves.toMatchObject({ status: 413 })
  const answer = await fetch(system.url + FORM, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: `portal_session=${browser.cookies.get('portal_session')}`,
    },
    body: '{"title":"ERP"}',
    redirect: 'manual',
  })
  expect(answer.status).toBe(403)
})

test('an unknown page gets a page of the portal, not a problem of the API', async () => {
  const answer = await browser.get('/portal/nothing-here')
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  expect(readable(answer.text)).toContain('Page not found')
  await expect(browser.get('/portal/settings/nothing')).resolves.toMatchObject({ status: 404 })
})

test('a page that fails shows the request id and nothing else', async () => {
  const { pool } = system.deps
  await pool.query('ALTER TABLE api_tokens RENAME TO hidden_tokens')
  const answer = await browser.get('/portal/settings/integrations/api')
  await pool.query('ALTER TABLE hidden_tokens RENAME TO api_tokens')
  expect(answer.status).toBe(500)
  expect(answer.text).toContain(answer.headers.get('x-request-id') ?? 'none')
  expect(answer.text).not.toMatch(/api_tokens|relation|at \w+ \(/)
})

test('pages load nothing from elsewhere, run nothing inline, and can be neither framed nor stored', async () => {
  const { headers, text } = await browser.get('/portal/settings/integrations/api')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('x-powered-by')).toBeNull()
  expect(text).not.toMatch(/ style=|<style|<script>| on[a-z]+=|(src|href)="(https?:)?\/\//)
  expect(text).toMatch(/^<!doctype html>\s*<html lang="en">/i)
})

test.each(['style.css', 'copy.js', 'icon.svg'])(
  '%s may be cached for long, under an address with its version',
  async (name) => {
    const page = (await openBrowser(system.url).get('/portal/login')).text
    const [, path = ''] = new RegExp(`"(/portal/${name}\\?v=[0-9a-f]{12})"`).exec(page) ?? []
    const answer = await openBrowser(system.url).get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.get('content-encoding')).toBe('gzip')
  },
)

test('a page, which holds tokens beside what a request brings, is never compressed', async () => {
  for (const path of ['/portal/login', '/portal/settings/integrations/api', '/portal']) {
    expect((await browser.get(path)).headers.get('content-encoding')).toBeNull()
  }
})

test('the portal does not change the answers of the API', async () => {
  const answer = await fetch(`${system.url}/api/v2/charges`)
  expect(answer.status).toBe(401)
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('behind https under a path, cookies are Secure and links carry the path', async () => {
  const other = await startPortal({ baseUrl: 'https://pay.example.com/cofre' })
  try {
    const { email } = await other.makeSeller()
    const page = await openBrowser(other.url).get('/portal/login')
    expect(page.text).toContain('action="/cofre/portal/login"')
    expect(page.headers.get('strict-transport-security')).toContain('max-age=')
    const { headers, location } = await openBrowser(other.url).signIn(email, PASSWORD)
    expect(location).toBe('/cofre/portal')
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-portal_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
  } finally {
    await other.stop()
  }
})
