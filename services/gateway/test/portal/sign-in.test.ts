import { hashPassword } from '../../src/sellers/password'
import { openBrowser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem

beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

const WRONG = 'The e-mail or the password is wrong.'

test('a user who signs in sees the portal, and after signing out no longer', async () => {
  const { email } = await system.makeSeller({ name: 'Padaria Aurora' })
  const browser = openBrowser(system.url)
  const signedIn = await browser.signIn(email.toUpperCase(), PASSWORD)
  expect(signedIn).toMatchObject({ status: 303, location: '/portal' })
  expect((await browser.get('/portal/charges')).text).toContain('Padaria Aurora')

  const stolen = new Map(browser.cookies)
  await expect(browser.submit('/portal/logout', {}, '/portal/charges')).resolves.toMatchObject({
    status: 303,
    location: '/portal/login',
  })
  expect(browser.cookies.has('portal_session')).toBe(false)
  const thief = openBrowser(system.url)
  stolen.forEach((value, name) => thief.cookies.set(name, value))
  await expect(thief.get('/portal')).resolves.toMatchObject({ status: 303 })
})

test('the cookie is for the portal only, and unavailable to scripts and other sites', async () => {
  const { email } = await system.makeSeller()
  const { headers } = await openBrowser(system.url).signIn(email, PASSWORD)
  const [cookie] = headers.getSetCookie()
  expect(cookie).toMatch(/^portal_session=[\w-]{43}; Path=\/portal; HttpOnly; SameSite=Strict$/)
})

test('a session is stored as a hash', async () => {
  const { email } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const { rows } = await system.deps.pool.query('SELECT to_jsonb(s)::text AS text FROM portal_sessions s')
  const id = browser.cookies.get('portal_session') ?? 'none'
  const texts = rows.map((row) => row.text).join()
  expect(texts).not.toContain(id)
  expect(texts).not.toContain(Buffer.from(id, 'base64url').toString('hex'))
  expect(system.logged()).not.toContain(id)
})

test('a wrong password and an unknown e-mail get the same message, and no password comes back', async () => {
  const { email } = await system.makeSeller()
  const wrong = await openBrowser(system.url).signIn(email, 'not my <password>')
  const unknown = await openBrowser(system.url).signIn('nobody@example.com', 'not my <password>')
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(wrong.text).toContain(WRONG)
  expect(wrong.text).toContain(`value="${email}"`)
  expect(wrong.text).not.toContain('not my')
  const same = (text: string) => text.replace(/name="(email|formToken)"[^>]*>/g, '').replace(email, '')
  expect(same(wrong.text)).toBe(same(unknown.text))
})

test('an unknown e-mail takes as long as a wrong password', async () => {
  const { email } = await system.makeSeller({ passwordHash: await hashPassword(PASSWORD) })
  const time = async (address: string) => {
    const browser = openBrowser(system.url)
    await browser.get('/portal/login')
    // Processor time, which does not depend on a busy machine. This process makes the hash.
    const before = process.cpuUsage()
    await browser.signIn(address, 'wrong wrong wrong')
    const { user, system: kernel } = process.cpuUsage(before)
    return user + kernel
  }
  const known = Math.min(await time(email), await time(email))
  const unknown = Math.min(await time('a@example.com'), await time('b@example.com'))
  // A hash takes far longer than the rest: without it the quotient would be far from one.
  expect(unknown / known).toBeGreaterThan(0.4)
})

test('after five wrong passwords even the right one has to wait, while another account can sign in there', async () => {
  const [one, other] = [await system.makeSeller(), await system.makeSeller()]
  const browser = openBrowser(system.url)
  for (let attempt = 0; attempt < 5; attempt++) {
    await expect(browser.signIn(one.email, 'wrong')).resolves.toMatchObject({ status: 401 })
  }
  const sixth = await browser.signIn(one.email, PASSWORD)
  expect(sixth.status).toBe(429)
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(sixth.text).toContain('Too many wrong passwords. Wait 3 minutes')
  for (let attempt = 0; attempt < 30; attempt++) {
    await expect(browser.signIn(one.email, 'wrong')).resolves.toMatchObject({ status: 429 })
  }
  await expect(browser.signIn(other.email, PASSWORD)).resolves.toMatchObject({ status: 303 })
})

test('of a burst of wrong passwords, only five are checked', async () => {
  const { email } = await system.makeSeller()
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => openBrowser(system.url).signIn(email, 'wrong')),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
})

test('signing in gives a new id: an id that was planted before is worth nothing', async () => {
  const { email } = await system.makeSeller()
  const planted = 'A'.repeat(43)
  const browser = openBrowser(system.url)
  browser.cookies.set('portal_session', planted)
  await browser.signIn(email, PASSWORD)
  const first = browser.cookies.get('portal_session')
  expect(first).not.toBe(planted)

  const attacker = openBrowser(system.url)
  attacker.cookies.set('portal_session', planted)
  await expect(attacker.get('/portal')).resolves.toMatchObject({ status: 303 })
})

test('a session ends after eight hours without use', async () => {
  const { email } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const { rows } = await system.deps.pool.query(
    `SELECT extract(epoch FROM s.expires_at - s.last_seen_at) / 3600 AS hours, u.id FROM portal_sessions s
     JOIN portal_users u ON u.id = s.user_id WHERE u.email = $1`,
    [email],
  )
  expect(Number(rows[0].hours)).toBeCloseTo(8)
  await system.deps.pool.query(
    `UPDATE portal_sessions SET last_seen_at = now() - interval '9 hours', expires_at = now() - interval '1 hour'
     WHERE user_id = $1`,
    [rows[0].id],
  )
  await expect(browser.get('/portal')).resolves.toMatchObject({ status: 303, location: '/portal/login' })
})

test('using a session extends it, but never beyond seven days after the sign-in', async () => {
  const { email } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const { pool } = system.deps
  const id = 'user_id = (SELECT id FROM portal_users WHERE email = $1)'
  const age = (created: string) =>
    pool.query(
      `UPDATE portal_sessions SET created_at = now() - $2::interval, last_seen_at = now() - interval '2 hours',
         expires_at = now() + interval '1 minute' WHERE ${id}`,
      [email, created],
    )
  const minutesLeft = async () => {
    await browser.get('/portal')
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM expires_at - now()) / 60 AS minutes FROM portal_sessions WHERE ${id}`,
      [email],
    )
    return Math.round(Number(rows[0].minutes))
  }
  await age('3 hours')
  await expect(minutesLeft()).resolves.toBe(480)
  await age('6 days 23 hours')
  await expect(minutesLeft()).resolves.toBe(60)
})

describe('the requested page', () => {
  test('is shown after signing in', async () => {
    const { email } = await system.makeSeller()
    const browser = openBrowser(system.url)
    const { location = '' } = await browser.get('/portal/charges/5?x=1')
    expect(location).toBe('/portal/login?next=%2Fportal%2Fcharges%2F5%3Fx%3D1')
    expect((await browser.get(location)).text).toContain('name="next" value="/portal/charges/5?x=1"')
    const signedIn = await browser.submit(
      '/portal/login',
      { email, password: PASSWORD, next: '/portal/charges/5?x=1' },
      location,
    )
    expect(signedIn.location).toBe('/portal/charges/5?x=1')
  })

  test.each(['https://evil.example/portal/', '//evil.example', '/portal/../api', '/portal/\\evil', '/other'])(
    'is never %s',
    async (next) => {
      const { email } = await system.makeSeller()
      const browser = openBrowser(system.url)
      const { location } = await browser.submit('/portal/login', { email, password: PASSWORD, next })
      expect(location).toBe('/portal')
    },
  )
})

test('a user who has signed in is led past the sign-in page', async () => {
  const { email } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  await expect(browser.get('/portal/login')).resolves.toMatchObject({ status: 303, location: '/portal' })
})

test('strangers who guess a password lock out new browsers, not one in which its person signed in before', async () => {
  const { email } = await system.makeSeller()
  const known = openBrowser(system.url)
  await known.signIn(email, PASSWORD)
  await known.submit('/portal/logout', {}, '/portal/settings/account')
  const stranger = openBrowser(system.url)
  for (let guess = 0; guess < 5; guess++) {
    expect((await stranger.signIn(email, 'a wrong password')).status).toBe(401)
  }
  expect((await stranger.signIn(email, PASSWORD)).status).toBe(429)
  expect((await known.signIn(email, PASSWORD)).status).toBe(303)
  // It has a count of its own, which ends too; and for another account it is a browser like any other.
  await known.submit('/portal/logout', {}, '/portal/settings/account')
  for (let guess = 0; guess < 5; guess++) await known.signIn(email, 'a wrong password')
  expect((await known.signIn(email, PASSWORD)).status).toBe(429)
  const { email: other } = await system.makeSeller()
  for (let guess = 0; guess < 5; guess++) await stranger.signIn(other, 'a wrong password')
  expect((await known.signIn(other, PASSWORD)).status).toBe(429)
})
