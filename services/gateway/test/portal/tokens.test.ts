import { insertSeller } from '../../src/sellers/seller-store'
import { issueToken } from '../../src/sellers/api-tokens/issue-token'
import { listTokens, saveLastUses } from '../../src/sellers/api-tokens/token-store'
import { hiddenFields, openBrowser, readable, type Browser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem

beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

const LIST = '/portal/settings/integrations/api'
const FORM = `${LIST}/new`
/** A token with everything asks for the password again. */
const EVERYTHING = { access: 'all', currentPassword: PASSWORD }

async function signedIn(): Promise<{ browser: Browser; sellerId: number }> {
  const { email, sellerId } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  return { browser, sellerId }
}

/** Returns the token that a page shows. */
function shownToken(text: string): string | undefined {
  return /<textarea id="access-token"[^>]*>([^<]*)<\/textarea>/.exec(text)?.[1]
}

test('a new token is shown once, works as Bearer, and is stored nowhere', async () => {
  const { browser, sellerId } = await signedIn()
  const made = await browser.submit(FORM, { title: 'ERP', expiresOn: '', ...EVERYTHING })
  expect(made).toMatchObject({ status: 303, location: LIST })
  const { rows } = await system.deps.pool.query('SELECT flash FROM portal_sessions WHERE flash IS NOT NULL')
  const kept = Buffer.concat(rows.map((row) => row.flash)).toString('latin1')

  const page = await browser.get(LIST)
  const token = shownToken(page.text) ?? ''
  expect(readable(page.text)).toContain('Copy the token now: you will not see it again.')
  expect(kept).not.toContain(token.split('.')[0])
  await expect(system.deps.verifier.verify(token)).resolves.toMatchObject({
    sellerId,
    title: 'ERP',
    scopes: [],
  })
  const answer = await fetch(`${system.url}/api/v2/charges`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(200)

  const again = await browser.get(LIST)
  expect(again.text).not.toContain(token)
  expect(shownToken(again.text)).toBeUndefined()
  const left = await system.deps.pool.query('SELECT 1 FROM portal_sessions WHERE flash IS NOT NULL')
  expect(left.rowCount).toBe(0)
  expect(system.logged()).not.toContain(token)
})

test('of several concurrent pages, one shows the new token', async () => {
  const { browser } = await signedIn()
  await browser.submit(FORM, { title: 'ERP', ...EVERYTHING })
  const pages = await Promise.all([browser.get(LIST), browser.get(LIST), browser.get(LIST)])
  expect(pages.filter(({ text }) => shownToken(text) !== undefined)).toHaveLength(1)
})

test('a form sent twice makes one token; a new page of the form, or another title, makes another', async () => {
  const { browser, sellerId } = await signedIn()
  const form = { title: 'ERP', ...EVERYTHING, ...hiddenFields((await browser.get(FORM)).text) }
  const answers = await Promise.all([1, 2, 3].map(() => browser.post(FORM, form)))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  await expect(listTokens(system.deps.pool, sellerId)).resolves.toHaveProperty('tokens.length', 1)
  expect(shownToken((await browser.get(LIST)).text)).toBeDefined()
  await browser.post(FORM, { ...form, title: 'Shop' })
  await browser.submit(FORM, { title: 'ERP', ...EVERYTHING })
  await expect(listTokens(system.deps.pool, sellerId)).resolves.toHaveProperty('tokens.length', 3)
})

test('a form that failed can be sent again', async () => {
  const { browser, sellerId } = await signedIn()
  const form = { title: 'ERP', ...EVERYTHING, ...hiddenFields((await browser.get(FORM)).text) }
  const { pool } = system.deps
  await pool.query('ALTER TABLE api_tokens RENAME TO hidden_tokens')
  await expect(browser.post(FORM, form)).resolves.toMatchObject({ status: 500 })
  await pool.query('ALTER TABLE hidden_tokens RENAME TO api_tokens')
  await expect(browser.post(FORM, form)).resolves.toMatchObject({ status: 303, location: LIST })
  await expect(listTokens(pool, sellerId)).resolves.toHaveProperty('tokens.length', 1)
})

test('a token has the chosen scopes and expiry, and the list shows them', async () => {
  const { browser, sellerId } = await signedIn()
  await browser.submit(FORM, {
    title: 'Shop',
    expiresOn: '2090-01-31',
    scope: ['orders:write', 'cards:read'],
  })
  const [token] = (await listTokens(system.deps.pool, sellerId)).tokens
  expect(token).toMatchObject({
    scopes: ['cards:read', 'orders:write'],
    expiresAt: Date.parse('2090-01-31T00:00:00-03:00'),
  })
  await saveLastUses(system.deps.pool, new Map([[token?.id ?? '', Date.parse('2026-03-05T17:05:00Z')]]))
  const text = readable((await browser.get(LIST)).text)
  expect(text).toContain('Shop cards:read orders:write')
  expect(readable(text)).toContain('31 Jan 2090')
  expect(readable(text)).toContain('5 Mar 2026, 14:05')
})

describe('a form that cannot be accepted', () => {
  test.each([
    [{ title: ' ', ...EVERYTHING }, 'Give the token a title.'],
    [{ title: 'x'.repeat(256), ...EVERYTHING }, 'A title has at most 255 characters.'],
    [{ title: 'ERP', expiresOn: '31/12/2090' }, 'Enter a date as YYYY-MM-DD.'],
    [{ title: 'ERP', expiresOn: '2020-01-01' }, 'Choose a future date, or leave this empty.'],
    [{ title: 'ERP', scope: ['cards:admin'] }, 'Choose from the scopes listed.'],
    [{ title: 'ERP', access: 'chosen' }, 'Select at least one scope, or choose “Everything”.'],
    [{ title: 'ERP' }, 'Select at least one scope, or choose “Everything”.'],
  ])('%j gets a message that explains the fault', async (fields, words) => {
    const { browser, sellerId } = await signedIn()
    const answer = await browser.submit(FORM, fields)
    expect(answer.status).toBe(422)
    expect(readable(answer.text)).toContain(words)
    await expect(listTokens(system.deps.pool, sellerId)).resolves.toEqual({ tokens: [], more: false })
  })

  test('keeps the typed and chosen values', async () => {
    const { browser } = await signedIn()
    const { text } = await browser.submit(FORM, {
      title: 'My "ERP"',
      expiresOn: '2020-01-01',
      scope: ['invoices:read'],
    })
    expect(text).toContain('value="My &quot;ERP&quot;"')
    expect(text).toContain('value="2020-01-01"')
    expect(text).toMatch(/value="invoices:read"\s+checked/)
    expect(text).toMatch(/id="expires-on"[^>]*aria-invalid="true"/)
    expect(text).toMatch(/value="chosen"\s+checked/)
    expect(text.match(/ checked/g)).toHaveLength(2)
  })

  test('everything without the right password makes no token', async () => {
    const { browser, sellerId } = await signedIn()
    for (const [currentPassword, words] of [
      ['', 'Type your current password.'],
      ['not my password', 'This is not your current password.'],
    ] as const) {
      const answer = await browser.submit(FORM, { title: 'ERP', access: 'all', currentPassword })
      expect([answer.status, readable(answer.text)]).toEqual([422, expect.stringContaining(words)])
    }
    await expect(listTokens(system.deps.pool, sellerId)).resolves.toEqual({ tokens: [], more: false })
  })

  test('keeps the choice of everything', async () => {
    const { browser } = await signedIn()
    const { text } = await browser.submit(FORM, { title: ' ', ...EVERYTHING, scope: ['cards:read'] })
    expect(text).toMatch(/value="all"\s+checked/)
  })
})

test('a revoked token stops working within a second; revoked again, it stays revoked', async () => {
  const { browser, sellerId } = await signedIn()
  await browser.submit(FORM, { title: 'ERP', ...EVERYTHING })
  const token = shownToken((await browser.get(LIST)).text) ?? ''
  await system.deps.verifier.verify(token)
  const [{ id } = { id: '' }] = (await listTokens(system.deps.pool, sellerId)).tokens

  const question = await browser.get(`${LIST}/${id}/revoke`)
  expect(readable(question.text)).toContain('Revoke “ERP”?')
  await expect(system.deps.verifier.verify(token)).resolves.toMatchObject({ id })

  const revoked = await browser.submit(`${LIST}/${id}/revoke`, {})
  expect(revoked).toMatchObject({ status: 303, location: LIST })
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000)
  const aSecondLater = await system.deps.verifier.verify(token).catch((error: unknown) => error)
  clock.mockRestore()
  expect(aSecondLater).toMatchObject({ reason: 'TOKEN_REVOKED' })

  const page = readable((await browser.get(LIST)).text)
  expect(page).toContain('“ERP” was revoked.')
  expect(page).toContain('Revoked')
  await expect(browser.submit(`${LIST}/${id}/revoke`, {})).resolves.toMatchObject({ status: 303 })
})

test('another seller’s token is neither listed nor revoked', async () => {
  const { browser } = await signedIn()
  const other = await insertSeller(system.deps.pool, 'Vizinha')
  const { token } = await issueToken(system.deps, {
    sellerId: other.id,
    title: 'Theirs',
    scopes: ['cards:read'],
  })
  expect((await browser.get(LIST)).text).not.toContain('Theirs')
  await expect(browser.get(`${LIST}/${token.id}/revoke`)).resolves.toMatchObject({ status: 404 })
  await expect(browser.submit(`${LIST}/${token.id}/revoke`, {}, FORM)).resolves.toMatchObject({ status: 404 })
  await expect(browser.get(`${LIST}/not-an-id/revoke`)).resolves.toMatchObject({ status: 404 })
  const [kept] = (await listTokens(system.deps.pool, other.id)).tokens
  expect(kept?.revokedAt).toBeNull()
})

test('a title is shown as text, with any characters in it', async () => {
  const { browser, sellerId } = await signedIn()
  const title = `<script>alert(1)</script>"><img src=x onerror='alert(2)'>\u0000&amp;`
  await browser.submit(FORM, { title, ...EVERYTHING })
  const [{ id } = { id: '' }] = (await listTokens(system.deps.pool, sellerId)).tokens
  for (const path of [LIST, `${LIST}/${id}/revoke`, LIST]) {
    const { text, status } = await browser.get(path)
    expect(status).toBe(200)
    expect(text).not.toMatch(/<script>|<img|onerror='/)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  }
  const refused = await browser.submit(FORM, { title: title.repeat(5), expiresOn: '"><b>' })
  expect(refused.text).not.toMatch(/<script>|<img|"><b>/)
})

test('a long list of tokens has pages: each leads to the next, and all but the first lead back to the newest', async () => {
  const { browser, sellerId } = await signedIn()
  await system.deps.pool.query(
    `INSERT INTO api_tokens (id, seller_id, title, scopes, kid, created_at)
     SELECT gen_random_uuid(), $1, 'ERP ' || n, '{}', 'kid', now() - n * interval '1 day' FROM generate_series(1, 60) n`,
    [sellerId],
  )
  const linkOf = (text: string, rel: string) => new RegExp(`href="([^"]*)" rel="${rel}"`).exec(text)?.[1]
  const titles: string[][] = []
  const newest: (string | undefined)[] = []
  for (let path: string | undefined = LIST; path;) {
    const { text, status } = await browser.get(path)
    expect(status).toBe(200)
    titles.push([...text.matchAll(/<b>(ERP \d+)<\/b>/g)].map(([, title = '']) => title))
    newest.push(linkOf(text, 'first'))
    path = linkOf(text, 'next')
  }
  expect(titles.map(({ length }) => length)).toEqual([25, 25, 10])
  expect(titles.flat()).toEqual(Array.from({ length: 60 }, (_, at) => `ERP ${at + 1}`))
  expect(newest).toEqual([undefined, LIST, LIST])
})

test('a page of tokens after what is no token of the seller is not found', async () => {
  const { browser } = await signedIn()
  const { id: sellerId } = await insertSeller(system.deps.pool, 'Vizinha')
  const { token } = await issueToken(system.deps, { sellerId, title: 'Theirs', scopes: ['cards:read'] })
  for (const after of ['abc', '00000000-0000-4000-8000-000000000000', token.id]) {
    await expect(browser.get(`${LIST}?after=${after}`)).resolves.toMatchObject({ status: 404 })
  }
})
